import Foundation
import SynthDSP
import SynthRealtime
import Testing

@testable import AudioGraph

@Suite("Input node")
struct InputNodeTests {
  /// Channel c at frame n is `1000 c + n`.
  private func ramps(_ channelCount: Int, _ frames: Range<Int>) -> [[Float]] {
    (0..<channelCount).map { channel in frames.map { Float(1000 * channel + $0) } }
  }

  // input ─ output

  @Test("renders by hand what was captured, each wanted channel from its hardware channel")
  func byHand() throws {
    let unit = VirtualInput(channelCount: 3)
    let input = try InputNode(unit, channelMap: ChannelMap([2, -1, 0]))
    #expect(input.format == AudioFormat(sampleRate: 48000, channelCount: 3))
    let engine = try AudioEngine.chain(input, output: OutputNode(channelCount: 3, sourceCount: 3))
    try input.start()
    unit.deliver(ramps(3, 0..<300))
    unit.deliver(ramps(3, 300..<500))
    try input.stop()
    let samples = engine.render(640, channels: 3)
    let silence = [Float](repeating: 0, count: 140)
    #expect(samples[0] == ramps(3, 0..<500)[2] + silence)
    #expect(samples[1] == [Float](repeating: 0, count: 640))
    #expect(samples[2] == ramps(3, 0..<500)[0] + silence)
    #expect(input.statistics.framesCaptured == 500)
    #expect(input.statistics.framesMissing == 140)
    #expect(input.statistics.framesLost == 0)
  }

  @Test("makes rendering by hand wait for what is captured", .timeLimit(.minutes(5)))
  func waits() throws {
    let unit = VirtualInput(channelCount: 1)
    let input = try InputNode(unit)
    let engine = try AudioEngine.chain(input, output: OutputNode(channelCount: 1, sourceCount: 1))
    try input.start()
    let ramps = ramps(1, 0..<10_000)
    let thread = try WorkerThread(named: "capture") {
      for start in stride(from: 0, to: 10_000, by: 100) {
        unit.deliver([Array(ramps[0][start..<start + 100])])
        Semaphore().wait(nanoseconds: 500_000)
      }
    }
    #expect(try engine.render(frameCount: 9_900)[0].elementsEqual(ramps[0][..<9_900]))
    thread.join()
    #expect(input.statistics.framesMissing == 0)
  }

  @Test("begins a second take with what is captured then, bit for bit", .timeLimit(.minutes(5)))
  func secondTake() throws {
    let unit = VirtualInput(channelCount: 1)
    let input = try InputNode(unit)
    let engine = try AudioEngine.chain(input, output: OutputNode(channelCount: 1, sourceCount: 1))
    try input.start()
    unit.deliver(ramps(1, 0..<500))
    _ = engine.render(64, channels: 1)
    try input.stop()
    try input.start()
    unit.deliver(ramps(1, 700..<1000))
    #expect(engine.render(128, channels: 1) == ramps(1, 700..<828))
  }

  @Test("is silent where there was no room for frames, and counts them", .timeLimit(.minutes(5)))
  func overflow() throws {
    let unit = VirtualInput(channelCount: 1)
    let input = try InputNode(unit)
    let engine = try AudioEngine.chain(input, output: OutputNode(channelCount: 1, sourceCount: 1))
    try input.start()
    unit.deliver([[Float](repeating: 1, count: 200_000)])
    var samples = engine.render(64, channels: 1)[0]
    unit.deliver([[Float](repeating: 1, count: 1000)])
    try input.stop()
    samples += engine.render(200_936, channels: 1)[0]
    #expect(input.statistics.framesLost == 200_000)
    #expect(samples[..<200_000].allSatisfy { $0 == 0 })
    // After a fade-in of 5 ms.
    #expect(samples[200_240...].allSatisfy { $0 == 1 })
  }

  @Test("keeps what came before there was no room, and counts all that is silence", .timeLimit(.minutes(5)))
  func keeping() throws {
    let unit = VirtualInput(channelCount: 1)
    let input = try InputNode(unit)
    let engine = try AudioEngine.chain(input, output: OutputNode(channelCount: 1, sourceCount: 1))
    func deliver(_ count: Int) { unit.deliver([[Float](repeating: 1, count: count)]) }
    try input.start()
    // There is room for 131072.
    deliver(131_000)
    deliver(500)
    #expect(input.statistics.framesLost == 500)
    var samples = engine.render(2048, channels: 1)[0]
    // These fit, but there is no room for more before they are reached: they are part of the gap then.
    deliver(600)
    deliver(131_000)
    #expect(input.statistics.framesLost == 132_100)
    samples += engine.render(131_072, channels: 1)[0]
    #expect(input.statistics.fill == 263_100 - samples.count)
    deliver(1000)
    try input.stop()
    samples += engine.render(264_100 - samples.count, channels: 1)[0]
    #expect(input.statistics.framesLost == 132_100)
    #expect(samples[..<131_000].allSatisfy { $0 == 1 })
    #expect(samples[131_000..<263_100].allSatisfy { $0 == 0 })
    // After a fade-in of 5 ms.
    #expect(samples[263_340...].allSatisfy { $0 == 1 })
  }

  @Test("refuses a map of another length, or to a channel that there is not, with both numbers")
  func errors() {
    let unit = VirtualInput(name: "hw:1", channelCount: 2)
    func expect(_ error: InputError, _ line: String, _ body: () throws -> Void) {
      #expect(throws: error, performing: body)
      #expect("\(error)" == line)
    }
    expect(
      .mapLength(ChannelMap([0, 1, -1]), wanted: 2),
      "setting input channel map 0,1,-1: it has 3 entries, and 2 channels are wanted; give one entry for each, as in 0,1"
    ) { _ = try InputNode(unit, channelCount: 2, channelMap: ChannelMap([0, 1, -1])) }
    expect(
      .noSuchChannel(ChannelMap([0, 2]), channel: 2, unit: "hw:1", channels: 2),
      "setting input channel map 0,2: hw:1 has no channel 2; it has channels 0 to 1, and -1 is silence"
    ) { _ = try InputNode(unit, channelMap: ChannelMap([0, 2])) }
    expect(
      .noSuchChannel(ChannelMap([ChannelMap.mean]), channel: ChannelMap.mean, unit: "hw:1", channels: 2),
      "setting input channel map mono: mono is for outputs; hw:1 has channels 0 to 1, and -1 is silence"
    ) { _ = try InputNode(unit, channelMap: ChannelMap([ChannelMap.mean])) }
  }

  @Test("is started and stopped by an engine with an output, unless it is disabled")
  func lifeCycle() throws {
    let unit = VirtualInput()
    let input = try InputNode(unit)
    let output = TestOutput()
    let engine = AudioEngine(output: output)
    let outputNode = try OutputNode(channelCount: 2)
    try engine.edit { graph in
      try graph.attach(input)
      try graph.attach(outputNode)
      try graph.connect(input, to: outputNode)
    }
    #expect(!unit.isRunning)
    try engine.start()
    #expect(unit.isRunning)
    #expect(throws: InputError.running(unit: "virtual input")) { try InputNode(unit).start() }
    try engine.pause()
    #expect(!unit.isRunning)
    try engine.start()
    try engine.edit { try $0.detach(input) }
    #expect(!unit.isRunning)
    try engine.edit { graph in
      try graph.attach(input)
      try graph.connect(input, to: outputNode)
    }
    #expect(unit.isRunning)
    #expect(throws: PropertyError.self) { try engine.set("enabled", of: input, to: false) }
    try engine.stop()
    #expect(!unit.isRunning)
    try engine.set("enabled", of: input, to: false)
    try engine.start()
    #expect(!unit.isRunning)
    try engine.stop()
    try engine.set("enabled", of: input, to: true)
    output.refuseStart()
    #expect(throws: TestOutput.Failure.self) { try engine.start() }
    #expect(!unit.isRunning)
  }
}

/// An input and an output that share one imagined time.
@Suite("Input node behind an output")
struct LiveInputTests {
  private let engine: AudioEngine
  private let input: InputNode
  private let unit: VirtualInput
  private let buffer = SampleBuffer(channelCount: 1, frameCapacity: 512)
  /// Frames of the output's period and the unit's.
  private let period = 512
  private let start = 1_000_000_000.0
  /// In nanoseconds.
  private let duration = 512.0 / 48000 * 1e9

  private init(isOnOutputClock: Bool) throws {
    unit = VirtualInput(channelCount: 1, period: 512, isOnOutputClock: isOnOutputClock)
    input = try InputNode(unit)
    let output = PacedOutput(channelCount: 1, period: 512)
    engine = AudioEngine(sampleRate: 48000)
    let outputNode = try OutputNode(channelCount: 1, sourceCount: 1)
    try engine.edit { [input] graph in
      try graph.attach(input)
      try graph.attach(outputNode)
      try graph.connect(input, to: outputNode)
    }
    try input.start(for: output)
  }

  init() throws { try self.init(isOnOutputClock: true) }

  private func render(at time: Double) -> [Float] {
    var slice = buffer.slice(frameCount: period, hostTime: UInt64(time))
    AudioEngine.outputCallback(engine.outputContext, &slice)
    return Array(buffer.channel(0, frameCount: period))
  }

  @Test("on one clock every frame is heard once, as much later as is told")
  func sharedClock() throws {
    var heard: [Float] = []
    for index in 0..<1000 {
      let ramp = (0..<period).map { Float(index * period + $0 + 1) }
      unit.deliver([ramp], hostTime: UInt64(start + Double(index) * duration))
      // The output asks 3 ms after the unit has given.
      heard += render(at: start + Double(index + 1) * duration + 3e6)
    }
    let first = try #require(heard.firstIndex { $0 != 0 })
    // The fade-in of 5 ms.
    let rest = heard[(first + 240)...]
    #expect(zip(rest, rest.dropFirst()).allSatisfy { $1 == $0 + 1 })
    // The slice begins at the capture of frame 1000 × 480 + 144.
    let told = input.statistics.delay
    let heardBehind = Double(1000 * 512 + 144) - Double(heard[999 * period] - 1)
    #expect(abs(heardBehind - told) <= 1)
    #expect(input.statistics.framesMissing == 0)
    #expect(input.statistics.locks == 1)
  }

  @Test("on two clocks nothing is lost or doubled, at ±200 ppm", arguments: [-200.0, 200.0])
  func drift(partsPerMillion: Double) throws {
    let live = try LiveInputTests(isOnOutputClock: false)
    let step = 2 * Double.pi * 100 / 48000
    let captureDuration = duration / (1 + partsPerMillion / 1e6)
    var heard: [Float] = []
    var given = 0
    for index in 0..<6000 {
      let now = start + Double(index + 1) * duration
      // The unit gives what it has captured by now.
      while start + Double(given + 1) * captureDuration <= now {
        let sine = (0..<period).map { Float(sin(step * Double(given * period + $0))) }
        live.unit.deliver([sine], hostTime: UInt64(start + Double(given) * captureDuration))
        given += 1
      }
      heard += live.render(at: now)
    }
    let first = try #require(heard.firstIndex { $0 != 0 })
    let rest = Array(heard[(first + 300)...])
    // A lost or doubled frame bends a sine by its steepness, 0.013; the sine itself bends by 0.00017 at most.
    var bend: Float = 0
    for index in 1..<rest.count - 1 { bend = max(bend, abs(rest[index + 1] - 2 * rest[index] + rest[index - 1])) }
    #expect(bend < 0.0003)
    let statistics = live.input.statistics
    #expect(abs(statistics.partsPerMillion + partsPerMillion) < 5)
    #expect(statistics.framesMissing == 0 && statistics.framesLost == 0 && statistics.locks == 1)
  }

  @Test("falls silent while nothing is captured, counts that, and finds the frame that is due afterwards")
  func interruption() throws {
    var last: [Float] = []
    for index in 0..<60 {
      if !(20..<40).contains(index) {
        let ramp = (0..<period).map { Float(index * period + $0 + 1) }
        unit.deliver([ramp], hostTime: UInt64(start + Double(index) * duration))
      } else if index == 39 {
        // A unit gives silence for what was lost.
        unit.deliver([[Float](repeating: 0, count: 20 * period)], hostTime: UInt64(start + 20 * duration))
      }
      last = render(at: start + Double(index + 1) * duration)
      if index == 30 { #expect(last.allSatisfy { $0 == 0 }) }
    }
    #expect(input.statistics.framesMissing > 15 * period)
    #expect(input.statistics.locks == 2)
    let heardBehind = Double(60 * 512) - Double(last[0] - 1)
    #expect(abs(heardBehind - input.statistics.delay) <= 1)
  }
}
