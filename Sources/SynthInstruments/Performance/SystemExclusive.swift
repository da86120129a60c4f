/// What a System Exclusive message says; it is read once, before anything plays. [any thread]
///
/// The device a message is for is ignored: FluidSynth and General MIDI speak to all, GS and XG files mostly to device
/// 16.
public enum SystemExclusive {
  /// Returns the instruments to their initial state.
  case reset(SystemReset)
  /// Settings of parts, each of which is played by itself.
  case parts(PartMessage)
  /// One setting of a part.
  case part(PartChange)
  /// The MIDI Tuning Standard.
  case tuning(TuningMessage)
  /// Settings of reverb and chorus by General MIDI 2.
  case effects(EffectMessage)
  /// Volume and balance of all channels.
  case master(MasterMessage)
  /// What keys of a drum channel are told by General MIDI 2.
  case keyBased(KeyBasedControl)
  /// Parameters of GS or XG; each part of the synthesizer follows those that are its own.
  case parameters(ParameterData)
  /// All other messages, among them those that are no System Exclusive.
  case other

  /// - Parameter payload: the bytes between F0 and F7, which must outlive this value.
  @_noLocks
  public init(_ payload: UnsafeBufferPointer<UInt8>) {
    self = .other
    guard let bytes = payload.baseAddress else { return }
    if let reset = SystemReset(bytes, payload.count) {
      self = .reset(reset)
    } else if let message = PartMessage(bytes, payload.count) {
      self = .parts(message)
    } else if let message = TuningMessage(bytes, payload.count) {
      self = .tuning(message)
    } else if let message = EffectMessage(bytes, payload.count) {
      self = .effects(message)
    } else if let message = MasterMessage(bytes, payload.count) {
      self = .master(message)
    } else if let control = KeyBasedControl(bytes, payload.count) {
      self = .keyBased(control)
    } else if let data = ParameterData(bytes, payload.count) {
      self = .parameters(data)
    }
  }
}

/// A message that returns the instruments to their initial state.
public enum SystemReset: BitwiseCopyable, Sendable {
  /// General MIDI 1 on.
  case gm
  /// General MIDI 2 on.
  case gm2
  /// General MIDI off: the initial state.
  case gmOff
  /// A reset of Roland's GS, or a mode of the SC-88.
  case gs
  /// A reset of Yamaha's XG, or of all its parameters.
  case xg

  /// - Returns: nil if the message is no reset.
  @_noLocks
  fileprivate init?(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    guard count >= 4 else { return nil }
    switch bytes[0] {
    case 0x7E where count == 4 && bytes[2] == 0x09 && (1...3).contains(bytes[3]):
      self = bytes[3] == 1 ? .gm : bytes[3] == 2 ? .gmOff : .gm2
    // Model 42: address 40 00 7F, data 00, and the mode of the SC-88, address 00 00 7F, data 00 or 01.
    case 0x41 where count == 9 && bytes[2] == 0x42 && bytes[3] == 0x12:
      guard bytes[5] == 0, bytes[6] == 0x7F, bytes[4] == 0x40 && bytes[7] == 0 || bytes[4] == 0 && bytes[7] <= 1 else {
        return nil
      }
      self = .gs
    // Model 4C: address 00 00 7E is XG on, 00 00 7F the reset of all parameters.
    case 0x43 where count == 7 && bytes[2] == 0x4C && bytes[3] | bytes[4] | bytes[6] == 0 && bytes[5] >= 0x7E:
      self = .xg
    default: return nil
    }
  }
}

/// General MIDI 2's Global Parameter Control, the settings of reverb and chorus, read in place. Source: CA-024, MIDI
/// Manufacturers Association.
public struct EffectMessage {
  enum Effect { case reverb, chorus }

  let effect: Effect
  /// How many pairs of a parameter and its value there are.
  let count: Int
  private let pairs: UnsafePointer<UInt8>

  /// The lengths of slot path, parameter and value are all 1; the slot is 0101 for reverb and 0102 for chorus.
  ///
  /// - Returns: nil if the message sets no effect.
  @_noLocks
  fileprivate init?(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    guard count > 10, bytes[0] == 0x7F, bytes[2] == 0x04, bytes[3] == 0x05 else { return nil }
    guard bytes[4] == 1, bytes[5] == 1, bytes[6] == 1, bytes[7] == 1 else { return nil }
    switch bytes[8] {
    case 1: effect = .reverb
    case 2: effect = .chorus
    default: return nil
    }
    self.count = (count &- 9) / 2
    pairs = bytes + 9
  }

  @_noLocks
  func pair(_ index: Int) -> (parameter: UInt8, value: UInt8) { (pairs[2 &* index], pairs[2 &* index &+ 1]) }
}
