import CFluidSynth

/// The presets of loaded soundfonts by their names. Made on the control side, and never changed.
struct PresetIndex: Sendable {
  /// Where a preset is found.
  struct Address: Hashable, Sendable {
    /// FluidSynth's number of the soundfont, from 1.
    var font: Int32
    var bank: Int32
    var program: Int32
  }

  private var names: [Address: String] = [:]

  init(_ synth: OpaquePointer) {
    for position in 0..<UInt32(max(fluid_synth_sfcount(synth), 0)) {
      guard let font = fluid_synth_get_sfont(synth, position) else { continue }
      fluid_sfont_iteration_start(font)
      while let preset = fluid_sfont_iteration_next(font) {
        guard let name = fluid_preset_get_name(preset) else { continue }
        let address = Address(
          font: fluid_sfont_get_id(font), bank: fluid_preset_get_banknum(preset), program: fluid_preset_get_num(preset))
        names[address] = String(cString: name)
      }
    }
  }

  subscript(_ address: Address) -> String? { names[address] }
}
