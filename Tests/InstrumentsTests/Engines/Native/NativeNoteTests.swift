import Glibc
import SynthMIDI
import TestSupport
import Testing

@testable import SynthInstruments

@Suite("The native engine's notes")
struct NativeNoteTests {
  private static let on = MIDIMessage.noteOn(channel: 0, note: 60, velocity7: 127)
  private static let off = MIDIMessage.noteOff(channel: 0, note: 60)

  /// A constant at 48 kHz and key 60: what is heard are the envelopes.
  private static let step = SoundFontBytes(
    .init([Int16](repeating: 20000, count: 48)), [.init([.sampleModes: 1, .releaseVolEnv: -3986], playing: 0)])

  private static func rack(_ font: SoundFontBytes, polyphony: Int = 64) throws -> PlayedRack {
    try font.withFile { path in
      var sampler = SamplerConfiguration(soundFonts: [path], polyphony: polyphony, linearGain: 1)
      sampler.engine = .native
      return try PlayedRack(RackConfiguration(sampler: sampler))
    }
  }

  @Test("begin on their frame, at an amplitude of 0", arguments: [0, 1, 17, 63, 64, 100, 1000])
  func onset(_ frame: Int64) throws {
    let rack = try Self.rack(Self.step)
    rack.play(Self.on, after: frame)
    let samples = rack.render(2000)
    // The first sample is on the frame, where the attack begins.
    #expect(samples.firstIndex { $0 != 0 } == Int(frame) + 1)
  }

  @Test("are let go on their frame", arguments: [2000, 2001, 2045, 2047, 2048, 2063])
  func release(_ frame: Int64) throws {
    let rack = try Self.rack(Self.step)
    rack.play(Self.on)
    rack.play(Self.off, after: frame)
    let samples = rack.render(4096)
    let level = samples[1900]
    // The frame itself has the level that the release begins at.
    #expect(samples[1900...].firstIndex { abs($0 / level - 1) > 1e-5 } == Int(frame) + 1)
    // −3986 time cents are 0.1 s, or 76 quanta, for 96 dB: 20 ms are 18.9 dB.
    #expect(abs(samples[Int(frame) + 960] / level - 0.1135) < 0.001)
  }

  @Test("let go at once are as long as the shortest note")
  func shortest() throws {
    let rack = try Self.rack(Self.step)
    rack.play(Self.on, Self.off)
    let samples = rack.render(4800)
    // 10 ms, to the next quantum.
    let peak = try #require(samples.max())
    #expect(samples[512] > 0.99 * peak && samples[576] < 0.9 * peak)
  }

  @Test("sound the same to the last bit where others end beside them, whose lanes they take over")
  func lanes() throws {
    let font = SoundFontBytes(
      .noise(), [.init([.sampleModes: 1, .initialFilterFc: 7000, .initialFilterQ: 200], playing: 0)])
    func held(beside count: UInt8) throws -> [Float] {
      let rack = try Self.rack(font)
      rack.separateFirstChannels()
      for key in 0..<count { rack.play(.noteOn(channel: 1, note: 40 + key, velocity7: 100)) }
      rack.play(Self.on)
      // Those of the second channel, which is on the right alone, end one by one.
      for key in 0..<count {
        rack.play(.noteOff(channel: 1, note: 40 + key), after: 1000 + 700 * Int64(key * 7 % max(count, 1)))
      }
      return rack.render(24000)
    }
    let alone = try held(beside: 0)
    #expect(alone.contains { abs($0) > 0.01 })
    for count: UInt8 in [1, 7, 8, 23] { #expect(try held(beside: count) == alone) }
  }

  @Test("sound the same in every run, to the last bit")
  func repeated() throws {
    let song = Song(try MIDIFile(path: try TestFiles.song("tttheme2.mid")))
    let runs = try (0..<2).map { _ in
      var sampler = SamplerConfiguration(soundFonts: [try TestFiles.soundFont], linearGain: 0.2)
      sampler.engine = .native
      let player = try PlayedRack(RackConfiguration(sampler: sampler))
      player.rack.events.play(Timeline(song, sampleRate: 48000))
      return player.render(240_000)
    }
    #expect(runs[0] == runs[1] && rms(runs[0]) > 0.001)
  }

  @Test("give way to others when there are more than may sound, the oldest released first, and fade")
  func stealing() throws {
    let rack = try Self.rack(Self.step, polyphony: 4)
    for key in UInt8(60)..<64 {
      rack.play(.noteOn(channel: 0, note: key, velocity7: 127))
      _ = rack.render(640)
    }
    let before = rack.render(640).last ?? 0
    #expect(rack.rack.activeVoiceCount == 4)
    for key in UInt8(70)..<73 { rack.play(.noteOn(channel: 0, note: key, velocity7: 127)) }
    let after = rack.render(640)
    #expect(rack.rack.activeVoiceCount == 4 && rack.rack.lostVoiceCount == 0)
    // A voice that is taken fades in 256 frames: no sample is far from the one before it.
    let steps = zip([before] + after, after).map { abs($1 - $0) }
    #expect(try #require(steps.max()) < before / 32)
    // Three of the oldest are gone, as the levels of four held notes are the same.
    #expect(abs(after[639] - before) < 0.01 * before)
  }

  @Test("that are stolen are recorded as such")
  func recording() throws {
    // A tick is 50 frames.
    var track: [UInt8] = []
    for key in UInt8(60)..<64 { track += [20, 0x90, key, 127] }
    track += [100, 0x80, 60, 0, 0, 0x80, 61, 0, 0, 0x80, 62, 0, 0, 0x80, 63, 0]
    let song = Song(try MIDIFile(bytes: smf(format: 0, tracks: [track + end()])))
    let timeline = Timeline(song, sampleRate: 48000)
    let log = NoteLog(of: timeline)
    let rack = try Self.rack(Self.step, polyphony: 2)
    rack.rack.events.play(timeline, notes: log)
    _ = rack.render(48000)
    let notes = timeline.events.indices.filter { timeline.events[$0].message.kind == .noteOn }.map { log[$0] }
    #expect(notes.map(\.isStolen) == [true, true, false, false])
    #expect(notes.map(\.start) == [1000, 2000, 3000, 4000])
    #expect(rack.rack.activeVoiceCount == 0)
  }

  @Test("of one exclusive class end each other")
  func exclusive() throws {
    let zone = SoundFontBytes.Zone([.sampleModes: 1, .exclusiveClass: 5], playing: 0)
    let rack = try Self.rack(SoundFontBytes(.init([Int16](repeating: 20000, count: 48)), [zone]))
    rack.play(Self.on)
    _ = rack.render(4800)
    rack.play(.noteOn(channel: 0, note: 62, velocity7: 127))
    _ = rack.render(96000)
    #expect(rack.rack.activeVoiceCount == 1)
  }

  @Test("of an exclusive class that end are 30 dB down after a tenth of a second")
  func exclusiveTime() throws {
    let zone = SoundFontBytes.Zone([.sampleModes: 1, .exclusiveClass: 5], playing: 0)
    // The other note has no sound.
    var silent = SoundFontBytes.Zone([.exclusiveClass: 5, .initialAttenuation: 1440], playing: 0)
    silent.generators.insert((.keyRange, 62 | 62 << 8), at: 0)
    var loud = zone
    loud.generators.insert((.keyRange, 60 | 60 << 8), at: 0)
    let rack = try Self.rack(SoundFontBytes(.init([Int16](repeating: 20000, count: 48)), [loud, silent]))
    rack.play(Self.on)
    let before = try #require(rack.render(4800).last)
    rack.play(.noteOn(channel: 0, note: 62, velocity7: 1))
    let after = try #require(rack.render(4800).last)
    #expect(abs(20 * log10(before / after) - 30.5) < 2, "\(before), \(after)")
  }

  @Test("swing by 6 dB up and down where the modulation LFO moves the volume by 60 cB")
  func tremolo() throws {
    // A quarter of a turn lasts 12000 frames at 1 Hz: absolute cents, 1200 × log₂(1 / 8.176).
    let zone = SoundFontBytes.Zone([.sampleModes: 1, .modLfoToVolume: 60, .freqModLFO: -3637], playing: 0)
    let plain = SoundFontBytes.Zone([.sampleModes: 1], playing: 0)
    let sample = SoundFontBytes.Sample([Int16](repeating: 20000, count: 48))
    let levels = try [zone, plain].map { zone in
      let rack = try Self.rack(SoundFontBytes(sample, [zone]))
      rack.play(Self.on)
      return rack.render(48000)
    }
    let swings = [12000, 36000].map { 20 * log10(levels[0][$0] / levels[1][$0]) }
    #expect(abs(swings[0] - 6) < 0.2 && abs(swings[1] + 6) < 0.2, "\(swings)")
  }

  @Test("begin within their wave by as much as their envelope is late")
  func delay() throws {
    // 0.5 s; the wave jumps at 0.75 s.
    let words = [Int16](repeating: 4000, count: 36000) + [Int16](repeating: 20000, count: 12000)
    let zone = SoundFontBytes.Zone([.delayVolEnv: -1200], playing: 0)
    let rack = try Self.rack(SoundFontBytes(.init(words), [zone]))
    rack.play(Self.on)
    let sound = rack.render(47000)
    #expect(sound[23000] == 0 && sound[30000] > 0.01 && sound[40000] > 4 * sound[30000])
  }

  @Test(
    "of a key sound to their own end if the older one's note-off comes with them", arguments: SamplerEngine.allCases)
  func struckAgain(_ engine: SamplerEngine) throws {
    let zone = SoundFontBytes.Zone([.sampleModes: 1, .releaseVolEnv: -7200], playing: 0)
    try SoundFontBytes(.init([Int16](repeating: 20000, count: 48)), [zone]).withFile { font in
      for isOnFirst in [true, false] {
        let rack = try PlayedRack([InstrumentAssignment(.sampler)], soundFonts: [font], engine: engine)
        let pair = [note(60, after: 480), [0, 0x80, 60, 64]]
        // On at 0; both at half a second; off at 1.5 s.
        let again = isOnFirst ? pair : [[0x83, 0x60, 0x80, 60, 64], note(60, after: 0)]
        let track = note(60) + again.flatMap(\.self) + [0x87, 0x40, 0x80, 60, 64] + end(after: 480)
        let song = Song(try MIDIFile(bytes: smf(tracks: [track])))
        rack.rack.events.play(Timeline(song, sampleRate: 48000))
        let sound = rack.render(96000)
        #expect(sound[20000] > 0.01 && sound[40000] > 0.01 && sound[70000] > 0.01, "\(isOnFirst)")
        #expect(sound[90000] == 0, "\(isOnFirst)")
      }
    }
  }
}
