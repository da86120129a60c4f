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
  @inline(__always)
  func gains(isMono: Bool, _ anySolo: Bool) -> StereoGain {
    guard enabled.isOn, !muted.isOn, solo.isOn || !anySolo else { return StereoGain(left: 0, right: 0) }
    let gain = gain.renderValue
    let pan = pan.renderValue
    guard isMono else { return StereoGain(left: gain * min(1, 1 - pan), right: gain * min(1, 1 + pan)) }
    return StereoGain(left: gain * squareRoot((1 - pan) / 2), right: gain * squareRoot((1 + pan) / 2))
  }
}

/// The factors of the two sides of a mix.
struct StereoGain {
  let left: Float
  let right: Float
}
