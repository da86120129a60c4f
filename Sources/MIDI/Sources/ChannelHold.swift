/// What one source holds on one channel: keys, pedals, wheels and pressures away from their rest.
struct ChannelHold: Equatable {
  /// Switches that hold or colour notes for as long as they are down.
  static let pedals: [Controller] = [.sustain, .sostenuto, .soft, .legato]
  private static let bendCentre: UInt32 = 0x8000_0000

  private var keys = KeySet()
  private var pressedKeys = KeySet()
  private var pedals: UInt8 = 0
  private var modulation: UInt32 = 0
  private var pressure: UInt32 = 0
  private var bend = Self.bendCentre

  static let rest = ChannelHold()

  mutating func follow(_ message: MIDIMessage) {
    switch message.kind {
    case .noteOn: keys.insert(message.note)
    case .noteOff:
      keys.remove(message.note)
      pressedKeys.remove(message.note)
    case .polyPressure where message.value32 == 0: pressedKeys.remove(message.note)
    case .polyPressure: pressedKeys.insert(message.note)
    case .channelPressure: pressure = message.value32
    case .pitchBend: bend = message.value32
    case .controlChange: follow(message.controller, message)
    default: break
    }
  }

  private mutating func follow(_ controller: Controller, _ message: MIDIMessage) {
    switch controller {
    case .modulation: modulation = message.value32
    case .resetAllControllers:
      let keys = keys
      self = .rest
      self.keys = keys
    // Omni and mono modes imply all notes off. Source: MIDI 1.0, "Channel Mode Messages".
    case .allSoundOff, .allNotesOff, .omniOff, .omniOn, .monoOn, .polyOn: keys = KeySet()
    default:
      guard let pedal = Self.pedals.firstIndex(of: controller) else { return }
      let bit: UInt8 = 1 << UInt8(pedal)
      if message.value7 >= 64 { pedals |= bit } else { pedals &= ~bit }
    }
  }

  /// What brings to rest all that is held here and by none of `others`.
  func release(channel: UInt8, others: [ChannelHold]) -> [MIDIMessage] {
    var messages: [MIDIMessage] = []
    for key in keys.keys where !others.contains(where: { $0.keys.contains(key) }) {
      messages.append(.noteOff(channel: channel, note: key))
    }
    for key in pressedKeys.keys where !others.contains(where: { $0.pressedKeys.contains(key) }) {
      messages.append(.polyPressure(channel: channel, note: key, value7: 0))
    }
    if bend != Self.bendCentre, others.allSatisfy({ $0.bend == Self.bendCentre }) {
      messages.append(.pitchBend(channel: channel, value32: Self.bendCentre))
    }
    if pressure != 0, others.allSatisfy({ $0.pressure == 0 }) {
      messages.append(.channelPressure(channel: channel, value32: 0))
    }
    if modulation != 0, others.allSatisfy({ $0.modulation == 0 }) {
      messages.append(.controlChange(channel: channel, .modulation, value32: 0))
    }
    let held = others.reduce(pedals) { $0 & ~$1.pedals }
    for (index, pedal) in Self.pedals.enumerated() where held & (1 << UInt8(index)) != 0 {
      messages.append(.controlChange(channel: channel, pedal, value32: 0))
    }
    return messages
  }
}
