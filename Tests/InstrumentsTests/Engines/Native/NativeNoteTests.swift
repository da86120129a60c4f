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
}
