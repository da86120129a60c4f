import CSynthFluidSynth
import Testing

@testable import SynthSoundFonts

/// The generators of the voices that libfluidsynth starts are those of the zones that are found here.
@Suite("Zones as FluidSynth reads them")
struct FluidSynthZonesTests {
  static let fonts = ["/usr/share/sounds/sf2/TimGM6mb.sf2", "/usr/share/sounds/sf2/FluidR3_GM.sf2"]

  @Test("every preset starts the voices of FluidSynth, with its generators", .timeLimit(.minutes(2)), arguments: fonts)
  func generators(path: String) throws {
    let font = try SoundFont(path: path)
    let presets = PlayablePresets(font, preload: .nothing)
    let reference = try #require(FluidVoices(path: path))
    #expect(presets.problems.count == 0)
    var voiceCount = 0
    for header in font.presets {
      let preset = try #require(presets.preset(bank: header.bank, program: header.program)).pointee
      for key in stride(from: 3, to: 128, by: 12) {
        for velocity in [1, 50, 100, 127] {
          let zones = (0..<preset.zoneCount).map { preset.zones[$0] }.filter {
            $0.contains(key: UInt8(key), velocity: UInt8(velocity))
          }
          let expected = reference.generators(header.bank, header.program, key: key, velocity: velocity)
          voiceCount += expected.count
          #expect(zones.map(Self.generators) == expected, "\(header) key \(key) velocity \(velocity)")
        }
      }
    }
    #expect(voiceCount > 1000)
  }

  private static func generators(_ zone: PlayableZone) -> [Float] {
    Generator.allCases.filter(FluidVoices.isCompared).map { zone[$0] }
  }
}

/// What libfluidsynth's voices are told at note-on.
private final class FluidVoices {
  private let settings: OpaquePointer
  private let synth: OpaquePointer
  private let font: Int32

  init?(path: String) {
    settings = new_fluid_settings()
    fluid_settings_setint(settings, "synth.polyphony", 256)
    fluid_settings_setint(settings, "synth.reverb.active", 0)
    fluid_settings_setint(settings, "synth.chorus.active", 0)
    synth = new_fluid_synth(settings)
    font = fluid_synth_sfload(synth, path, 0)
    if font < 0 { return nil }
  }

  deinit {
    delete_fluid_synth(synth)
    delete_fluid_settings(settings)
  }

  /// Pitch and references are the voice's own.
  static func isCompared(_ generator: Generator) -> Bool {
    ![.pitch, .instrument, .sample, .keyRange, .velocityRange].contains(generator)
  }

  func generators(_ bank: Int, _ program: Int, key: Int, velocity: Int) -> [[Float]] {
    fluid_synth_program_select(synth, 0, font, Int32(bank), Int32(program))
    fluid_synth_noteon(synth, 0, Int32(key), Int32(velocity))
    var voices = [OpaquePointer?](repeating: nil, count: 256)
    fluid_synth_get_voicelist(synth, &voices, 256, -1)
    let started = voices.compactMap(\.self).map { voice in
      Generator.allCases.filter(Self.isCompared).map { fluid_voice_gen_get(voice, Int32($0.rawValue)) }
    }
    fluid_synth_all_sounds_off(synth, 0)
    var (left, right) = ([Float](repeating: 0, count: 64), [Float](repeating: 0, count: 64))
    fluid_synth_write_float(synth, 64, &left, 0, 1, &right, 0, 1)
    return started
  }
}
