import AudioGraph
import SynthDSP

/// The settings of reverb, chorus and delay by System Exclusive: General MIDI 2's Global Parameter Control, the blocks
/// 40 01 of GS and 02 01 of XG. [audio thread]
///
/// Sources: CA-024; SC-88Pro owner's manual, "Patch common parameters"; XG Specifications 1.26, table 1-4.
struct SystemEffects {
  private let reverbType: ParameterWriter
  private let reverbTime: ParameterWriter
  private let rate: ParameterWriter
  private let depth: ParameterWriter
  private let feedback: ParameterWriter
  private let delayTime: ParameterWriter
  private let delayFeedback: ParameterWriter
  private let initialReverb: ParameterReader
  private let initialChorus: ParameterReader
  private let initialDelay: ParameterReader
  private var reverbReturn: EffectReturn
  private var chorusReturn: EffectReturn
  private var delayReturn: EffectReturn
  /// Whether controller 94 is what the delay is sent: not in General MIDI 1 and 2, where it is the depth of a detuning,
  /// nor in XG while the variation is an insertion effect, as it is at first.
  private(set) var receivesDelaySend = true

  init(_ controls: EffectControls) {
    reverbType = controls.reverb.type.writer
    reverbTime = controls.reverb.time.writer
    rate = controls.chorus.rate.writer
    depth = controls.chorus.depth.writer
    feedback = controls.chorus.feedback.writer
    delayTime = controls.delay.time.writer
    delayFeedback = controls.delay.feedback.writer
    initialReverb = controls.initialReverb.reader
    initialChorus = controls.initialChorus.reader
    initialDelay = controls.initialDelay.reader
    reverbReturn = EffectReturn(controls.reverb.returnLevel)
    chorusReturn = EffectReturn(controls.chorus.returnLevel)
    delayReturn = EffectReturn(controls.delay.returnLevel)
  }

  /// - Parameter reset: nil for a new song.
  @_noLocks
  mutating func reset(_ reset: SystemReset?) {
    setReverb(UInt8(initialReverb.renderValue))
    setChorus(UInt8(initialChorus.renderValue))
    set(DelaySetting(index: Int32(initialDelay.renderValue)))
    reverbReturn.reset()
    chorusReturn.reset()
    delayReturn.reset()
    switch reset {
    case .gm, .gm2, .xg: receivesDelaySend = false
    case .gs, nil: receivesDelaySend = true
    case .gmOff: break
    }
  }

  @_noLocks
  func receive(_ message: EffectMessage) {
    for index in 0..<message.count {
      let (parameter, value) = message.pair(index)
      switch (message.effect, parameter) {
      case (.reverb, 0): setReverb(value == 8 ? 5 : value)
      case (.reverb, 1): reverbTime.set(ReverbRoom.time(Float(value)))
      case (.chorus, 0): setChorus(value)
      case (.chorus, 1): setRate(value)
      case (.chorus, 2): setDepth(value)
      case (.chorus, 3): setFeedback(value)
      default: break
      }
    }
  }

  @_noLocks
  mutating func receive(_ data: ParameterData) {
    for index in 0..<data.count {
      let (address, value) = (data.address(of: index), data.value(index) & 0x7F)
      switch (data.model, address >> 8) {
      case (.gs, 0x40_01): receiveGS(address & 0x7F, value)
      case (.xg, 0x02_01): receiveXG(address & 0x7F, value, data.value(after: index) & 0x7F)
      default: break
      }
    }
  }

  /// 40 01 xx. Its two delays among the reverbs, and among the choruses, have no counterpart here.
  @_noLocks
  private mutating func receiveGS(_ address: UInt32, _ value: UInt8) {
    switch address {
    case 0x30:
      setReverb(value)
      reverbReturn.set(64)
    case 0x31: if value <= 5 { reverbType.set(Float(value)) }
    case 0x33: reverbReturn.set(value)
    case 0x34: reverbTime.set(ReverbRoom.time(Float(value)))
    case 0x38:
      setChorus(value)
      chorusReturn.set(64)
    case 0x3A: chorusReturn.set(value)
    case 0x3B: setFeedback(value)
    case 0x3D: setRate(value)
    case 0x3E: setDepth(value)
    case 0x50 where value < 4:
      set(DelaySetting(index: Int32(value)))
      delayReturn.set(64)
    case 0x52: delayTime.set(DelaySetting.time(value))
    case 0x58: delayReturn.set(value)
    case 0x59: delayFeedback.set(100 * DelaySetting.feedback(value))
    default: break
    }
  }

  /// 02 01 xx.
  ///
  /// - Parameter next: the second byte of a parameter that has two.
  @_noLocks
  private mutating func receiveXG(_ address: UInt32, _ value: UInt8, _ next: UInt8) {
    switch address {
    case 0x00: setXGReverb(value, next)
    case 0x02: reverbTime.set(Self.xgReverbTime(value))
    case 0x0C: reverbReturn.set(value)
    case 0x20: setXGChorus(value, next)
    case 0x2C: chorusReturn.set(value)
    // Three taps, two taps, an echo and a cross delay; all else is not a delay.
    case 0x40: delayReturn.isOff = !(0x05...0x08).contains(value)
    // In 0.1 ms.
    case 0x42: delayTime.set(Float(Int32(value) << 7 | Int32(next)) / 10_000)
    case 0x4A: delayFeedback.set(100 * DelaySetting.feedback(next))
    case 0x56: delayReturn.set(value)
    case 0x5A: receivesDelaySend = value == 1
    default: break
    }
  }

  /// By its two bytes: no effect 0, halls 1, rooms 2, stages 3, plates 4; white room, tunnel, canyon and basement from
  /// 16 on.
  @_noLocks
  private mutating func setXGReverb(_ type: UInt8, _ variation: UInt8) {
    reverbReturn.isOff = type == 0
    switch type {
    case 1: setReverb(variation == 0 ? 3 : 4)
    case 2: setReverb(min(variation, 2))
    case 3: setReverb(3)
    case 4: setReverb(5)
    case 0x10: setReverb(1)
    case 0x11, 0x12: setReverb(4)
    case 0x13: setReverb(0)
    default: break
    }
  }

  /// By its two bytes: no effect 0, choruses 41, celestes 42, flangers 43.
  @_noLocks
  private mutating func setXGChorus(_ type: UInt8, _ variation: UInt8) {
    chorusReturn.isOff = type == 0
    switch type {
    case 0x41: setChorus(min(variation, 3))
    case 0x42: setChorus(0)
    case 0x43: setChorus(5)
    default: break
    }
  }

  /// In seconds. Source: XG Specifications 1.26, effect data table 4.
  @_noLocks
  private static func xgReverbTime(_ value: UInt8) -> Float {
    let value = Float(min(value, 69))
    return switch value {
    case ..<48: 0.3 + 0.1 * value
    case ..<58: 5.5 + 0.5 * (value - 48)
    case ..<68: 11 + value - 58
    default: 25 + 5 * (value - 68)
    }
  }

  /// By its place among `ReverbType.allCases`, with the time of that type; other places are ignored.
  @_noLocks
  private func setReverb(_ place: UInt8) {
    guard place <= 5 else { return }
    reverbType.set(Float(place))
    reverbTime.set(ReverbRoom.standardTime(index: Int32(place)))
  }

  @_noLocks
  private func setChorus(_ place: UInt8) {
    guard place <= 5 else { return }
    let setting = ChorusSetting(index: Int32(place))
    rate.set(setting.rate)
    depth.set(setting.depth / 1000)
    feedback.set(setting.feedback)
  }

  @_noLocks
  private func setRate(_ value: UInt8) {
    rate.set(ChorusSetting(rateValue: Float(value), depthValue: 0, feedbackValue: 0).rate)
  }

  @_noLocks
  private func setDepth(_ value: UInt8) {
    depth.set(ChorusSetting(rateValue: 0, depthValue: Float(value), feedbackValue: 0).depth / 1000)
  }

  @_noLocks
  private func setFeedback(_ value: UInt8) {
    feedback.set(ChorusSetting(rateValue: 0, depthValue: 0, feedbackValue: Float(value)).feedback)
  }

  @_noLocks
  private func set(_ setting: DelaySetting) {
    delayTime.set(setting.time)
    delayFeedback.set(100 * setting.feedback)
  }
}

/// How much of an effect returns: 64 of 127 is all of it; XG's "no effect" returns nothing. [audio thread]
private struct EffectReturn {
  private let share: ParameterWriter
  private var value: UInt8 = 64
  var isOff = false {
    @_noLocks didSet { follow() }
  }

  init(_ parameter: Parameter) { share = parameter.writer }

  @_noLocks
  mutating func set(_ value: UInt8) {
    self.value = value
    follow()
  }

  @_noLocks
  mutating func reset() {
    isOff = false
    set(64)
  }

  @_noLocks
  private func follow() { share.set(isOff ? 0 : Float(value) / 64) }
}
