import AudioGraph
import Synchronization
import SynthDSP
import SynthMIDI
import SynthRealtime
import Testing

@testable import SynthALSA
@testable import SynthKit

@Suite("An input in a session", .timeLimit(.minutes(5)))
struct SessionInputTests {
  @Test("is heard with what is played, at its gain")
  func mixed() throws {
    let output = HandOutput(sampleRate: 48000, period: 256)
    let unit = VirtualInput(channelCount: 1, isOnOutputClock: true)
    let synthesizer = try Synthesizer(SynthesizerConfiguration(soundFonts: [], instruments: []))
    let strip = try synthesizer.add(InputNode(unit), gain: Decibels(-6))
    let session = Session(synthesizer, output: output, sources: [VirtualSource("keys")])
    try session.start()
    func level() -> Float {
      for _ in 0..<100 {
        output.turn()
        let time = output.hostTime(ofFrame: output.left.count - 256)
        unit.deliver([[Float](repeating: 0.25, count: 256)], hostTime: time)
      }
      return output.left.last ?? 0
    }
    let soft = level()
    #expect(soft > 0.05)
    strip.gain.value = 0
    #expect(abs(level() / soft - 1.9953) < 0.001)
    strip.isMuted.value = 1
    #expect(level() == 0)
    try session.stop()
    #expect(!unit.isRunning)
  }

  /// An input whose device a test takes away.
  private final class RoutedUnit: RoutedInput {
    let unit = VirtualInput(channelCount: 1, isOnOutputClock: true)
    let news = Broadcast<RouteChange>()
    private let isThere = Atomic(true)

    var name: String { "mic" }
    var sampleRate: Double { unit.sampleRate }
    var channelCount: Int { unit.channelCount }
    var period: Int { unit.period }
    var isRunning: Bool { unit.isRunning }
    var hasDevice: Bool { isThere.load(ordering: .relaxed) }
    func sharesClock(with output: any OutputUnit) -> Bool { unit.sharesClock(with: output) }
    func start(_ callback: @escaping RenderFunction, context: UnsafeMutableRawPointer) throws {
      try unit.start(callback, context: context)
    }
    func stop() { unit.stop() }
    func observeRoutes(_ tell: @escaping @Sendable (RouteChange) -> Void) -> Broadcast<RouteChange>.Listener {
      news.listen(tell)
    }

    func move(isThere: Bool) {
      let parameters = PCMParameters(
        device: name, format: .float32, sampleRate: 48000, askedSampleRate: nil, channelCount: 1, period: 256,
        buffer: 768, channelNames: [])
      let route = Route(parameters: parameters, hardware: "card")
      self.isThere.store(isThere, ordering: .relaxed)
      news.send(
        isThere
          ? RouteChange(.deviceAvailable, from: nil, to: route, deviceCount: 1)
          : RouteChange(.deviceGone, from: route, to: nil, deviceCount: 0))
    }
  }

  @Test(
    "whose device comes back is muted until it is unmuted, unless it is to be kept",
    arguments: InputUnplugPolicy.allCases)
  func unplugged(_ policy: InputUnplugPolicy) throws {
    let unit = RoutedUnit()
    let synthesizer = try Synthesizer(SynthesizerConfiguration(soundFonts: [], instruments: []))
    let strip = try synthesizer.add(InputNode(unit), gain: Decibels(-6), onUnplug: policy)
    let microphone = try #require(synthesizer.microphone)
    #expect(microphone.name == "mic" && microphone.condition == "on, at −6.0 dB" && microphone.departureCount == 0)
    unit.move(isThere: false)
    #expect(microphone.condition == (policy == .mute ? "away, muted" : "away") && microphone.departureCount == 1)
    unit.move(isThere: true)
    #expect(microphone.condition == (policy == .mute ? "muted" : "on, at −6.0 dB"))
    #expect(strip.isMuted.value == (policy == .mute ? 1 : 0))
    strip.isMuted.value = 0
    #expect(microphone.condition == "on, at −6.0 dB")
  }

  @Test("that is added without a word about it is muted when its device goes")
  func standard() throws {
    let unit = RoutedUnit()
    let synthesizer = try Synthesizer(SynthesizerConfiguration(soundFonts: [], instruments: []))
    let strip = try synthesizer.add(InputNode(unit))
    unit.move(isThere: false)
    #expect(strip.isMuted.value == 1)
  }
}
