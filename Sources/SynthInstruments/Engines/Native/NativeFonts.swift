import SynthMIDI
import SynthSoundFonts

/// The soundfonts of a native sampler, stacked, and those of their presets that are loaded. [control thread]
final class NativeFonts: @unchecked Sendable {
  /// By bank and program; of several in one place that of the font searched first.
  private var presets: [Preset] = []
  private let entries: UnsafeMutableBufferPointer<PresetTable.Entry>
  private var loaded: [PlayablePresets] = []
  private let fonts: [SoundFont]

  private struct Preset {
    let key: UInt32
    let font: Int
    /// In its font.
    let index: Int
    let name: ChannelPreset
  }

  init(_ configuration: SamplerConfiguration) throws(InstrumentError) {
    var fonts: [SoundFont] = []
    if let bank = configuration.bank { fonts.append(try Self.open(bank)) }
    for path in configuration.soundFonts.reversed() {
      if let pool = configuration.pool { fonts.append(try pool.font(path)) } else { fonts.append(try Self.open(path)) }
    }
    var known: Set<UInt32> = []
    for (font, file) in fonts.enumerated() {
      for (index, header) in file.presets.enumerated() {
        let key = PresetTable.key(bank: header.bank, program: header.program)
        guard known.insert(key).inserted else { continue }
        let name = ChannelPreset(name: header.name, bank: header.bank, program: header.program)
        presets.append(Preset(key: key, font: font, index: index, name: name))
      }
    }
    presets.sort { $0.key < $1.key }
    self.fonts = fonts
    entries = .allocate(capacity: presets.count)
    for (index, preset) in presets.enumerated() {
      entries.initializeElement(at: index, to: PresetTable.Entry(key: preset.key))
    }
  }

  deinit { entries.deallocate() }

  /// For the audio thread, while these fonts live.
  var table: PresetTable { PresetTable(UnsafeBufferPointer(entries)) }

  /// What a preset of the table is called.
  subscript(_ index: Int) -> ChannelPreset? { presets.indices.contains(index) ? presets[index].name : nil }

  /// Makes presets of the table playable; nil for all. To be called once, before the audio thread reads the table.
  func load(_ wanted: Set<Int>?, _ preload: PlayablePresets.Preload) {
    for (number, font) in fonts.enumerated() {
      let chosen = presets.indices.filter { presets[$0].font == number && wanted?.contains($0) ?? true }
      guard !chosen.isEmpty else { continue }
      let playable = PlayablePresets(font, presets: Set(chosen.map { presets[$0].index }), preload: preload)
      loaded.append(playable)
      for index in chosen {
        let (bank, program) = (font.presets[presets[index].index].bank, font.presets[presets[index].index].program)
        entries[index].preset = playable.preset(bank: bank, program: program)
        entries[index].isLoaded = true
      }
    }
  }

  static func open(_ path: String) throws(InstrumentError) -> SoundFont {
    do throws(SoundFontError) {
      return try SoundFont(path: path)
    } catch {
      throw InstrumentError(error)
    }
  }

  private static func open(_ bank: MIDIFile.Container.Bank) throws(InstrumentError) -> SoundFont {
    guard let bytes = bank.soundFont else { throw .songBank(reason: "\(bank.kind.rawValue) without instruments") }
    do throws(SoundFontError) {
      return try SoundFont(bytes: bytes, name: "the song's bank")
    } catch {
      throw .songBank(reason: error.reason)
    }
  }
}

/// Which presets there are, and which are loaded. [audio thread]
struct PresetTable: BitwiseCopyable {
  struct Entry: BitwiseCopyable {
    let key: UInt32
    var isLoaded = false
    /// Nil also for a preset without zones.
    var preset: UnsafePointer<PlayablePreset>?

    init(key: UInt32) { self.key = key }
  }

  private let entries: UnsafePointer<Entry>?
  private let count: Int

  fileprivate init(_ entries: UnsafeBufferPointer<Entry>) {
    self.entries = entries.baseAddress
    count = entries.count
  }

  @_noLocks
  static func key(bank: Int, program: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: bank) << 16 | UInt32(truncatingIfNeeded: program & 0xFFFF)
  }

  @_noLocks
  subscript(_ index: Int) -> Entry? { index >= 0 && index < count ? entries?[index] : nil }

  /// The preset that a channel gets, or the one that FluidSynth puts in its place; nil for none.
  @_noLocks
  func index(of request: PresetRequest) -> Int? {
    let (bank, program) = (Int(request.bank), Int(request.program))
    if request.isDrum { return index(bank: 128, program: program) ?? index(bank: 128, program: 0) }
    return index(bank: bank, program: program) ?? index(bank: Int(request.fallbackBank), program: program)
      ?? index(bank: 0, program: program) ?? index(bank: 0, program: 0)
  }

  @_noLocks
  private func index(bank: Int, program: Int) -> Int? {
    guard let entries else { return nil }
    let key = Self.key(bank: bank, program: program)
    var (low, high) = (0, count)
    while low < high {
      let middle = (low &+ high) / 2
      if entries[middle].key < key { low = middle &+ 1 } else { high = middle }
    }
    return low < count && entries[low].key == key ? low : nil
  }
}
