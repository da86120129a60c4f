import AudioGraph

/// What a song says of a send effect beside the effect itself: pre-delay and low pass before it, and where its return
/// is panned. [audio thread]
struct OnsetControls {
  private let highCut: ParameterWriter
  private let preDelay: ParameterWriter
  /// Nil for a return that cannot be panned.
  private let pan: ParameterWriter?

  init(highCut: Parameter, preDelay: Parameter, pan: Parameter?) {
    (self.highCut, self.preDelay, self.pan) = (highCut.writer, preDelay.writer, pan?.writer)
  }

  /// What a macro or a type begins with.
  @_noLocks
  func open() {
    highCut.set(Self.openCut)
    preDelay.set(0)
  }

  @_noLocks
  func reset() {
    open()
    pan?.set(0)
  }

  private static var openCut: Float { @_noLocks get { 20_000 } }

  /// GS's pre-low-pass, 0 to 7: open, then linear down to 200 Hz. Roland names no frequencies; source: TiMidity++ 2.14,
  /// `reverb.c`.
  @_noLocks
  func setGSHighCut(_ value: UInt8) {
    highCut.set(value == 0 ? Self.openCut : 200 + 16_000 * Float(7 - min(value, 7)) / 7)
  }

  /// GS's pre-delay, in milliseconds.
  @_noLocks
  func setGSPreDelay(_ value: UInt8) { preDelay.set(Float(value) / 1000) }

  /// XG's initial delay: 0.1 to 99.3 ms for 0 to 63. Source: XG Specifications 1.26, effect data table 5.
  @_noLocks
  func setXGPreDelay(_ value: UInt8) { preDelay.set((0.1 + 99.2 / 63 * Float(min(value, 63))) / 1000) }

  /// XG's low-pass cutoff, 34 to 60: 1 kHz to 18 kHz, and open. Source: XG Specifications 1.26, effect data table 3.
  @_noLocks
  func setXGHighCut(_ value: UInt8) {
    highCut.set(value >= 60 ? Self.openCut : EqualizerSettings.frequency(max(value, 34)))
  }

  /// 1 to 127; 0 as 1.
  @_noLocks
  func setPan(_ value: UInt8) { pan?.set(Float(max(Int32(value), 1) &- 64) / 63) }
}
