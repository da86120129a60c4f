import Foundation
import SynthInstruments
import SynthKit
import SynthMIDI
import TestSupport
import Testing

@Suite("Songs that bring their own bank", .timeLimit(.minutes(5)), .serialized)
struct SongBankTests {
  private static let builtInFont = "soundfonts/synth-gm.sf2"
  private let period = 256
  private let notes = [[0, 0xC0, 19], strike(60, ticks: 480)].flatMap(\.self)
  private let plain: Song
  private let own: Song

  init() throws {
    let bytes = smf(format: 0, tracks: [notes + end()])
    let bank = Array(try Data(contentsOf: URL(filePath: Self.builtInFont)))
    plain = Song(try MIDIFile(bytes: bytes))
    own = Song(try MIDIFile(bytes: rmid(bytes, bank: bank, info: [("DBNK", [0, 0])])))
  }

  private func synthesizer(
    _ fonts: String..., preload: SamplerPreload = .used([]), engine: SamplerEngine = .fluidSynth
  ) throws -> Synthesizer {
    var configuration = SynthesizerConfiguration(
      soundFonts: fonts, preload: preload, isLimited: false, reverb: nil, chorus: nil)
    configuration.instruments.sampler.engine = engine
    return try Synthesizer(configuration)
  }

  private func alone(_ fonts: String..., engine: SamplerEngine = .fluidSynth) throws -> [Float] {
    let synthesizer =
      try fonts.count == 1 ? synthesizer(fonts[0], engine: engine) : synthesizer(fonts[0], fonts[1], engine: engine)
    try synthesizer.instruments.load(plain)
    synthesizer.play(plain)
    return synthesizer.samples(24000)[0]
  }

  /// Banks in memory.
  private func bankCount() throws -> Int {
    let files = FileManager.default
    return try files.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
      let target = try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
      return target?.contains("memfd:bank") == true
    }
  }

  @Test("play Downloadable Sounds too, at the pitch of their key", arguments: SamplerEngine.allCases)
  func downloadable(engine: SamplerEngine) throws {
    // The wave has 400 Hz at key 69, which is played an octave higher, on the bank's own number plus one.
    let bytes = smf(format: 0, tracks: [[0, 0xB0, 0, 1, 0, 0xC0, 0] + strike(81, ticks: 480) + end()])
    let song = Song(try MIDIFile(bytes: rmid(bytes, bank: downloadableSounds())))
    let synthesizer = try synthesizer(try TestFiles.soundFont, engine: engine)
    let session = Session(synthesizer, output: HandOutput(sampleRate: 48000, period: period))
    try session.play(song)
    let output = try #require(session.output as? HandOutput)
    while output.left.count < 24000 { output.turn() }
    let part = output.left[4800..<19200]
    #expect(part.contains { abs($0) > 0.01 })
    let rises = zip(part, part.dropFirst()).count { $0 < 0 && $1 >= 0 }
    // 7 cents below 800 Hz, for 0.3 s.
    #expect((237...240).contains(rises), "\(rises)")
    try session.stop()
  }

  @Test(
    "play it from their first frame on, and the songs before and behind them play the fonts", arguments: [true, false])
  func succession(isLoadingUsed: Bool) throws {
    let font = try TestFiles.soundFont
    let (fontSound, bankSound) = (try alone(font), try alone(font, Self.builtInFont))
    #expect(zip(fontSound, bankSound).contains { abs($0 - $1) > 0.01 })
    let synthesizer = try synthesizer(font, preload: isLoadingUsed ? .used([]) : .all)
    let output = HandOutput(sampleRate: 48000, period: period)
    let session = Session(synthesizer, output: output)
    try session.play(plain)
    for (song, sound) in [(own, fontSound), (own, bankSound), (plain, bankSound)] {
      let start = output.left.count
      // Loaded while the present one sounds.
      try session.queue(song)
      while session.isSongQueued, output.left.count < start + 480_000 { output.turn() }
      // A voice that has sounded before begins at the gain it had then.
      let isSame = zip(output.left[start...], sound).allSatisfy { abs($0 - $1) < 1e-4 }
      #expect(isSame)
    }
    output.turn()
    #expect(synthesizer.instruments.configuration.sampler.bank == nil)
    let isFreed = try eventually {
      synthesizer.instruments.collect()
      return try bankCount() == 0
    }
    #expect(isFreed)
  }

  @Test("that are played in place of another, or first, have it too", arguments: SamplerEngine.allCases)
  func inPlace(engine: SamplerEngine) throws {
    let font = try TestFiles.soundFont
    let synthesizer = try synthesizer(font, engine: engine)
    let output = HandOutput(sampleRate: 48000, period: period)
    let session = Session(synthesizer, output: output)
    try session.play(own)
    for _ in 0..<100 { output.turn() }
    #expect(Array(output.left[..<24000]) == (try alone(font, Self.builtInFont, engine: engine))[..<24000].map(\.self))
    #expect(synthesizer.instruments.configuration.sampler.bank == own.container?.bank)
    // What is queued and forgotten leaves nothing behind.
    try session.queue(plain)
    try session.play(own)
    for _ in 0..<20 { output.turn() }
    #expect(synthesizer.instruments.configuration.sampler.bank == own.container?.bank)
    try session.play(plain)
    for _ in 0..<20 { output.turn() }
    #expect(synthesizer.instruments.configuration.sampler.bank == nil)
  }

  @Test("keep it for themselves while instruments are exchanged before they begin")
  func exchange() throws {
    let synthesizer = try synthesizer(try TestFiles.soundFont)
    let output = HandOutput(sampleRate: 48000, period: period)
    let session = Session(synthesizer, output: output)
    try session.play(plain)
    try session.queue(own)
    var configuration = synthesizer.instruments.configuration
    configuration.sampler.linearGain = 0.3
    try synthesizer.instruments.exchange(configuration)
    for _ in 0..<4 { output.turn() }
    #expect(synthesizer.instruments.configuration.sampler.bank == nil)
    while session.isSongQueued, output.left.count < 480_000 { output.turn() }
    output.turn()
    let sampler = synthesizer.instruments.configuration.sampler
    #expect(sampler.bank == own.container?.bank && sampler.linearGain == 0.3)
  }

  @Test("cannot be played with one that is damaged, and are without it", arguments: SamplerEngine.allCases)
  func hostile(engine: SamplerEngine) throws {
    var song = own
    song.container = try MIDIFile(
      bytes: rmid(smf(tracks: [notes + end()]), bank: riff("RIFF", Array("sfbk".utf8) + [1, 2, 3, 4]))
    ).container
    let damaged = song
    #expect(throws: InstrumentError.self) { try damaged.container?.bank?.check() }
    let output = HandOutput(sampleRate: 48000, period: period)
    let session = Session(try synthesizer(try TestFiles.soundFont, engine: engine), output: output)
    #expect(throws: InstrumentError.self) { try session.play(damaged) }
    song.container?.bank = nil
    try session.play(song)
    #expect(try bankCount() == 0)
  }
}
