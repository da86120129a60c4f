// The real libfluidsynth, playing the committed font into memory.
import FluidSynthLibrary
import Synchronization

/// Messages of level warning and above since the process began.
let warnings = Mutex<[String]>([])

/// One synthesizer without reverb and chorus at 48 kHz and gain 0.2, FluidSynth's own default.
final class FluidSynthPlayer {
  static let rate = 48_000
  private let settings: OpaquePointer
  let synth: OpaquePointer
  let fontID: Int32

  init?(font: String) {
    for level in [FLUID_PANIC, FLUID_ERR, FLUID_WARN] {
      fluid_set_log_function(
        Int32(level.rawValue),
        { _, message, _ in
          let text = message.map { String(cString: $0) } ?? ""
          // FluidSynth 2.3 says this of its own default modulators whenever a synthesizer is made.
          guard !text.contains("fluid_synth_add_default_mod") else { return }
          warnings.withLock { $0.append(text) }
        }, nil)
    }
    guard let settings = new_fluid_settings() else { return nil }
    fluid_settings_setnum(settings, "synth.sample-rate", Double(Self.rate))
    fluid_settings_setint(settings, "synth.reverb.active", 0)
    fluid_settings_setint(settings, "synth.chorus.active", 0)
    guard let synth = new_fluid_synth(settings) else {
      delete_fluid_settings(settings)
      return nil
    }
    self.settings = settings
    self.synth = synth
    fontID = fluid_synth_sfload(synth, font, 1)
  }

  deinit {
    delete_fluid_synth(synth)
    delete_fluid_settings(settings)
  }

  /// Chooses a preset on channel 0; bank 128 holds the drum kits.
  func choose(bank: Int = 0, program: Int) {
    fluid_synth_program_select(synth, 0, fontID, Int32(bank), Int32(program))
  }

  func noteOn(_ key: Int, velocity: Int = 80) { fluid_synth_noteon(synth, 0, Int32(key), Int32(velocity)) }
  func noteOff(_ key: Int) { fluid_synth_noteoff(synth, 0, Int32(key)) }
  func silence() {
    fluid_synth_all_sounds_off(synth, 0)
    _ = render(seconds: 0.02)
  }

  /// Left and right, one behind the other in each pair.
  func render(seconds: Double) -> [Float] {
    let count = Int(seconds * Double(Self.rate))
    var frames = [Float](repeating: 0, count: 2 * count)
    frames.withUnsafeMutableBufferPointer {
      _ = fluid_synth_write_float(synth, Int32(count), $0.baseAddress, 0, 2, $0.baseAddress, 1, 2)
    }
    return frames
  }
}

extension [Float] {
  var rms: Double { (reduce(0.0) { $0 + Double($1) * Double($1) } / Double(Swift.max(count, 1))).squareRoot() }
  var mean: Double { reduce(0.0) { $0 + Double($1) } / Double(Swift.max(count, 1)) }
  var peak: Float { reduce(0) { Swift.max($0, abs($1)) } }
}
