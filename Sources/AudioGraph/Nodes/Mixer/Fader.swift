import Realtime

/// What a mixer's input does to what passes it, wherever that goes. [audio thread]
struct Fader {
  private let solo: ParameterReader
  private let gain: ParameterReader
  private let pan: ParameterReader
  private let enabled: ParameterReader
  private let muted: ParameterReader

  init(_ input: MixerInput) {
    solo = input.isSoloed.reader
    gain = input.gain.reader
    pan = input.pan.reader
    enabled = input.isEnabled.reader
    muted = input.isMuted.reader
  }

  var isSoloed: Bool {
    @_noLocks get { solo.isOn }
  }

  /// What is left and right of an input: stereo is balanced, mono panned at constant power.
  ///
  /// - Parameter anySolo: whether any input of the mixer is soloed.
  @_noLocks
  func gains(isMono: Bool, _ anySolo: Bool) -> (left: Float, right: Float) {
    guard enabled.isOn, !muted.isOn, solo.isOn || !anySolo else { return (0, 0) }
    let gain = gain.renderValue
    let pan = pan.renderValue
    guard isMono else { return (gain * min(1, 1 - pan), gain * min(1, 1 + pan)) }
    return (gain * squareRoot((1 - pan) / 2), gain * squareRoot((1 + pan) / 2))
  }
}
