import SynthMIDI

extension MIDIFile {
  /// The events of all tracks as text, one word each: `0:on60`, `96:sysex[1,2]`, `0:meta3[65]`.
  var summary: [String] {
    events.map { event in
      switch event.content {
      case .message(let message):
        switch message.kind {
        case .noteOn: "\(event.tick):on\(message.note)"
        case .noteOff: "\(event.tick):off\(message.note)"
        case .controlChange: "\(event.tick):cc\(message.controller.rawValue)=\(message.value7)"
        case .programChange: "\(event.tick):program\(message.program)"
        default: "\(event.tick):\(message.kind)"
        }
      case .systemExclusive(let payload): "\(event.tick):sysex\(Array(bytes(of: payload)))"
      case .escape(let payload): "\(event.tick):escape\(Array(bytes(of: payload)))"
      case .meta(let payload, let type): "\(event.tick):meta\(type.rawValue)\(Array(bytes(of: payload)))"
      }
    }
  }
}
