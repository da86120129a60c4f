import SynthInstruments
import SynthRealtime

/// What FluidSynth keeps in a pool: the samples of presets that were needed once.
///
/// Each FluidSynth has its own zones, whose use it counts without a lock; the samples are shared.
final class PooledSamples: Sendable {
  private struct State {
    var headers: [String: SoundFontHeaders?] = [:]
    var kept: [String: Set<SoundFontPreset>] = [:]
    /// Has what is kept; no channel of it plays.
    var library: FluidSynth?
  }

  private let state = CheckedMutex(State())

  /// What a soundfont says of its presets, read once; nil for one that is loaded whole.
  func headers(_ path: String) -> SoundFontHeaders? {
    state.withLock { state in
      if let headers = state.headers[path] { return headers }
      let headers = SoundFontHeaders(path: path)
      state.headers[path] = .some(headers)
      return headers
    }
  }

  /// Keeps the samples of presets, which a sampler has loaded.
  func keep(_ presets: Set<SoundFontPreset>, of path: String) throws(InstrumentError) {
    try state.withLock { state throws(InstrumentError) in
      let new = presets.subtracting(state.kept[path] ?? [])
      guard !new.isEmpty, let headers = state.headers[path] ?? nil else { return }
      _ = try Self.library(&state).load(path, headers, pinning: new)
      state.kept[path, default: []].formUnion(new)
    }
  }

  private static func library(_ state: inout State) throws(InstrumentError) -> FluidSynth {
    if let library = state.library { return library }
    let library = try FluidSynth(
      SamplerConfiguration(soundFonts: [], polyphony: 1, preload: .used([])), sampleRate: 48000)
    // Its channels need no samples.
    library.unsetPrograms()
    state.library = library
    return library
  }
}
