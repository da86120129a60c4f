import SynthRealtime

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
    return Self.gains(isMono: isMono, gain: gain.renderValue, pan: pan.renderValue)
  }

  @_noLocks
  @inline(__always)
  private static func gains(isMono: Bool, gain: Float, pan: Float) -> StereoGain {
    guard isMono else { return StereoGain(left: gain * min(1, 1 - pan), right: gain * min(1, 1 + pan)) }
    return StereoGain(left: gain * squareRoot((1 - pan) / 2), right: gain * squareRoot((1 + pan) / 2))
  }
}

extension Fader {
  /// Whether any of its own parameters follows scheduled changes.
  @_noLocks
  func follows(_ context: RenderContext) -> Bool {
    gain.follows(context) || pan.follows(context) || enabled.follows(context) || muted.follows(context)
  }

  @_noLocks
  func followsSolo(_ context: RenderContext) -> Bool { solo.follows(context) }

  /// Adds how much the input is soloed to the curve of all, and gives how much it was at the frame before.
  @_noLocks
  func addSolo(to curves: borrowing MixerCurves, _ context: RenderContext) -> Float {
    let start = solo.fill(curves.solo, in: context)
    for frame in 0..<renderQuantum { curves.anySolo[frame] += curves.solo[frame] }
    return start.value
  }

  /// Draws `left` and `right`, what is left and right of an input at each frame. A switch that is half way lets half of
  /// the amplitude through.
  ///
  /// - Parameter anySolo: that of the frame before.
  @_noLocks
  func fill(
    _ curves: borrowing MixerCurves, isMono: Bool, _ anySolo: Float, _ context: RenderContext
  ) -> (left: CurveStart, right: CurveStart) {
    let (gainStart, panStart) = (gain.fill(curves.gain, in: context), pan.fill(curves.pan, in: context))
    let enabledStart = enabled.fill(curves.enabled, in: context)
    let mutedStart = muted.fill(curves.muted, in: context)
    let soloStart = solo.fill(curves.solo, in: context)
    for frame in 0..<renderQuantum {
      let open = Self.opening(
        enabled: curves.enabled[frame], muted: curves.muted[frame], solo: curves.solo[frame], curves.anySolo[frame])
      let gains = Self.gains(isMono: isMono, gain: curves.gain[frame], pan: curves.pan[frame])
      curves.left[frame] = gains.left * open
      curves.right[frame] = gains.right * open
    }
    let open = Self.opening(
      enabled: enabledStart.value, muted: mutedStart.value, solo: soloStart.value, anySolo)
    let gains = Self.gains(isMono: isMono, gain: gainStart.value, pan: panStart.value)
    let switchesEnd = min(enabledStart.restEnd, min(mutedStart.restEnd, soloStart.restEnd))
    let restEnd = min(switchesEnd, min(gainStart.restEnd, panStart.restEnd))
    return (
      CurveStart(value: gains.left * open, restEnd: restEnd), CurveStart(value: gains.right * open, restEnd: restEnd)
    )
  }

  /// What the switches let through: as one solo gives way to another, the inputs that have none stay silent.
  @_noLocks
  @inline(__always)
  private static func opening(enabled: Float, muted: Float, solo: Float, _ anySolo: Float) -> Float {
    enabled * (1 - muted) * min(1, solo + 1 - min(1, anySolo))
  }
}

/// The factors of the two sides of a mix.
struct StereoGain {
  let left: Float
  let right: Float
}
