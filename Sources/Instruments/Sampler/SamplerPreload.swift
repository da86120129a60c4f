import MIDI

/// Which presets of its soundfonts a sampler loads before it plays. The sound is the same, bit for bit; memory and the time
/// until the first note are not.
public enum SamplerPreload: Sendable {
  /// All of them: every program change takes effect at once.
  case all
  /// Those that notes of these songs have, and those that channels have at first. A channel that is given another program
  /// keeps the one it has until the rack has loaded that: see `RackNode.load(_:)` and `RackNode.loadAskedPresets()`.
  case used([Song])
}

/// A preset as a channel asks for it. What a soundfont has not is substituted, as FluidSynth does.
struct PresetRequest: BitwiseCopyable, Hashable, Sendable {
  var isDrum: Bool
  /// 0 to 16383; drums have one of their own.
  var bank: Int32
  var program: Int32

  @_noLocks
  init(isDrum: Bool, bank: Int32, program: Int32) {
    self.isDrum = isDrum
    self.bank = bank
    self.program = program
  }
}
