/// What a mixer's input does to the level of what passes it, wherever that goes. [audio thread]
struct Fader {
  private let solo: ParameterReader
  private let gain: ParameterReader
  private let enabled: ParameterReader
  private let muted: ParameterReader

  init(_ input: MixerInput) {
    solo = input.isSoloed.reader
    gain = input.gain.reader
    enabled = input.isEnabled.reader
    muted = input.isMuted.reader
  }

  var isSoloed: Bool {
    @_noLocks get { solo.isOn }
  }

  /// - Parameter anySolo: whether any input of the mixer is soloed.
  @_noLocks
  func level(_ anySolo: Bool) -> Float {
    enabled.isOn && !muted.isOn && (solo.isOn || !anySolo) ? gain.renderValue : 0
  }
}
