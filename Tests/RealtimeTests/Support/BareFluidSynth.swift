import CSynthFluidSynth
import TestSupport
import Testing

/// libfluidsynth without the sampler around it, so that it can be set up wrongly.
final class BareFluidSynth {
  private let handle: OpaquePointer
  private let settings: OpaquePointer
  /// Left and right; the effects go there too.
  private let samples: [UnsafeMutablePointer<Float>?] = [.allocate(capacity: 64), .allocate(capacity: 64)]

  /// Sounds one note.
  init(reverb: Bool) throws {
    settings = try #require(new_fluid_settings())
    fluid_settings_setint(settings, "synth.threadsafe-api", 0)
    fluid_settings_setint(settings, "synth.reverb.active", reverb ? 1 : 0)
    fluid_settings_setint(settings, "synth.chorus.active", 0)
    handle = try #require(fluidsynth_create(settings))
    try #require(fluid_synth_sfload(handle, try TestFiles.soundFont, 1) != FLUID_FAILED)
    fluid_synth_noteon(handle, 0, 60, 100)
  }

  deinit {
    delete_fluid_synth(handle)
    delete_fluid_settings(settings)
    for channel in samples { channel?.deallocate() }
  }

  /// What rendering 64 frames did.
  func render() -> Violations {
    var outputs = samples
    return RealtimeProbe.measure(
      { handle, outputs in
        let outputs = outputs.assumingMemoryBound(to: UnsafeMutablePointer<Float>?.self)
        fluid_synth_process(OpaquePointer(handle), 64, 2, outputs, 2, outputs)
      }, UnsafeMutableRawPointer(handle), &outputs)
  }
}
