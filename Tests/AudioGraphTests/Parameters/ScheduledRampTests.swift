import AudioGraph
import TestSupport
import Testing

/// Gains in steps that can be added in the head: a mix of ones, whose amplitude a ramp takes to 0.
@Suite("The ramp of a scheduled change")
struct ScheduledRampTests {
  static let sliceSizes = [1, 63, 64, 65, 1000]

  let mixer = MixerNode(inputBusCount: 2)
  let engine: AudioEngine
  var gain: Parameter { mixer.inputs[0].gain }

  // one ─► mixer ─► output
  init() throws {
    engine = try AudioEngine.chain(ConstantSource(1).node, mixer, output: try OutputNode(channelCount: 2))
  }

  @Test("is 20 ms long unless it is told otherwise, and the first frame that differs is the one asked for")
  func standard() throws {
    try engine.schedule(gain, to: -120, at: 1000)
    let left = engine.render(3000)[0]
    #expect(left.firstIndex { $0 != 1 } == 1000)
    #expect(left.firstIndex(of: 0) == 1000 + 960 - 1)
  }

  @Test("begins and ends at its frames, whatever the slices' sizes", arguments: sliceSizes)
  func exact(sliceSize: Int) throws {
    try engine.schedule(gain, to: -120, at: 1000, over: 480)
    let left = engine.render(3000, sliceSize: sliceSize)[0]
    for (frame, sample) in left.enumerated() {
      let done = min(max(0, frame - 999), 480)
      #expect(abs(sample - (1 - Float(done) / 480)) < 1e-6, "frame \(frame)")
    }
    #expect(left[999] == 1 && left[1000] != 1 && left[1478] != 0 && left[1479] == 0)
  }

  @Test("of 0 or 1 frames is a jump", arguments: [-5, 0, 1])
  func jump(length: Int) throws {
    try engine.schedule(gain, to: -120, at: 1000, over: length)
    #expect(engine.render(2000)[0] == (0..<2000).map { $0 < 1000 ? 1 : 0 })
  }

  @Test("may be one of several in one quantum, which come in their order")
  func several() throws {
    // Off, on, and off again in two frames.
    try engine.schedule(gain, to: -120, at: 1010, over: 2)
    try engine.schedule(gain, to: 0, at: 1005, over: 0)
    try engine.schedule(gain, to: -120, at: 1000, over: 0)
    let left = engine.render(1100)[0]
    #expect(left[998..<1013] == [1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0.5, 0, 0])
    #expect(left[1013...].allSatisfy { $0 == 0 })
  }

  @Test("that begins amid another goes on from the value it finds", arguments: [1050, 1100])
  func takeover(time: Int64) throws {
    try engine.schedule(gain, to: -120, at: 1000, over: 400)
    try engine.schedule(gain, to: 0, at: time, over: 100)
    let left = engine.render(2000)[0]
    let lowest = 1 - Float(time - 1000) / 400
    #expect(abs(left[Int(time) - 1] - lowest) < 1e-6)
    #expect(abs(left[Int(time) + 49] - (lowest + 1) / 2) < 1e-6)
    #expect(left[(Int(time) + 99)...].allSatisfy { $0 == 1 })
    #expect(steps(left).allSatisfy { $0 < 0.01 })
  }

  @Test("is independent of the ramps of other parameters of the same input")
  func independence() throws {
    try engine.schedule(gain, to: -120, at: 1000, over: 1000)
    try engine.schedule(mixer.inputs[0].pan, to: 1, at: 1200, over: 200)
    let samples = engine.render(3000)
    #expect(abs(samples[0][1299] - 0.7 * 0.5) < 1e-6 && samples[0][1399] == 0)
    // The right side is twice as loud and keeps its gain.
    #expect(abs(samples[1][1399] - 2 * 0.6) < 1e-6 && samples[1][1998] != 0 && samples[1][1999] == 0)
  }

  @Test("ends where the parameter is set at once, which goes on from there without a step")
  func overruled() throws {
    try engine.schedule(gain, to: -120, at: 1000, over: 10000)
    var left = engine.render(3010)[0]
    #expect(gain.value == -120)
    gain.value = 0
    left += engine.render(2000)[0]
    // The quantum that begins at 3008 was rendered before.
    #expect(abs(left[3071] - (1 - 2072 / 10000)) < 1e-6)
    #expect(left[3072] > left[3071] && left[(3072 + 960)...].allSatisfy { $0 == 1 })
    #expect(steps(left).allSatisfy { $0 < 0.0011 })
  }

  @Test("begins without a step amid the ramp of a change that was set at once, and ends at its frame")
  func beside() throws {
    _ = engine.render(640)
    gain.value = -120
    try engine.schedule(gain, to: 0, at: 640 + 500, over: 96)
    let left = engine.render(2000)[0]
    #expect(abs(left[447] - (1 - 448 / 960)) < 1e-5)
    #expect(left[594] < 1 && left[595...].allSatisfy { $0 == 1 })
    #expect(steps(left).allSatisfy { $0 < 1.1 / 96 } && left.allSatisfy { (0...1).contains($0) })
  }

  @Test("leaves the ramps alone of other parameters of the same input that are set meanwhile")
  func besideOthers() throws {
    try engine.schedule(gain, to: -6, at: 0, over: 1030)
    var left = engine.render(960)[0]
    mixer.inputs[0].isMuted.value = 1
    left += engine.render(1100)[0]
    #expect(steps(left).allSatisfy { $0 < 0.002 })
    #expect(left[1800] > 0 && left[1919...].allSatisfy { abs($0) < 1e-6 })
  }

  @Test("goes on while its input is silent")
  func silence() throws {
    let mixer = MixerNode(inputBusCount: 1)
    let late = SourceNode(name: "late", format: .stereo(48000)) { request in
      guard request.sampleTime >= 1280 else { return request.buffers.silence() }
      for channel in 0..<2 { request.buffers[channel].update(repeating: 1, count: request.frameCount) }
    }
    let engine = try AudioEngine.chain(late, mixer, output: try OutputNode(channelCount: 2))
    try engine.schedule(mixer.inputs[0].gain, to: -120, at: 1000, over: 560)
    let left = engine.render(2000)[0]
    #expect(left[1279] == 0)
    #expect(abs(left[1280] - (1 - 281 / 560)) < 1e-6 && abs(left[1419] - 0.25) < 1e-6)
    #expect(left[1558] != 0 && left[1559] == 0)
  }

  @Test("that begins in the past begins at the next frame that is rendered")
  func past() throws {
    _ = engine.render(640)
    try engine.schedule(gain, to: -120, at: 3, over: 10)
    let left = engine.render(64)[0]
    for frame in 0..<10 { #expect(abs(left[frame] - (1 - Float(frame + 1) / 10)) < 1e-6) }
    #expect(left[10...].allSatisfy { $0 == 0 })
  }

  @Test("of a solo that gives way to another lets nothing else be heard")
  func solos() throws {
    let mixer = MixerNode(inputBusCount: 3)
    let engine = AudioEngine(sampleRate: 48000)
    // 1 ─┐
    // 10 ├─► mixer ─► output
    // 100┘
    try engine.edit { graph in
      let output = try OutputNode(channelCount: 2)
      for node in [mixer, output] as [any AudioNode] { try graph.attach(node) }
      try graph.connect(mixer, to: output)
      for (bus, value) in [1, 10, 100].enumerated() {
        let source = ConstantSource(Float(value)).node
        try graph.attach(source)
        try graph.connect(source, to: mixer, toBus: bus)
      }
    }
    let solos = mixer.inputs.map(\.isSoloed)
    try engine.schedule(solos[0], to: 1, at: 1000, over: 100)
    try engine.schedule(solos[0], to: 0, at: 2000, over: 100)
    try engine.schedule(solos[1], to: 1, at: 2000, over: 100)
    try engine.schedule(solos[1], to: 0, at: 3000, over: 0)
    let left = engine.render(4000)[0]
    #expect(left[999] == 111 && abs(left[1049] - 56) < 1e-3 && left[1099..<2000].allSatisfy { $0 == 1 })
    #expect(abs(left[2049] - 5.5) < 1e-4 && left[2099..<3000].allSatisfy { $0 == 10 })
    #expect(left[3000...].allSatisfy { $0 == 111 })
  }

  @Test("stands at the first frame not before its time in a node of another rate", arguments: [16000.0, 44100, 96000])
  func otherRate(rate: Double) throws {
    let mixer = MixerNode(inputBusCount: 1, sampleRate: rate)
    let engine = try AudioEngine.chain(
      ConstantSource(1, format: .stereo(rate)).node, mixer, output: try OutputNode(channelCount: 2))
    let tap = TapNode()
    try engine.edit { graph in try graph.tap(mixer, with: tap) }
    try engine.schedule(mixer.inputs[0].gain, to: -120, at: 10000, over: 4800)
    _ = engine.render(20000)
    var left: [Float] = []
    tap.read { left += $0[0] }
    func frame(_ time: Double) -> Int { Int((time * rate / 48000).rounded(.up)) }
    let (start, end) = (frame(10000), frame(14800))
    #expect(left.firstIndex { $0 != 1 } == start)
    #expect(left.firstIndex(of: 0) == end - 1)
    #expect(abs(left[(start + end) / 2 - 1] - 0.5) < 0.001)
    #expect(steps(left).allSatisfy { $0 < 2 / Float(end - start) })
  }

  @Test("is what reckoning frame by frame makes of many changes", arguments: [1, 2, 3] as [UInt64])
  func random(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let changes = (0..<200).map { _ in
      (
        time: Int.random(in: 0..<6000, using: &random), length: Int.random(in: 0...300, using: &random),
        pan: Float.random(in: 0...1, using: &random)
      )
    }
    for change in changes {
      try engine.schedule(mixer.inputs[0].pan, to: change.pan, at: Int64(change.time), over: change.length)
    }
    let left = engine.render(7000, sliceSize: 100)[0]
    var (pan, start, target): (Float, Float, Float) = (0, 0, 0)
    var (begin, length) = (0, 1)
    for frame in 0..<7000 {
      for change in changes where change.time == frame {
        (start, target, begin, length) = (pan, change.pan, frame, max(1, change.length))
      }
      pan = start + (target - start) * Float(min(frame - begin + 1, length)) / Float(length)
      #expect(abs(left[frame] - (1 - pan)) < 1e-5, "frame \(frame)")
    }
  }

  private func steps(_ samples: [Float]) -> [Float] { zip(samples, samples.dropFirst()).map { abs($1 - $0) } }
}
