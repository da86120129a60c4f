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
  private var delay: DelayControls
  private let reverbOnset: OnsetControls
  private let chorusOnset: OnsetControls
  private let delayOnset: OnsetControls
  private let initialReverb: ParameterReader
  private let initialChorus: ParameterReader
  private let initialDelay: ParameterReader
  private var reverbReturn: EffectReturn
  private var chorusReturn: EffectReturn
  private var delayReturn: EffectReturn
  /// How much of the chorus and of the delay the reverb hears, and how much of the chorus the delay hears.
  private let chorusInReverb: ParameterWriter
  private let delayInReverb: ParameterWriter
  private let chorusInDelay: ParameterWriter
  /// How much of what is sent to the reverb the delay hears.
  private let reverbSendInDelay: ParameterWriter
  /// The first byte of XG's, whose parameters depend on it.
  private var xgChorusType: UInt8 = 0x41
  /// Whether GS has a delay in the place of the reverb.
  private var reverbIsDelay = false
  /// Whether controller 94 is what the delay is sent: not in General MIDI 1 and 2, where it is the depth of a detuning,
  /// nor in XG while the variation is an insertion effect, as it is at first.
  private(set) var receivesDelaySend = true

  init(_ controls: EffectControls) {
    reverbType = controls.reverb.type.writer
    reverbTime = controls.reverb.time.writer
    rate = controls.chorus.rate.writer
    depth = controls.chorus.depth.writer
    feedback = controls.chorus.feedback.writer
    delay = DelayControls(controls.delay)
    let pans = (0..<3).map { controls.returnPans.dropFirst($0).first }
    let (reverb, chorus, taps) = (controls.reverb, controls.chorus, controls.delay)
    reverbOnset = OnsetControls(highCut: reverb.highCut, preDelay: reverb.preDelay, pan: pans[0])
    chorusOnset = OnsetControls(highCut: chorus.highCut, preDelay: chorus.preDelay, pan: pans[1])
    delayOnset = OnsetControls(highCut: taps.highCut, preDelay: taps.preDelay, pan: pans[2])
    initialReverb = controls.initialReverb.reader
    initialChorus = controls.initialChorus.reader
    initialDelay = controls.initialDelay.reader
    reverbReturn = EffectReturn(controls.reverb.returnLevel)
    chorusReturn = EffectReturn(controls.chorus.returnLevel)
    delayReturn = EffectReturn(controls.delay.returnLevel)
    chorusInReverb = controls.reverb.inputShares[0].writer
    delayInReverb = controls.reverb.inputShares[1].writer
    chorusInDelay = controls.delay.inputShares[0].writer
    reverbSendInDelay = controls.delay.inputShares[1].writer
  }

  /// - Parameter reset: nil for a new song.
  @_noLocks
  mutating func reset(_ reset: SystemReset?) {
    setReverb(UInt8(initialReverb.renderValue))
    setChorus(UInt8(initialChorus.renderValue))
    setDelay(Int32(initialDelay.renderValue))
    if case .xg? = reset { setXGDelay(5) }
    xgChorusType = 0x41
    reverbOnset.reset()
    chorusOnset.reset()
    delayOnset.reset()
    reverbReturn.reset()
    chorusReturn.reset()
    delayReturn.reset()
    chorusInReverb.set(0)
    chorusInDelay.set(0)
    setReverbIsDelay(false)
    receivesDelaySend = Self.receivesDelaySend(after: reset) ?? receivesDelaySend
  }

  /// Whether a parameter sets the delay, or sends something to it: the delay of GS and what GS has in the place of the
  /// reverb, the variation of XG.
  static func concernsDelay(_ model: ParameterData.Model, _ address: UInt32, _ value: UInt8) -> Bool {
    switch (model, address) {
    case (.gs, 0x40_01_50...0x40_01_5A), (.xg, 0x02_01_40...0x02_01_5A): true
    case (.gs, 0x40_01_30), (.gs, 0x40_01_31): value == 6 || value == 7
    case (.gs, 0x40_01_40): value > 0
    default: false
    }
  }

  /// Whether controller 94 is what the delay is sent once a reset has come, nil for a new song.
  ///
  /// - Returns: nil for as before.
  @_noLocks
  static func receivesDelaySend(after reset: SystemReset?) -> Bool? {
    switch reset {
    case .gm, .gm2, .xg: false
    case .gs, nil: true
    case .gmOff: nil
    }
  }

  @_noLocks
  func receive(_ message: EffectMessage) {
    for index in 0..<message.count { _ = receive(message, at: index) }
  }

  /// Receives one of the pairs; false for a parameter that is left out.
  @_noLocks
  func receive(_ message: EffectMessage, at index: Int) -> Bool {
    let (parameter, value) = message.pair(index)
    switch (message.effect, parameter) {
    case (.reverb, 0): setReverb(value == 8 ? 5 : value)
    case (.reverb, 1): reverbTime.set(ReverbRoom.time(Float(value)))
    case (.chorus, 0): setChorus(value)
    case (.chorus, 1): setRate(value)
    case (.chorus, 2): setDepth(value)
    case (.chorus, 3): setFeedback(value)
    case (.chorus, 4): chorusInReverb.set(DelaySetting.level(value))
    default: return false
    }
    return true
  }

  @_noLocks
  mutating func receive(_ data: ParameterData) {
    for index in 0..<data.count { _ = receive(data, at: index) }
  }

  /// Receives one of the parameters; false for one that is not an effect's, or that is left out.
  @_noLocks
  mutating func receive(_ data: ParameterData, at index: Int) -> Bool {
    let (address, value) = (data.address(of: index), data.value(index) & 0x7F)
    switch (data.model, address >> 8) {
    case (.gs, 0x40_01): return receiveGS(address & 0x7F, value)
    case (.xg, 0x02_01): return receiveXG(address & 0x7F, value, data.value(after: index) & 0x7F)
    default: return false
    }
  }

  /// 40 01 xx.
  @_noLocks
  private mutating func receiveGS(_ address: UInt32, _ value: UInt8) -> Bool {
    switch address {
    case 0x30...0x37: return receiveGSReverb(address, value)
    case 0x38:
      setChorus(value)
      chorusOnset.open()
      chorusReturn.set(64)
      chorusInReverb.set(0)
      chorusInDelay.set(0)
    case 0x39: chorusOnset.setGSHighCut(value)
    case 0x3A: chorusReturn.set(value)
    case 0x3B: setFeedback(value)
    case 0x3D: setRate(value)
    case 0x3E: setDepth(value)
    case 0x3F: chorusInReverb.set(DelaySetting.level(value))
    case 0x40: chorusInDelay.set(DelaySetting.level(value))
    case 0x50 where value < 10:
      setDelay(Int32(value))
      delayOnset.open()
      delayReturn.set(64)
    case 0x51: delayOnset.setGSHighCut(value)
    case 0x52...0x57, 0x59: delay.receiveGS(address, value)
    case 0x58: delayReturn.set(value)
    case 0x5A: delayInReverb.set(DelaySetting.level(value))
    default: return false
    }
    return true
  }

  /// Macros and characters 6 and 7 are delays in the place of the reverb: the delay hears what is sent to the reverb.
  @_noLocks
  private mutating func receiveGSReverb(_ address: UInt32, _ value: UInt8) -> Bool {
    switch address {
    case 0x30:
      guard value < 8 else { return false }
      setReverb(value)
      reverbOnset.open()
      reverbReturn.set(64)
      setReverbIsDelay(value > 5)
    case 0x31:
      guard value < 8 else { return false }
      if value <= 5 { reverbType.set(Float(value)) }
      setReverbIsDelay(value > 5)
    case 0x32: reverbOnset.setGSHighCut(value)
    case 0x33:
      reverbReturn.set(value)
      setReverbIsDelay(reverbIsDelay)
    case 0x34: reverbTime.set(ReverbRoom.time(Float(value)))
    // Of the two delays in the place of the reverb.
    case 0x35: if reverbIsDelay { delay.receiveGS(0x59, value) }
    case 0x37: reverbOnset.setGSPreDelay(value)
    default: return false
    }
    return true
  }

  @_noLocks
  private mutating func setReverbIsDelay(_ isDelay: Bool) {
    if isDelay != reverbIsDelay { reverbReturn.isOff = isDelay }
    reverbIsDelay = isDelay
    reverbSendInDelay.set(isDelay ? reverbReturn.share : 0)
  }

  /// 02 01 xx.
  ///
  /// - Parameter next: the second byte of a parameter that has two.
  @_noLocks
  private mutating func receiveXG(_ address: UInt32, _ value: UInt8, _ next: UInt8) -> Bool {
    switch address {
    case 0x00: setXGReverb(value, next)
    case 0x02: reverbTime.set(Self.xgReverbTime(value))
    case 0x06: reverbOnset.setXGPreDelay(next)
    case 0x0A: reverbOnset.setXGHighCut(next)
    case 0x0C: reverbReturn.set(value)
    case 0x0D: reverbOnset.setPan(value)
    case 0x20: setXGChorus(value, next)
    case 0x22, 0x24, 0x26: return receiveXGChorus(address, next)
    case 0x2C: chorusReturn.set(value)
    case 0x2D: chorusOnset.setPan(value)
    case 0x2E: chorusInReverb.set(Float(value) / 64)
    case 0x40: setXGDelay(value)
    case 0x42...0x4D: return delay.receiveXG(address, value, next)
    case 0x56: delayReturn.set(value)
    case 0x57: delayOnset.setPan(value)
    case 0x58: delayInReverb.set(Float(value) / 64)
    case 0x5A: receivesDelaySend = value == 1
    // No way from the variation to the chorus, and no part that it is inserted into, are as it is here.
    case 0x59: return value == 0
    case 0x5B: return value == 0x7F
    // The second bytes of those above.
    case 0x01, 0x07, 0x0B, 0x21, 0x23, 0x25, 0x27, 0x41: break
    default: return false
    }
    return true
  }

  /// By its two bytes: no effect 0, halls 1, rooms 2, stages 3, plates 4; white room, tunnel, canyon and basement from
  /// 16 on.
  @_noLocks
  private mutating func setXGReverb(_ type: UInt8, _ variation: UInt8) {
    reverbReturn.isOff = type == 0
    reverbOnset.open()
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
    xgChorusType = type
    chorusOnset.open()
    switch type {
    case 0x41: setChorus(min(variation, 3))
    case 0x42: setChorus(0)
    case 0x43: setChorus(5)
    default: break
    }
  }

  /// The parameters of choruses, celestes and flangers.
  @_noLocks
  private func receiveXGChorus(_ address: UInt32, _ value: UInt8) -> Bool {
    guard (0x41...0x43).contains(xgChorusType) else { return false }
    switch address {
    case 0x22: rate.set(Self.xgRate(value))
    case 0x24: setDepth(value)
    // Below 64 XG turns the phase over; here it stays.
    default: setFeedback(UInt8(clamping: min(2 * abs(Int32(value) &- 64), 127)))
    }
    return true
  }

  /// In hertz, 16 at most. Source: XG Specifications 1.26, effect data table 1.
  @_noLocks
  private static func xgRate(_ value: UInt8) -> Float {
    let value = Float(value & 0x7F)
    let steps: Float =
      switch value {
      case ...64: value
      case ...76: 64 + 2 * (value - 64)
      case ...88: 88 + 4 * (value - 76)
      case ...101: 136 + 8 * (value - 88)
      default: 240 + 16 * (value - 101)
      }
    return min(0.042_06 * steps, 16)
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

  /// By its place among `ChorusType.allCases`; GS's two short delays behind them are choruses that stand still.
  @_noLocks
  private func setChorus(_ place: UInt8) {
    guard place <= 7 else { return }
    let setting =
      place <= 5
      ? ChorusSetting(index: Int32(place))
      : ChorusSetting(rateValue: 0, depthValue: 127, feedbackValue: place == 6 ? 0 : 80)
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

  /// By the first byte of its number; what is no delay returns nothing.
  @_noLocks
  private mutating func setXGDelay(_ type: UInt8) { delayReturn.isOff = !delay.setXGType(type) }

  /// By its place among `DelayType.allCases`.
  @_noLocks
  private mutating func setDelay(_ place: Int32) {
    let setting = DelaySetting(index: place)
    delay.set(setting)
    delayInReverb.set(setting.reverbShare)
  }
}

/// How much of an effect returns: 64 of 127 is all of it; XG's "no effect" returns nothing. [audio thread]
private struct EffectReturn {
  private let parameter: ParameterWriter
  private var value: UInt8 = 64
  var isOff = false {
    @_noLocks didSet { follow() }
  }

  init(_ parameter: Parameter) { self.parameter = parameter.writer }

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

  /// What returns of an effect that is not off.
  var share: Float { @_noLocks get { Float(value) / 64 } }

  @_noLocks
  private func follow() { parameter.set(isOff ? 0 : share) }
}
