import AudioGraph
import SynthDSP
import SynthInstruments
import SynthMIDI
import TestSupport
import Testing

@testable import SynthKit

@Suite("Buses of one's own", .timeLimit(.minutes(10)))
struct BusTests {
  /// Low notes of two seconds on channels 1 and 2.
  private func chord(seconds: Int = 2) throws -> Song {
    try song([0, 0x90, 36, 90, 0, 0x91, 40, 90], end(after: 960 * seconds))
  }

  private func synthesizer(
    channels: Int = 2, _ change: (inout SynthesizerConfiguration) -> Void = { _ in }
  ) throws -> Synthesizer {
    try InsertTests.synthesizer { configuration in
      configuration.channelCount = channels
      change(&configuration)
    }
  }

  private func peak(_ samples: some Sequence<Float>) -> Float { samples.map(abs).max() ?? 0 }

  /// How far apart they are at most.
  private func distance(_ one: some Sequence<Float>, _ other: some Sequence<Float>) -> Float {
    zip(one, other).map { abs($0 - $1) }.max() ?? 0
  }

  @Test("a channel over a bus sounds as without it, and the chain is its own again when the bus is gone")
  func passed() throws {
    let (plain, one) = (try synthesizer(), try synthesizer())
    let nodes = one.engine.graph.nodes.map(\.name)
    try one.makeBus("drums")
    try one.route(.channel(0), to: .bus("drums"))
    for each in [plain, one] { each.play(try chord()) }
    let expected = plain.samples(24_000)
    #expect(peak(expected[0]) > 0.05)
    // One addition in another order.
    #expect(distance(one.samples(24_000)[0], expected[0]) < 1e-6)
    try one.removeBus("drums")
    #expect(one.engine.graph.nodes.map(\.name) == nodes && one.destination(of: .channel(0)) == .main)
    _ = (one.samples(9600), plain.samples(9600))
    #expect(one.samples(4800) == plain.samples(4800))
  }

  @Test("a bus has a fader, which what leads to it follows and nothing else")
  func fader() throws {
    let one = try synthesizer()
    let bus = try one.makeBus("drums")
    try one.route(.channel(0), to: .bus("drums"))
    one.play(try song([0, 0x90, 60, 90], end(after: 1920)))
    let level = peak(one.samples(9600)[0].suffix(4800))
    bus.strip.gain.value = -20
    _ = one.samples(4800)
    #expect(abs(peak(one.samples(4800)[0]) / level - 0.1) < 0.001)
    bus.strip.isMuted.value = 1
    _ = one.samples(4800)
    #expect(peak(one.samples(4800)[0]) == 0)
    try one.route(.channel(0), to: .main)
    _ = one.samples(4800)
    #expect(abs(peak(one.samples(4800)[0]) / level - 1) < 0.001)
  }

  @Test("channels, the click and other buses lead to a bus; a late insert there delays the others by as much")
  func inserts() throws {
    let (plain, one) = (try synthesizer(), try synthesizer())
    try one.makeBus("all-drums")
    try one.makeBus("drums", to: .bus("all-drums"))
    try one.route(.channel(0), to: .bus("drums"))
    try one.insert("pitch shift", into: .bus("drums"))
    for each in [plain, one] {
      each.metronome.set(.on)
      each.play(try chord())
    }
    let latency = PitchShiftNode.latency(sampleRate: 48000)
    #expect(one.latency == latency)
    let (expected, samples) = (plain.samples(48_000), one.samples(48_000 + latency))
    #expect(distance(samples[0].dropFirst(latency), expected[0]) < 1e-6)
  }

  @Test("a share of a channel is added beside where it leads")
  func shares() throws {
    let one = try synthesizer()
    try one.makeBus("room")
    one.play(try song([0, 0x90, 60, 90], end(after: 1920)))
    let level = peak(one.samples(9600)[0].suffix(4800))
    try #require(one.share(ofChannel: 0, to: "room")).value = 0.5
    _ = one.samples(4800)
    #expect(abs(peak(one.samples(4800)[0]) / level - 1.5) < 0.001)
    #expect(one.share(ofChannel: 16, to: "room") == nil && one.share(ofChannel: 0, to: "hall") == nil)
  }

  @Test("leads to channels of the output alone, aligned with the mix, limited or not", arguments: [true, false])
  func outputs(isLimited: Bool) throws {
    let one = try synthesizer(channels: 4) { $0.isLimited = isLimited }
    let nodes = one.engine.graph.nodes.map(\.name)
    try one.makeBus("phones", to: .outputs([2, 3]))
    try one.route(.channel(1), to: .bus("phones"))
    one.play(try song([0, 0x90, 60, 90, 0, 0x91, 60, 90], end(after: 1920)))
    let both = one.samples(24_000)
    #expect(peak(both[0]) > 0.02)
    #expect(both[0] == both[2] && both[1] == both[3])
    // The mean of both sides on one channel.
    try one.makeBus("phones", to: .outputs([3]))
    _ = one.samples(9600)
    let single = one.samples(4800)
    #expect(peak(single[2]) == 0 && distance(single[3], single[0]) < 1e-6)
    try one.removeBus("phones")
    _ = one.samples(9600)
    let mix = one.samples(4800)
    #expect(peak(mix[3]) == 0 && abs(peak(mix[0]) / peak(single[0]) - 2) < 0.01)
    #expect(one.engine.graph.nodes.map(\.name) == nodes)
  }

  @Test("the click on channels of its own is heard nowhere else, on its frame, also where channels are late")
  func click() throws {
    let (plain, one) = (try synthesizer(channels: 4), try synthesizer(channels: 4))
    try one.makeBus("phones", to: .outputs([2, 3]))
    try one.route(.click, to: .bus("phones"))
    try one.insert("distortion", into: .channel(5))
    for each in [plain, one] {
      each.metronome.set(.on)
      each.play(try song([], end(after: 1920)))
    }
    let expected = plain.samples(48_000)
    let clicks = one.samples(48_000 + one.latency)
    #expect(peak(expected[0]) > 0.1 && peak(clicks[0]) == 0 && peak(clicks[1]) == 0)
    #expect(clicks[2].dropFirst(one.latency).elementsEqual(expected[0]))
    try one.route(.click, to: .main)
    #expect(peak(one.samples(48_000)[0]) > 0.1)
  }

  @Test("500 random changes of ways while a song plays make no step above the signal's own, and leave nothing behind")
  func randomEdits() throws {
    let one = try synthesizer(channels: 2)
    let nodes = one.engine.graph.nodes.map(\.name)
    one.play(try chord(seconds: 60))
    _ = one.samples(9600)
    let level = peak(one.samples(9600)[0])
    var random = SplitMix64(seed: 11)
    let names = ["a", "b", "c"]
    func any<Element>(_ list: [Element]) -> Element { list[Int.random(in: 0..<list.count, using: &random)] }
    var heard: [Float] = []
    for _ in 0..<500 {
      let present = one.buses.map(\.name)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: try one.makeBus(any(names))
      case 1 where !present.isEmpty: try one.removeBus(any(present))
      case 2 where present.count > 1: _ = try? one.makeBus(any(present), to: .bus(any(present)))
      default: try one.route(.channel(any([0, 1])), to: present.isEmpty ? .main : .bus(any(present)))
      }
      heard += one.samples(Int.random(in: 64...700, using: &random))[0]
    }
    let most = level * (2 * .pi * 82.5 / 48000 + 2 / 480)
    let highest = distance(heard, heard.dropFirst())
    #expect(heard.count > 150_000 && highest < most, "\(highest) of at most \(most)")
    for bus in one.buses { try one.removeBus(bus.name) }
    _ = one.samples(48000)
    try one.engine.collect()
    #expect(one.engine.graph.nodes.map(\.name) == nodes && one.latency == 0)
  }

  @Test("channels of a second port lead where a scene says once they come")
  func later() throws {
    var scene = Scene()
    scene.buses = [Scene.Bus("far")]
    scene.destinations = [.channel(16): .bus("far")]
    let one = try synthesizer { $0.scene = scene }
    let port: [UInt8] = [0, 0xFF, 0x21, 1, 1]
    let rest = end(after: 960)
    let file = smf(format: 1, tracks: [[0, 0x90, 50, 90] + rest, port + [0, 0x90, 60, 90] + rest])
    let song = Song(try MIDIFile(bytes: file))
    try one.load(song)
    one.play(song)
    let meter = try #require(one.bus("far")).strip.meter
    _ = one.samples(9600)
    #expect(meter.takePeak(0) > 0.01)
    #expect(one.scene == scene)
  }

  @Test("what cannot be is refused with a line that says what to do, and changes nothing")
  func refusals() throws {
    let one = try synthesizer()
    try one.makeBus("a")
    try one.makeBus("b", to: .bus("a"))
    let before = one.scene
    func error(_ work: () throws -> Void) -> String {
      do {
        try work()
        return ""
      } catch {
        return "\(error)"
      }
    }
    let loop = "bus a: it would lead back into itself; let it lead to main"
    #expect(error { try one.makeBus("a", to: .bus("b")) } == loop)
    #expect(error { try one.makeBus("a", to: .bus("a")) }.contains("lead back"))
    #expect(error { try one.makeBus("c", to: .bus("x")) } == "bus x: there is none; there are a, b")
    let narrow = "c to outputs 3-4: the output has 2 channels"
    #expect(error { try one.makeBus("c", to: .outputs([2, 3])) }.hasPrefix(narrow))
    #expect(error { try one.route(.channel(0), to: .outputs([0, 1])) }.contains("make one, as in bus phones 1-2"))
    #expect(error { try one.route(.microphone, to: .bus("a")) } == "microphone: there is none; start with --in DEVICE")
    #expect(error { try one.removeBus("x") } == "bus x: there is none; there are a, b")
    #expect(error { try one.insert("echo", into: .bus("x")) } == "x: there is no such bus; bus x main makes it")
    #expect(error { try one.insert("echo", into: .click) }.contains("takes no inserts"))
    for name in ["1st", "a b", "ü", String(repeating: "x", count: 33)] {
      #expect(error { try one.makeBus(name) }.contains("a bus cannot be called so"), "\(name)")
    }
    for name in ["main", "click", "3", "b3", "reverb"] {
      #expect(error { try one.makeBus(name) }.contains("the word has a meaning already"), "\(name)")
    }
    #expect(one.scene == before)
    for number in 3...BusRack.limit { try one.makeBus("n\(number)") }
    #expect(error { try one.makeBus("more") }.contains("there are 16 buses"))
  }
}
