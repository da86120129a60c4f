/// A channel message of MIDI 1.0: a status byte and one or two data bytes.
package struct ShortMessage: Equatable {
  package let status: UInt8
  package let data1: UInt8
  /// Nil for program change and channel pressure.
  package let data2: UInt8?

  init(_ status: UInt8, _ data1: UInt8, _ data2: UInt8? = nil) {
    (self.status, self.data1, self.data2) = (status, data1, data2)
  }
}

extension MIDIMessage {
  /// As it goes through a cable of MIDI 1.0, values of more bits shortened, with every status byte; nil where MIDI 1.0
  /// has no message for it: for what concerns one note alone, pressure excepted, for relative controllers, and for
  /// System Exclusive. `MIDIByteReader` reads them.
  public var bytes: [UInt8]? {
    shortMessages?.flatMap { [$0.status, $0.data1] + ($0.data2.map { [$0] } ?? []) }
  }

  /// The messages of MIDI 1.0 that say the same, values of more bits shortened; nil where there are none: for what
  /// concerns one note alone, pressure excepted, for relative controllers, and for System Exclusive.
  ///
  /// A program change with a bank and a registered or assignable controller become the control changes that MIDI 1.0
  /// has for them. Source: MIDI 2.0 UMP and Protocol specification, M2-104-UM, appendix D.
  package var shortMessages: [ShortMessage]? {
    func control(_ controller: UInt8, _ value: UInt32) -> ShortMessage {
      ShortMessage(0xB0 | channel, controller, UInt8(value & 0x7F))
    }
    switch kind {
    case .noteOff: return [ShortMessage(0x80 | channel, note, velocity7)]
    case .noteOn: return [ShortMessage(0x90 | channel, note, velocity7)]
    case .polyPressure: return [ShortMessage(0xA0 | channel, note, value7)]
    case .controlChange: return [ShortMessage(0xB0 | channel, controller.rawValue, value7)]
    case .programChange:
      let banks = bank.map { [control(0, UInt32($0 >> 7)), control(32, UInt32($0))] } ?? []
      return banks + [ShortMessage(0xC0 | channel, program)]
    case .channelPressure: return [ShortMessage(0xD0 | channel, value7)]
    case .pitchBend: return [ShortMessage(0xE0 | channel, UInt8(bend14 & 0x7F), UInt8(bend14 >> 7))]
    case .registeredController, .assignableController:
      let first: UInt8 = kind == .registeredController ? 101 : 99
      return [
        control(first, UInt32(parameter >> 7)), control(first - 1, UInt32(parameter)), control(6, value32 >> 25),
        control(38, value32 >> 18),
      ]
    case .relativeRegisteredController, .relativeAssignableController, .registeredPerNoteController,
      .assignablePerNoteController, .perNotePitchBend, .perNoteManagement, .systemExclusive:
      return nil
    }
  }
}
