import SynthDSP
import SynthInstruments
import SynthMIDI
import TestSupport
import Testing

@testable import SynthKit

@Suite("Ports", .timeLimit(.minutes(10)))
struct PortTests {
  private static let gsReset: [UInt8] = [0, 0xF0, 10, 0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41, 0xF7]
  private static let quarterVolume: [UInt8] = [0, 0xF0, 7, 0x7F, 0x7F, 4, 1, 0, 0x20, 0xF7]
  private static let port2: [UInt8] = [0, 0xFF, 0x21, 1, 1]
  /// A controller without meaning, so many ticks later.
  private static func wait(_ ticks: Int) -> [UInt8] { vlq(ticks) + [0xB0, 3, 0] }
  /// Two organ keys, bent and let go late.
  private static let first: [UInt8] =
    [0, 0xC0, 19, 0, 0xB0, 7, 110, 0, 0x90, 60, 90, 0, 0x91, 67, 80, 100, 0xE0, 0, 0x50] + vlq(700)
    + [0x80, 60, 0, 0, 0x81, 67, 0]
  /// Strings on the same channel, drums, and all that could reach the other port: resets, master volume, a tuning, MPE,
  /// part modes and All Sound Off.
  private static let second: [UInt8] =
    [0, 0xC0, 48, 0, 0x90, 60, 100, 0, 0x99, 38, 100, 0, 0xB0, 101, 0, 0, 0xB0, 100, 0, 0, 0xB0, 6, 12]
    + [40, 0xE0, 0, 0x70] + quarterVolume + wait(200) + gsReset + [0, 0xC0, 3, 0, 0x90, 64, 100]
    + [0, 0xB0, 101, 0, 0, 0xB0, 100, 6, 0, 0xB0, 6, 5] + vlq(200) + [0xB0, 120, 0, 0, 0x99, 42, 100]

  private static func song(_ tracks: [UInt8]...) throws -> Song {
    Song(try MIDIFile(bytes: smf(tracks: tracks.map { $0 + end() })))
  }

  private static func two() throws -> Song { try song(first, port2 + second) }

  private func synthesizer(_ engine: SamplerEngine = .native, isWet: Bool = false) throws -> Synthesizer {
    var configuration = SynthesizerConfiguration(
      soundFonts: [try TestFiles.soundFont], preload: .used([]), isLimited: false, reverb: isWet ? .largeHall : nil,
      chorus: isWet ? .chorus3 : nil)
    configuration.instruments.sampler.engine = engine
    return try Synthesizer(configuration)
  }

  /// A second of a song, as the synthesizer renders it now.
  private func play(_ song: Song, _ synthesizer: Synthesizer, frames: Int = 48_000) throws -> [[Float]] {
    try synthesizer.load(song)
    synthesizer.play(song)
    return synthesizer.samples(frames)
  }

  private func difference(_ one: [[Float]], _ other: [[Float]]) -> Float {
    zip(one, other).reduce(0) { zip($1.0, $1.1).reduce($0) { max($0, abs($1.0 - $1.1)) } }
  }

  @Test("a song for two ports is the sum of its halves, whatever one port is told", arguments: SamplerEngine.allCases)
  func sum(_ engine: SamplerEngine) throws {
    let both = try play(try Self.two(), try synthesizer(engine))
    let one = try play(try Self.song(Self.first), try synthesizer(engine))
    let other = try play(try Self.song(Self.second), try synthesizer(engine))
    let sum = zip(one, other).map { zip($0, $1).map { $0 + $1 } }
    #expect(difference(both, sum) < 1e-6)
    #expect(difference(both, one) > 0.01 && difference(both, other) > 0.01)
  }

  @Test("a port that comes while a note sounds leaves the sound as it is", arguments: SamplerEngine.allCases)
  func growth(_ engine: SamplerEngine) throws {
    func play(grows: Bool) throws -> [[Float]] {
      let synthesizer = try synthesizer(engine, isWet: true)
      _ = synthesizer.instruments.events.send(MIDIEvent(time: 0, message: .noteOn(channel: 0, note: 60, velocity7: 90)))
      let before = synthesizer.samples(9600)
      if grows { try synthesizer.load(try Self.two()) }
      #expect(synthesizer.channelStrips.count == (grows ? 32 : 16))
      return zip(before, synthesizer.samples(9600)).map { $0 + $1 }
    }
    let grown = try play(grows: true)
    #expect(difference(grown, try play(grows: false)) < 1e-6)
    #expect(grown[0].contains { abs($0) > 0.01 })
  }

  @Test("a message for a port that there is not plays on the first")
  func missingPort() throws {
    let synthesizer = try synthesizer()
    let note = MIDIMessage.noteOn(channel: 0, note: 60, velocity7: 90).onGroup(2)
    _ = synthesizer.instruments.events.send(MIDIEvent(time: 0, message: note))
    #expect(synthesizer.samples(9600)[0].contains { abs($0) > 0.01 })
  }

  @Test("sends belong to the channels of their port, also when that is reset")
  func sends() throws {
    let synthesizer = try synthesizer(isWet: true)
    let sends: [UInt8] = [0, 0xB0, 91, 127]
    let song = try Self.song(sends + note(60), Self.port2 + sends + note(60) + [0, 0xB1, 91, 0] + Self.gsReset)
    _ = try play(song, synthesizer, frames: 6400)
    #expect(synthesizer.effects.reverbSends.count == 32)
    #expect(synthesizer.effects.reverbSends[0].value == 1)
    #expect([16, 17].allSatisfy { synthesizer.effects.reverbSends[$0].value == 40.0 / 127 })
  }

  @Test("a seek and a loop tell each port what it was told", arguments: SamplerEngine.allCases)
  func seek(_ engine: SamplerEngine) throws {
    func heard(_ tracks: [UInt8]...) throws -> [[Float]] {
      let synthesizer = try synthesizer(engine)
      let song = Song(try MIDIFile(bytes: smf(tracks: tracks.map { $0 + end() })))
      try synthesizer.load(song)
      let timeline = Timeline(song, sampleRate: 48000)
      let loop = TimelineLoop(start: 12_800, end: 25_600, passCount: 2)
      synthesizer.play(timeline, from: 12_800, loop: loop)
      return synthesizer.samples(38_400)
    }
    let late = Self.wait(270) + Self.gsReset + [0, 0x90, 64, 100] + vlq(200) + [0x80, 64, 0]
    let one = [0, 0xC0, 19, 0, 0xE0, 0, 0x60] + vlq(300) + [0x90, 60, 90] + vlq(150) + [0x80, 60, 0]
    let both = try heard(one, Self.port2 + [0, 0xC0, 48, 0, 0xB0, 7, 60] + late)
    let halves = [try heard(one), try heard([0, 0xC0, 48, 0, 0xB0, 7, 60] + late)]
    #expect(difference(both, zip(halves[0], halves[1]).map { zip($0, $1).map { $0 + $1 } }) < 1e-6)
    #expect(halves.allSatisfy { $0[0].contains { abs($0) > 0.005 } })
  }

  @Test("strips, presets, stems and notes tell the ports apart")
  func names() throws {
    let (synthesizer, song) = (try synthesizer(), try Self.two())
    let names = synthesizer.stems(of: song, by: .channel).map(\.name)
    #expect(names == ["01 Church Organ", "02 Acoustic Grand Piano", "B01 String Ensemble 1", "B10 Drums"])
    let rendered = try synthesizer.render(song, to: nil, recordsNotes: true)
    #expect(Set(rendered.notes.map(\.channel)) == [0, 1, 16, 25])
    #expect(rendered.notes.first { $0.channel == 16 }?.preset?.program == 48)
    #expect(rendered.notes.first { $0.channel == 25 }?.preset?.bank == 128)
    #expect(synthesizer.channelStrips.map(\.name).suffix(2) == ["B15", "B16"])
    #expect(
      NoteLines(of: song, stems: synthesizer.stems(of: song, by: .channel)).text(rendered.notes, after: 0)
        .contains(#""stem": "B10 Drums""#))
  }

  @Test("commands reach the channels of ports, once there are any")
  func commands() throws {
    let synthesizer = try synthesizer()
    var control = SynthesizerControl(synthesizer)
    func perform(_ line: String) throws -> String { try control.perform(SynthesizerCommand(parsing: line)).text }
    #expect(throws: SynthesizerCommandError.self) { try perform("mute B1") }
    #expect(throws: SynthesizerCommandError.self) { try perform("level 17") }
    let song = try Self.two()
    let both = try play(song, synthesizer)
    #expect(try perform("mute B1") == "mute       channel B1 on")
    #expect(synthesizer.mixer.inputs[16].isMuted.value == 1 && synthesizer.mixer.inputs[0].isMuted.value == 0)
    #expect(difference(both, try play(song, synthesizer)) > 0.01)
    #expect(try perform("unmute 17") == "mute       channel B1 off")
    #expect(try perform("solo 26") == "solo       channel B10 on" && synthesizer.channelStrips[25].isSoloed)
    #expect(try perform("solo") == "solo       B10 on, others off; all tracks off")
    #expect(try perform("level b10 -6") == "level      channel B10 −6.0 dB")
  }
}
