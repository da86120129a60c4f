import CSynthFluidSynth
import SynthRealtime
import SynthSoundFonts

/// Samples that stay loaded while samplers come and go, as for many songs that are rendered one after the other.
///
/// It is for samplers that load what is used (`SamplerPreload.used`): each has its own zones, whose use FluidSynth
/// counts without a lock; the samples are shared, and those that were needed once stay in memory. The sound is the
/// same, bit for bit. Such a sampler loads what its songs use and no more: play nothing else on it.
public final class SoundFontPool: Sendable {
  private struct State {
    var headers: [String: SoundFontHeaders?] = [:]
    var kept: [String: Set<SoundFontPreset>] = [:]
    /// Has what is kept; no channel of it plays.
    var library: FluidSynth?
    /// For native samplers.
    var fonts: [String: SoundFont] = [:]
  }

  private let state = CheckedMutex(State())

  public init() {}

  /// What a soundfont says of its presets, read once; nil for one that is loaded whole.
  func headers(_ path: String) -> SoundFontHeaders? {
    state.withLock { state in
      if let headers = state.headers[path] { return headers }
      let headers = SoundFontHeaders(path: path)
      state.headers[path] = .some(headers)
      return headers
    }
  }

  /// A soundfont for native samplers, opened once.
  func font(_ path: String) throws(InstrumentError) -> SoundFont {
    try state.withLock { state throws(InstrumentError) in
      if let font = state.fonts[path] { return font }
      let font = try NativeFonts.open(path)
      state.fonts[path] = font
      return font
    }
  }

  /// Keeps no pages of soundfonts in memory that native samplers no longer read. Not while a device waits for them.
  package func releasePages() {
    for font in state.withLock({ Array($0.fonts.values) }) { font.releasePages() }
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
