import Foundation
import SynthRealtime
import Testing

@testable import AudioGraph

@Suite("Inputs as one")
struct AggregateInputTests {
  @Test(
    "what was captured at one moment is given at one moment, though clocks and rates differ", .timeLimit(.minutes(5)))
  func alignment() throws {
    // The second one's clock is 100 ppm fast, at another rate and with other periods.
    let first = VirtualInput(name: "A", channelCount: 2, period: 256)
    let second = VirtualInput(name: "B", sampleRate: 44100, channelCount: 1, period: 441)
    let input = try AggregateInput([first, second])
    #expect(input.name == "A + B" && input.channelCount == 3 && input.sampleRate == 48000)
    let node = try InputNode(input)
    let engine = try AudioEngine.chain(
      node, output: OutputNode(channelCount: 3, sourceCount: 3, channelMap: ChannelMap([0, 1, 2])))
    try node.start()
    #expect(first.isRunning && second.isRunning)
    // Both hear one sine of 100 Hz.
    func sine(at time: Double) -> Float { Float(sin(2 * .pi * 100 * time)) }
    let rates = (first: 48000.0, second: 44100 * 1.0001)
    var given = (first: 0, second: 0)
    var samples: [[Float]] = [[], [], []]
    for slice in 0..<5625 {
      let start = given.first
      let ramp = (0..<256).map { sine(at: Double(start + $0) / rates.first) }
      given.first += 256
      let now = Double(given.first) / rates.first
      while Double(given.second + 441) / rates.second <= now {
        let other = (0..<441).map { sine(at: Double(given.second + $0) / rates.second) }
        second.deliver([other], hostTime: UInt64(1e9 + Double(given.second) / rates.second * 1e9))
        given.second += 441
      }
      first.deliver([ramp, ramp.map { -$0 }], hostTime: UInt64(1e9 + Double(start) / rates.first * 1e9))
      // Rendering by hand looks a quantum ahead.
      guard slice > 0 else { continue }
      let rendered = try engine.render(frameCount: 256)
      for channel in 0..<3 { samples[channel] += rendered[channel] }
    }
    try node.stop()
    #expect(!first.isRunning && !second.isRunning)
    // After ten seconds the drift is known: the sines differ by less than a frame.
    var error: Float = 0
    for frame in 480_000..<960_000 {
      #expect(samples[1][frame] == -samples[0][frame])
      error = max(error, abs(samples[2][frame] - samples[0][frame]))
    }
    #expect(error < 0.0131)
    let statistics = input.statistics
    #expect(abs(statistics[1].partsPerMillion + 100) < 10)
    #expect(statistics.allSatisfy { $0.framesMissing == 0 && $0.framesLost == 0 && $0.locks == 1 })
  }

  @Test("none are refused, and one that runs already")
  func errors() throws {
    #expect(throws: InputError.noUnits) { try AggregateInput([]) }
    let (first, second) = (VirtualInput(name: "A"), VirtualInput(name: "B"))
    let node = try InputNode(second)
    try node.start()
    let input = try AggregateInput([first, second])
    #expect(throws: InputError.running(unit: "B")) { try InputNode(input).start() }
    #expect(!first.isRunning && second.isRunning)
  }

  @Test("a program's own unit may tell any rate and any period", arguments: [Double.nan, 0, -1, .infinity, 1e300])
  func nonsense(_ rate: Double) throws {
    for units in [[StrangeInput(sampleRate: rate), VirtualInput()], [VirtualInput(), StrangeInput(sampleRate: rate)]]
      as [[any InputUnit]]
    {
      guard let input = try? AggregateInput(units) else { continue }
      #expect(input.sampleRate.isFinite)
      let node = try InputNode(input)
      try node.start()
      try node.stop()
    }
  }
}

/// A unit that captures nothing and tells nonsense.
private final class StrangeInput: InputUnit {
  let name = "strange"
  let sampleRate: Double
  let channelCount = 1
  let isRunning = false
  var period: Int { sampleRate > 0 ? .max : .min }

  init(sampleRate: Double) { self.sampleRate = sampleRate }

  func start(_ callback: @escaping RenderFunction, context: UnsafeMutableRawPointer) {}
  func stop() {}
}
