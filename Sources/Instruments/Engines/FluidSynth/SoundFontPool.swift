import CFluidSynth
import Realtime

/// Soundfonts that stay loaded while samplers come and go, as for many songs that are rendered one after the other.
///
/// A sampler borrows a soundfont for as long as it lives. As many copies of it are loaded as samplers play it at the
/// same time; the samples themselves are shared, and those that were needed once stay in memory. The sound is the same,
/// bit for bit.
public final class SoundFontPool: Sendable {
  /// A loaded soundfont that belongs to one thread at a time.
  struct Font: @unchecked Sendable {
    let handle: OpaquePointer
    fileprivate let place: Place
  }

  fileprivate struct Place: Hashable {
    let path: String
    let isLoadedSingly: Bool
  }

  private struct State {
    /// Reads the files, and keeps what FluidSynth reads single samples with later.
    var libraries: [Bool: FluidSynth] = [:]
    var idle: [Place: [Font]] = [:]
  }

  private let state = CheckedMutex(State())

  public init() {}

  deinit {
    state.withLock { state in
      // A library frees what it has.
      for (place, fonts) in state.idle {
        for font in fonts { fluid_synth_add_sfont(state.libraries[place.isLoadedSingly]?.handle, font.handle) }
      }
    }
  }

  /// A soundfont for one sampler alone. [control thread]
  func font(_ path: String, _ preload: SamplerPreload) throws(InstrumentError) -> Font {
    let isLoadedSingly = if case .used = preload { true } else { false }
    let place = Place(path: path, isLoadedSingly: isLoadedSingly)
    let font: Result<Font, InstrumentError> = state.withLock { state in
      if let font = state.idle[place]?.popLast() { return .success(font) }
      do throws(InstrumentError) {
        return .success(try Self.load(place, &state))
      } catch {
        return .failure(error)
      }
    }
    return try font.get()
  }

  private static func load(_ place: Place, _ state: inout State) throws(InstrumentError) -> Font {
    let library = try library(isLoadingSingly: place.isLoadedSingly, &state)
    try library.load(place.path)
    guard let font = fluid_synth_get_sfont(library.handle, 0) else { throw .outOfMemory }
    fluid_synth_remove_sfont(library.handle, font)
    return Font(handle: font, place: place)
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

  /// Takes fonts back whose sampler is gone.
  func takeBack(_ fonts: [Font]) {
    state.withLock { state in
      for font in fonts { state.idle[font.place, default: []].append(font) }
    }
  }
}
