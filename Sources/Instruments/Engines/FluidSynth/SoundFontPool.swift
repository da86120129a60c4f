import CFluidSynth
import Realtime

/// Samples that stay loaded while samplers come and go, as for many songs that are rendered one after the other.
///
/// Each sampler has its own zones, which FluidSynth changes as it plays; the samples are shared, and those that were
/// needed once stay in memory. The sound is the same, bit for bit. A sampler that loads what is used
/// (`SamplerPreload.used`) loads what its songs use and no more: play nothing else on it.
public final class SoundFontPool: Sendable {
  private struct State {
    var headers: [String: SoundFontHeaders?] = [:]
    var kept: [String: Set<SoundFontPreset>] = [:]
    var whole: Set<String> = []
    /// They have what is kept, singly and whole; no channel of them plays.
    var libraries: [Bool: FluidSynth] = [:]
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

  /// Keeps the samples of presets, which a sampler has loaded.
  func keep(_ presets: Set<SoundFontPreset>, of path: String) throws(InstrumentError) {
    try state.withLock { state throws(InstrumentError) in
      let new = presets.subtracting(state.kept[path] ?? [])
      guard !new.isEmpty, let headers = state.headers[path] ?? nil else { return }
      _ = try Self.library(isLoadingSingly: true, &state).load(path, headers, pinning: new)
      state.kept[path, default: []].formUnion(new)
    }
  }

  /// Keeps all samples of a soundfont.
  func keepAll(of path: String) throws(InstrumentError) {
    try state.withLock { state throws(InstrumentError) in
      guard !state.whole.contains(path) else { return }
      _ = try Self.library(isLoadingSingly: false, &state).load(path)
      state.whole.insert(path)
    }
  }

  private static func library(isLoadingSingly: Bool, _ state: inout State) throws(InstrumentError) -> FluidSynth {
    if let library = state.libraries[isLoadingSingly] { return library }
    let library = try FluidSynth(
      SamplerConfiguration(soundFonts: [], polyphony: 1, preload: isLoadingSingly ? .used([]) : .all),
      sampleRate: 48000)
    // Its channels need no samples.
    library.unsetPrograms()
    state.libraries[isLoadingSingly] = library
    return library
  }
}
