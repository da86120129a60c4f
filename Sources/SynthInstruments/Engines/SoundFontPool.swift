import SynthRealtime
import SynthSoundFonts

/// Samples that stay loaded while samplers come and go, as for many songs that are rendered one after the other.
///
/// It is for samplers that load what is used (`SamplerPreload.used`): those presets that were needed once stay in
/// memory. The sound is the same, bit for bit. Such a sampler loads what its songs use and no more: play nothing else
/// on it.
public final class SoundFontPool: Sendable {
  private struct State {
    /// For native samplers.
    var fonts: [String: SoundFont] = [:]
    /// What other engines keep, by its type.
    var stores: [ObjectIdentifier: any AnyObject & Sendable] = [:]
  }

  private let state = CheckedMutex(State())

  public init() {}

  /// A soundfont for native samplers, opened once.
  func font(_ path: String) throws(InstrumentError) -> SoundFont {
    try state.withLock { state throws(InstrumentError) in
      if let font = state.fonts[path] { return font }
      let font = try NativeFonts.open(path)
      state.fonts[path] = font
      return font
    }
  }

  /// What an engine of another module keeps here.
  ///
  /// - Parameter make: makes it when it is asked for first.
  package func store<Store: AnyObject & Sendable>(_ make: () -> Store) -> Store {
    state.withLock { state in
      let type = ObjectIdentifier(Store.self)
      if let store = state.stores[type] as? Store { return store }
      let store = make()
      state.stores[type] = store
      return store
    }
  }

  /// Keeps no pages of soundfonts in memory that native samplers no longer read. Not while a device waits for them.
  package func releasePages() {
    for font in state.withLock({ Array($0.fonts.values) }) { font.releasePages() }
  }
}
