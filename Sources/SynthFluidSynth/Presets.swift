import CSynthFluidSynth
import SynthInstruments

/// The presets of loaded soundfonts. Made on the control side, and never changed.
struct PresetIndex: Sendable {
  private var presets: [UInt32: ChannelPreset] = [:]

  init(_ synth: OpaquePointer) {
    for position in 0..<UInt32(max(fluid_synth_sfcount(synth), 0)) {
      guard let font = fluid_synth_get_sfont(synth, position) else { continue }
      fluid_sfont_iteration_start(font)
      while let preset = fluid_sfont_iteration_next(font) {
        guard let name = fluid_preset_get_name(preset) else { continue }
        presets[Self.code(of: preset)] = ChannelPreset(
          name: String(cString: name), bank: Int(fluid_preset_get_banknum(preset)),
          program: Int(fluid_preset_get_num(preset)))
      }
    }
  }

  subscript(_ code: UInt32) -> ChannelPreset? { presets[code] }

  /// A preset's soundfont, bank and program in one number, which is not 0; 0 without a preset. [audio thread]
  @_noLocks
  static func code(of preset: OpaquePointer?) -> UInt32 {
    guard let preset, let font = fluid_preset_get_sfont(preset) else { return 0 }
    var code = UInt32(truncatingIfNeeded: fluid_sfont_get_id(font) & 0xFF) << 24
    code |= UInt32(truncatingIfNeeded: fluid_preset_get_banknum(preset) & 0xFFFF) << 8
    return code | UInt32(truncatingIfNeeded: fluid_preset_get_num(preset) & 0xFF)
  }
}

/// The presets whose samples stay in memory. No other may be selected on the audio thread, where FluidSynth would read
/// its file.
struct LoadedPresets: ~Copyable {
  /// Addresses in ascending order.
  private let presets: UnsafeMutablePointer<UInt>
  private let count: Int?

  /// All presets.
  init() {
    presets = .allocate(capacity: 1)
    count = nil
  }

  init(_ presets: Set<OpaquePointer>) {
    count = presets.count
    self.presets = .allocate(capacity: max(presets.count, 1))
    for (index, preset) in presets.map(UInt.init(bitPattern:)).sorted().enumerated() {
      (self.presets + index).initialize(to: preset)
    }
  }

  deinit { presets.deallocate() }

  /// [audio thread]
  @_noLocks
  func contains(_ preset: OpaquePointer) -> Bool {
    guard let count else { return true }
    let address = UInt(bitPattern: preset)
    var (low, high) = (0, count)
    while low < high {
      let middle = (low &+ high) / 2
      if presets[middle] < address { low = middle &+ 1 } else { high = middle }
    }
    return low < count && presets[low] == address
  }
}
