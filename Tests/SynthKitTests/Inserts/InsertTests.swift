import AudioGraph
import Foundation
import SynthDSP
import SynthInstruments
import SynthMIDI
import TestSupport
import Testing

@testable import SynthKit

@Suite("Inserts of a synthesizer", .timeLimit(.minutes(10)))
struct InsertTests {
  /// Sines on all channels, without reverb and chorus.
  static func synthesizer(_ change: (inout SynthesizerConfiguration) -> Void = { _ in }) throws -> Synthesizer {
    let patch = Patch(
      name: "sine", title: "Sine", description: "One oscillator", oscillators: [.init(.sine)],
      amplitude: .init(release: 0.01))
    var configuration = SynthesizerConfiguration(
      soundFonts: [], instruments: [InstrumentAssignment(.patch(patch))], isLimited: false, reverb: nil, chorus: nil)
    (configuration.delay, configuration.equalizerPresets) = (nil, [])
    change(&configuration)
    return try Synthesizer(configuration)
  }

  /// Chords of two seconds on two channels.
  private func chord() throws -> Song {
    try song([0, 0x90, 48, 90, 0, 0x91, 55, 90], [0, 0x90, 64, 80], end(after: 1920))
  }

  private func peak(_ samples: some Sequence<Float>) -> Float { samples.map(abs).max() ?? 0 }

  @Test("stand in their strips in their order, and where there are none there is no node")
  func order() throws {
    let one = try Self.synthesizer()
    let plain = one.engine.graph.nodes.map(\.name)
    let compressor = try one.insert("compressor", into: .channel(2))
    try one.insert("pitch shift", into: .channel(2), at: 0)
    let second = try one.insert("compressor", into: .channel(2))
    try one.insert("limiter", into: .main)
    #expect(compressor.name == "channel 3 compressor" && second.name == "channel 3 compressor 2")
    #expect(
      one.inserts(of: .channel(2)).map(\.name)
        == ["channel 3 pitch shift", "channel 3 compressor", "channel 3 compressor 2"])
    try one.moveInsert(2, of: .channel(2), to: 0)
    #expect(one.inserts(of: .channel(2)).first === second)
    // From the mixer back to the instruments.
    var path: [String] = []
    var end = BusEnd(node: one.mixer, scope: .input, bus: 2)
    while let source = one.engine.graph.source(of: end) {
      path.append(source.node.name)
      let isMix = source.node is DryWetNode
      end = BusEnd(node: source.node, scope: .input, bus: isMix ? 1 : 0)
    }
    #expect(
      path == [
        "channel 3 compressor mix", "channel 3 compressor", "channel 3 pitch shift mix", "channel 3 pitch shift",
        "channel 3 compressor 2 mix", "channel 3 compressor 2", "instruments",
      ])
    try one.removeInsert(nil, from: .channel(2))
    try one.removeInsert(0, from: .main)
    #expect(one.engine.graph.nodes.map(\.name) == plain)
    #expect(one.scene == Scene())
  }

  @Test("what is inserted and passes everything changes no bit, nor does what is bypassed or taken out again")
  func bits() throws {
    let (plain, one) = (try Self.synthesizer(), try Self.synthesizer())
    // Above the threshold nothing sounds; bypassed, a distortion with its latency is the dry sound.
    let insert = try one.insert("compressor", into: .channel(0))
    try insert.effect.parameter(named: "threshold", of: .global).value = 0
    let distortion = try one.insert("distortion", into: .main)
    distortion.bypass.value = 1
    for each in [plain, one] { each.play(try chord()) }
    let latency = DistortionNode.latency
    #expect(one.latency == latency && plain.latency == 0)
    let (expected, samples) = (plain.samples(48000), one.samples(48000 + latency))
    #expect(peak(expected[0]) > 0.05)
    #expect(samples[0].dropFirst(latency).elementsEqual(expected[0]))
    distortion.bypass.value = 0
    #expect(!one.samples(4800)[0].elementsEqual(plain.samples(4800)[0]))
    try one.removeInsert(0, from: .main)
    _ = (one.samples(9600 - latency), plain.samples(9600))
    #expect(one.samples(4800)[0].elementsEqual(plain.samples(4800)[0]))
  }

  @Test("strips stay aligned to the sample where one of them has an effect with a latency", arguments: [true, false])
  func alignment(isPlaying: Bool) throws {
    let (plain, one) = (try Self.synthesizer(), try Self.synthesizer())
    // At pitch 0 it passes bit for bit, a tenth of a second late.
    if !isPlaying { try one.insert("pitch shift", into: .channel(0)) }
    for each in [plain, one] { each.play(try chord()) }
    if isPlaying {
      _ = (one.samples(4800), plain.samples(4800))
      try one.insert("pitch shift", into: .channel(0))
    }
    let latency = PitchShiftNode.latency(sampleRate: 48000)
    #expect(one.latency == latency)
    // Until it has arrived and faded in.
    let start = isPlaying ? 2 * latency + 1024 : 0
    let (expected, samples) = (plain.samples(48000), one.samples(48000 + latency))
    #expect(samples[0][(start + latency)...].elementsEqual(expected[0][start...]))
    #expect(peak(expected[0][start...]) > 0.05)
  }

  @Test("a compressor turns its channel down while the one it listens to sounds, whatever is rearranged meanwhile")
  func sideChain() throws {
    let one = try Self.synthesizer()
    let compressor = try one.insert("compressor", into: .channel(0))
    try compressor.effect.parameter(named: "threshold", of: .global).value = -60
    try compressor.effect.parameter(named: "ratio", of: .global).value = 100
    try one.setSideChain(.channel(1), ofInsert: 0, of: .channel(0))
    one.mixer.inputs[1].isMuted.value = 1
    // The second channel sounds from second 1 on.
    one.play(try song([0, 0x90, 48, 90], [0x87, 0x40, 0x91, 55, 90], end(after: 9600)))
    let loud = peak(one.samples(48000)[0].suffix(24_000))
    #expect(loud > 0.02)
    func isTurnedDown() -> Bool {
      _ = one.samples(24_000)
      return peak(one.samples(4800)[0]) < 0.1 * loud
    }
    #expect(isTurnedDown())
    try one.insert("chorus", into: .channel(1))
    #expect(isTurnedDown())
    try one.removeInsert(0, from: .channel(1))
    try one.insert("chorus", into: .channel(0), at: 0)
    #expect(isTurnedDown())
    try one.setSideChain(nil, ofInsert: 1, of: .channel(0))
    compressor.bypass.value = 1
    #expect(!isTurnedDown())
    compressor.bypass.value = 0
    try one.setSideChain(.channel(1), ofInsert: 1, of: .channel(0))
    let scene = one.scene
    #expect(scene.inserts[.channel(0)]?[1].sideChain == .channel(1))
    try one.apply(Scene())
    #expect(!isTurnedDown())
    try one.apply(scene)
    #expect(one.scene == scene && isTurnedDown())
  }

  @Test("a bus that an effect listens to may go, and then the effect goes by its own sound")
  func sideChainOfBus() throws {
    let one = try Self.synthesizer()
    try one.makeBus("drums")
    try one.makeBus("pads")
    let gate = try one.insert("gate", into: .bus("pads"))
    try one.setSideChain(.bus("drums"), ofInsert: 0, of: .bus("pads"))
    #expect(gate.sideChain == .bus("drums"))
    #expect(one.engine.graph.source(of: BusEnd(node: gate.effect, scope: .input, bus: 1)) != nil)
    #expect(throws: InsertError.sideChainLeadsBack(.channel(0), from: .bus("drums"))) {
      try one.insert("gate", into: .channel(0))
      try one.setSideChain(.bus("drums"), ofInsert: 0, of: .channel(0))
    }
    try one.removeBus("drums")
    #expect(gate.sideChain == nil)
    #expect(one.engine.graph.source(of: BusEnd(node: gate.effect, scope: .input, bus: 1)) == nil)
  }

  @Test("the metronome clicks with the channels where these are late, and the sends with the mix")
  func metronome() throws {
    func clicks(_ effect: String?) throws -> [Float] {
      let one = try Self.synthesizer()
      if let effect { try one.insert(effect, into: .channel(3)) }
      one.metronome.set(.on)
      one.mixer.inputs[0].isMuted.value = 1
      one.mixer.inputs[1].isMuted.value = 1
      one.play(try chord())
      return Array(one.samples(72000 + one.latency)[0].dropFirst(one.latency))
    }
    let plain = try clicks(nil)
    #expect(peak(plain) > 0.1)
    #expect(try clicks("distortion") == plain && clicks("pitch shift") == plain)
  }

  @Test("500 random edits while a song plays make no step above the signal's own, and leave nothing behind")
  func randomEdits() throws {
    let one = try Self.synthesizer()
    let nodes = one.engine.graph.nodes.map(\.name)
    one.play(try song([0, 0x90, 36, 60, 0, 0x91, 40, 60], end(after: 960 * 60)))
    _ = one.samples(9600)
    let level = peak(one.samples(9600)[0])
    var random = SplitMix64(seed: 7)
    // Effects that change little of a low sine: what is heard moves on as smoothly as before.
    let kinds = ["compressor", "limiter", "pitch shift", "parametric equalizer", "equalizer", "echo", "chorus"]
    let strips: [Strip] = [.channel(0), .channel(1), .main]
    var heard: [Float] = []
    for _ in 0..<500 {
      try edit(one, strips[Int.random(in: 0..<3, using: &random)], kinds, &random)
      heard += one.samples(Int.random(in: 64...700, using: &random))[0]
    }
    // A sine of 82 Hz goes up by 1.1 % of its peak in a frame; a fade of 10 ms between two phases of it adds a 480th of
    // their difference, which is twice the peak at most.
    let most = level * (2 * .pi * 82.5 / 48000 + 2 / 480)
    let highest = zip(heard, heard.dropFirst()).map { abs($1 - $0) }.max() ?? 1
    #expect(heard.count > 150_000 && highest < most, "\(highest) of at most \(most)")
    for strip in strips where !one.inserts(of: strip).isEmpty { try one.removeInsert(nil, from: strip) }
    _ = one.samples(48000)
    try one.engine.collect()
    #expect(one.engine.graph.nodes.map(\.name) == nodes && one.latency == 0)
  }

  /// Puts an insert in, takes one out, moves one, or sets its mix and bypass.
  private func edit(_ one: Synthesizer, _ strip: Strip, _ kinds: [String], _ random: inout SplitMix64) throws {
    let count = one.inserts(of: strip).count
    func any() -> Int { Int.random(in: 0..<count, using: &random) }
    switch Int.random(in: 0..<4, using: &random) {
    case 0 where count > 0: try one.removeInsert(any(), from: strip)
    case 1 where count > 1: try one.moveInsert(any(), of: strip, to: any())
    case 2 where count > 0:
      let insert = one.inserts(of: strip)[any()]
      insert.bypass.value = insert.bypass.value == 0 ? 1 : 0
      insert.mix.value = Float.random(in: 0...100, using: &random)
    default:
      let kind = kinds[Int.random(in: 0..<kinds.count, using: &random)]
      if count < 3 { try one.insert(kind, into: strip) }
    }
  }

  @Test("a node that was taken out is freed once it has faded out")
  func memory() throws {
    let one = try Self.synthesizer()
    one.play(try chord())
    _ = one.samples(4800)
    weak var effect: (any AudioNode)?
    do { effect = try one.insert("reverb", into: .channel(0)).effect }
    _ = one.samples(4800)
    #expect(effect != nil)
    try one.removeInsert(0, from: .channel(0))
    _ = one.samples(9600)
    try one.engine.collect()
    #expect(effect == nil)
  }

  @Test("every kind can be inserted into a channel, the microphone and main, is heard, and has settings")
  func kinds() throws {
    let registry = try ComponentRegistry.standard()
    for kind in InsertKind.all {
      #expect(try registry.component(named: kind.name).description.type == "aufx" || kind.name == "spatial mixer")
      let one = try Self.synthesizer()
      try one.add(InputNode(format: .mono(44100)))
      for strip in [.channel(0), .microphone, .main] as [Strip] {
        let insert = try one.insert(kind.name, into: strip)
        #expect(insert.name == "\(strip) \(kind.name)" && insert.mix.value == kind.mix)
      }
      one.play(try chord())
      let samples = one.samples(48000)
      #expect(peak(samples[0]) > 0.01 && samples.joined().allSatisfy(\.isFinite), "\(kind.name)")
      let settings = try kind.settings()
      #expect(!settings.isEmpty || kind.name == "limiter", "\(kind.name)")
    }
  }

  @Test("what cannot be is refused with a line that says what to do, and changes nothing")
  func refusals() throws {
    let one = try Self.synthesizer()
    let graph = one.engine.graph.nodes.count
    #expect(throws: InsertError.unknownKind("compresor", nearest: "compressor")) {
      try one.insert("compresor", into: .main)
    }
    #expect(throws: InsertError.noStrip(.microphone)) { try one.insert("echo", into: .microphone) }
    #expect(throws: InsertError.noStrip(.channel(16))) { try one.insert("echo", into: .channel(16)) }
    #expect(throws: InsertError.noInsert(.main, 1, count: 0)) { try one.removeInsert(0, from: .main) }
    #expect(throws: InsertError.takesNoFile("echo")) { try one.insert("echo", into: .main, file: "a.wav") }
    #expect(throws: (any Error).self) { try one.insert("convolver", into: .main, file: "/gone/a.wav") }
    #expect(one.engine.graph.nodes.count == graph)
    for _ in 0..<Synthesizer.insertLimit { try one.insert("compressor", into: .main) }
    #expect(throws: InsertError.full(.main)) { try one.insert("compressor", into: .main) }
    #expect(throws: InsertError.noInsert(.main, 9, count: 8)) { try one.moveInsert(0, of: .main, to: 8) }
    #expect(Set(one.inserts(of: .main).map(\.name)).count == Synthesizer.insertLimit)
  }

  @Test("strips that come later get what a scene has for them: the microphone, the channels of a second port")
  func later() throws {
    var scene = Scene()
    scene.inserts = [.microphone: [.init("compressor")], .channel(17): [.init("echo")], .main: [.init("limiter")]]
    let one = try Self.synthesizer { $0.scene = scene }
    #expect(one.inserts(of: .microphone).isEmpty && one.inserts(of: .main).count == 1)
    #expect(one.scene == scene)
    try one.add(InputNode(format: .mono(48000)))
    #expect(one.inserts(of: .microphone).map(\.name) == ["microphone compressor"])
    let ports = smf(
      format: 1,
      tracks: (0...1).map { [0, 0xFF, 0x21, 1, UInt8($0)] + strike(60, ticks: 480) + end(after: 0) })
    try one.load(Song(try MIDIFile(bytes: ports)))
    #expect(one.inserts(of: .channel(17)).map(\.name) == ["channel B2 echo"])
    #expect(one.scene == scene)
    try one.apply(Scene())
    #expect(one.scene == Scene())
  }
}
