import CFluidSynth
import TestSupport
import Testing

/// libfluidsynth without the sampler around it, so that it can be set up wrongly.
final class BareFluidSynth {
  let handle: OpaquePointer
  private let settings: OpaquePointer

  init(reverb: Bool) throws {
    settings = try #require(new_fluid_settings())
    fluid_settings_setint(settings, "synth.threadsafe-api", 0)
    fluid_settings_setint(settings, "synth.reverb.active", reverb ? 1 : 0)
    fluid_settings_setint(settings, "synth.chorus.active", 0)
    handle = try #require(new_fluid_synth(settings))
    try #require(fluid_synth_sfload(handle, try TestFiles.soundFont, 1) != FLUID_FAILED)
    fluid_synth_noteon(handle, 0, 60, 100)
  }

  deinit {
    delete_fluid_synth(handle)
    delete_fluid_settings(settings)
  }

  /// What rendering 64 frames did.
  func render() -> Violations {
    RealtimeProbe.measure(Self.render, UnsafeMutableRawPointer(handle))
  }

  /// Renders 64 frames as `RenderFunction`s do, and drops them.
  static let render: @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void = { handle, _ in
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 128) { samples in
      samples.initialize(repeating: 0)
      var outputs: (UnsafeMutablePointer<Float>?, UnsafeMutablePointer<Float>?) =
        (samples.baseAddress, samples.baseAddress.map { $0 + 64 })
      withUnsafeMutableBytes(of: &outputs) { outputs in
        let outputs = outputs.assumingMemoryBound(to: UnsafeMutablePointer<Float>?.self).baseAddress
        fluid_synth_process(OpaquePointer(handle), 64, 2, outputs, 2, outputs)
      }
    }
  }
}
