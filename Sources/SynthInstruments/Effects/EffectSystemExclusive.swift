import AudioGraph
import SynthDSP

/// The settings of reverb and chorus by System Exclusive: General MIDI 2's Global Parameter Control, the macros of GS
/// and the types of XG. [audio thread]
struct EffectSystemExclusive {
  private let reverbType: ParameterWriter
  private let reverbTime: ParameterWriter
  private let rate: ParameterWriter
  private let depth: ParameterWriter
  private let feedback: ParameterWriter
  private let initialReverb: ParameterReader
  private let initialChorus: ParameterReader

  init(_ controls: EffectControls) {
    reverbType = controls.reverb.type.writer
    reverbTime = controls.reverb.time.writer
    rate = controls.chorus.rate.writer
    depth = controls.chorus.depth.writer
    feedback = controls.chorus.feedback.writer
    initialReverb = controls.initialReverb.reader
    initialChorus = controls.initialChorus.reader
  }

  @_noLocks
  func reset() {
    setReverb(UInt8(initialReverb.renderValue))
    setChorus(type: UInt8(initialChorus.renderValue))
  }

  @_noLocks
  func receive(_ message: EffectMessage) {
    let (bytes, count) = (message.bytes, message.count)
    switch message.form {
    case .globalParameters: receiveGlobalParameters(bytes, count)
    case .gs:
      // The last byte is the checksum.
      for index in 7..<count &- 1 { receiveGS(bytes[6] &+ UInt8(truncatingIfNeeded: index &- 7), bytes[index]) }
    case .xg: receiveXG(bytes[5], bytes[6], bytes[7])
    }
  }

  /// MMA CA-024: lengths of slot path, parameter and value, all 1; the slot, 0101 for reverb and 0102 for chorus; then
  /// pairs.
  @_noLocks
  private func receiveGlobalParameters(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    guard bytes[4] == 1, bytes[5] == 1, bytes[6] == 1, bytes[7] == 1 else { return }
    var index = 9
    while index &+ 1 < count {
      let value = Float(bytes[index &+ 1])
      switch (bytes[8], bytes[index]) {
      case (1, 0): setReverb(bytes[index &+ 1] == 8 ? 5 : bytes[index &+ 1])
      case (1, 1): reverbTime.set(ReverbRoom.time(value))
      case (2, 0): setChorus(type: bytes[index &+ 1])
      case (2, 1): rate.set(ChorusSetting(rateValue: value, depthValue: 0, feedbackValue: 0).rate)
      case (2, 2): depth.set(ChorusSetting(rateValue: 0, depthValue: value, feedbackValue: 0).depth / 1000)
      case (2, 3): feedback.set(ChorusSetting(rateValue: 0, depthValue: 0, feedbackValue: value).feedback)
      default: break
      }
      index &+= 2
    }
  }

  /// The part of GS at 40 01 xx. Its two delays among the reverbs, and among the choruses, have no counterpart here.
  @_noLocks
  private func receiveGS(_ address: UInt8, _ value: UInt8) {
    switch address {
    case 0x30: setReverb(value)
    case 0x34: reverbTime.set(ReverbRoom.time(Float(value)))
    case 0x38: setChorus(type: value)
    case 0x3B: feedback.set(ChorusSetting(rateValue: 0, depthValue: 0, feedbackValue: Float(value)).feedback)
    case 0x3D: rate.set(ChorusSetting(rateValue: Float(value), depthValue: 0, feedbackValue: 0).rate)
    case 0x3E: depth.set(ChorusSetting(rateValue: 0, depthValue: Float(value), feedbackValue: 0).depth / 1000)
    default: break
    }
  }

  /// Types are two bytes: halls 1, rooms 2, stages 3, plates 4; choruses 41, celestes 42, flangers 43.
  @_noLocks
  private func receiveXG(_ address: UInt8, _ type: UInt8, _ variation: UInt8) {
    switch (address, type) {
    case (0x00, 1): setReverb(variation == 0 ? 3 : 4)
    case (0x00, 2): setReverb(min(variation, 2))
    case (0x00, 3): setReverb(3)
    case (0x00, 4): setReverb(5)
    case (0x20, 0x41): setChorus(type: min(variation, 3))
    case (0x20, 0x42): setChorus(type: 0)
    case (0x20, 0x43): setChorus(type: 5)
    default: break
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
  private func setChorus(type: UInt8) {
    guard type <= 5 else { return }
    setChorus(ChorusSetting(index: Int32(type)))
  }

  @_noLocks
  private func setChorus(_ setting: ChorusSetting) {
    rate.set(setting.rate)
    depth.set(setting.depth / 1000)
    feedback.set(setting.feedback)
  }
}
