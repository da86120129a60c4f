import CSynthFluidSynth
import SynthMIDI
import SynthRealtime
import TestSupport
import Testing

@testable import SynthFluidSynth
@testable import SynthInstruments

@Suite("A sampler that loads only what is used")
struct PreloadTests {
  private static func configuration(
    _ preload: SamplerPreload, _ engine: SamplerEngine = .fluidSynth
  ) throws -> SamplerConfiguration {
    var sampler = SamplerConfiguration(soundFonts: [try TestFiles.soundFont], linearGain: 1, preload: preload)
    sampler.engine = engine
    return sampler
  }

  private static func rack(_ preload: SamplerPreload, _ engine: SamplerEngine) throws -> PlayedRack {
    try PlayedRack(RackConfiguration(sampler: try configuration(preload, engine)))
  }

  private func song(_ name: String) throws -> Song { Song(try MIDIFile(path: try TestFiles.song(name))) }

  @Test(
    "sounds as one that loads all, to the last bit", arguments: ["tttheme2.mid", "busy_schedule.mid"],
    SamplerEngine.allCases)
  func identity(_ name: String, _ engine: SamplerEngine) throws {
    let song = try song(name)
    let (used, all) = (try Self.rack(.used([song]), engine), try Self.rack(.all, engine))
    for player in [used, all] { player.rack.events.play(Timeline(song, sampleRate: 48000)) }
    for second in 0..<20 {
      let (ours, theirs) = (used.render(48000), all.render(48000))
      let difference = zip(ours, theirs).map { abs($0 - $1) }
      #expect(difference.max() == 0, "in second \(second), from frame \(difference.firstIndex { $0 > 0 } ?? 0)")
    }
    #expect(used.rack.activeVoiceCount == all.rack.activeVoiceCount)
  }

  @Test("loads a further song, and its own songs no second time", arguments: SamplerEngine.allCases)
  func furtherSong(_ engine: SamplerEngine) throws {
    let (first, second) = (try song("tttheme2.mid"), try song("busy_schedule.mid"))
    let (used, all) = (try Self.rack(.used([first]), engine), try Self.rack(.all, engine))
    try used.rack.load(first)
    guard case .used(let songs) = used.rack.configuration.sampler.preload else {
      Issue.record("loaded all")
      return
    }
    #expect(songs.count == 1)
    try used.rack.load(second)
    for player in [used, all] { player.rack.events.play(Timeline(second, sampleRate: 48000)) }
    #expect(zip(used.render(240_000), all.render(240_000)).allSatisfy { $0 == $1 })
  }

  @Test(
    "plays on as before where a program is not there, and has it once that is loaded",
    arguments: SamplerEngine.allCases)
  func asked(_ engine: SamplerEngine) throws {
    let (used, all) = (try Self.rack(.used([]), engine), try Self.rack(.all, engine))
    let change = MIDIMessage.programChange(channel: 2, program: 48)
    used.play(change)
    #expect(used.render(64).count == 64)
    #expect(used.rack.preset(ofChannel: 2)?.program == 0)
    let piano = try Self.rack(.all, engine)
    for player in [used, piano] { player.play(.noteOn(channel: 2, note: 60, velocity7: 90)) }
    #expect(used.render(4800) == piano.render(4800))
    used.play(.controlChange(channel: 2, .allSoundOff, value7: 0))
    _ = used.render(640)
    try used.rack.loadAskedPresets()
    all.play(change)
    for player in [used, all] {
      _ = player.render(64)
      player.play(.noteOn(channel: 2, note: 60, velocity7: 90))
    }
    #expect(used.render(4800) == all.render(4800))
    #expect(used.rack.preset(ofChannel: 2)?.program == 48)
  }

  @Test("has the presets of notes that a transposition brings to its keys", arguments: SamplerEngine.allCases)
  func transposed(_ engine: SamplerEngine) throws {
    let song = Song(try MIDIFile(bytes: smf(tracks: [[0, 0xC2, 48, 0, 0x92, 50, 90, 96, 0x82, 50, 0] + end()])))
    func samples(_ preload: SamplerPreload) throws -> [Float] {
      let high = InstrumentAssignment(.sampler, channel: 2, keys: 60...127)
      let player = try PlayedRack(
        RackConfiguration(sampler: try Self.configuration(preload, engine), assignments: [high]))
      player.rack.events.transposition = 12
      player.rack.events.play(Timeline(song, sampleRate: 48000))
      return player.render(9600)
    }
    let all = try samples(.all)
    #expect(all.contains { $0 != 0 })
    #expect(try samples(.used([song])) == all)
  }

  @Test("loads the rest while it plays", arguments: SamplerEngine.allCases)
  func rest(_ engine: SamplerEngine) throws {
    let (used, all) = (try Self.rack(.used([]), engine), try Self.rack(.all, engine))
    try used.rack.loadAllPresets()
    for player in [used, all] {
      for channel in UInt8(0)..<16 {
        player.play(.programChange(channel: channel, program: 100 - channel * 3))
        player.play(.noteOn(channel: channel, note: 60, velocity7: 90))
      }
    }
    #expect(used.render(9600) == all.render(9600))
  }

  @Test("knows what FluidSynth would select", arguments: [false, true])
  func selection(isDrum: Bool) throws {
    let synth = try FluidSynth(Self.configuration(.all), sampleRate: 48000)
    fluid_synth_set_channel_type(synth.handle, 0, Int32((isDrum ? CHANNEL_TYPE_DRUM : CHANNEL_TYPE_MELODIC).rawValue))
    for bank in [Int32(0), 1, 8, 127, 128, 129, 8192] {
      for program in Int32(0)..<128 {
        fluid_synth_bank_select(synth.handle, 0, bank)
        fluid_synth_program_change(synth.handle, 0, program)
        let selected = fluid_synth_get_channel_preset(synth.handle, 0)
        #expect(fluidsynth_find_preset(synth.handle, isDrum, bank, 0, program) == selected, "\(bank) \(program)")
      }
    }
  }

  @Test("finds the presets of notes behind banks, GS parts and MPE zones", arguments: SamplerEngine.allCases)
  func preview(_ engine: SamplerEngine) throws {
    let song = Song(
      try MIDIFile(
        bytes: smf(tracks: [
          // Channel 3 becomes drums, kit 16; channel 2 is a member of a zone whose master has program 90.
          [0, 0xF0, 10, 0x41, 0x10, 0x42, 0x12, 0x40, 0x13, 0x15, 2, 0x16, 0xF7, 0, 0xC2, 16, 0, 0x92, 40, 90]
            + [0, 0xC0, 90, 0, 0xB0, 101, 0, 0, 0xB0, 100, 6, 0, 0xB0, 6, 1, 0, 0x91, 60, 90] + end()
        ])))
    let used = try Self.rack(.used([song]), engine)
    used.rack.events.play(Timeline(song, sampleRate: 48000))
    #expect(used.render(640).contains { $0 != 0 })
    let presets = (0..<16).map { used.rack.preset(ofChannel: $0) }
    #expect(presets[1]?.program == 90)
    #expect(presets[2].map { [$0.bank, $0.program] } == [128, 16])
    #expect(presets[4]?.program == 0)
  }
}
