import SynthMIDI

extension Song {
  /// Whether it sends anything to the delay, or sets it. [any thread]
  package var usesDelay: Bool {
    var isReceived = true
    return events.contains { event in
      switch event.message.kind {
      case .controlChange: isReceived && Self.isSend(event.message)
      case .systemExclusive:
        payload(of: event).withUnsafeBufferPointer { Self.usesDelay(SystemExclusive($0), isReceived: &isReceived) }
      default: false
      }
    }
  }

  private static func isSend(_ message: MIDIMessage) -> Bool {
    message.kind == .controlChange && message.controller == .delaySend && message.value7 > 0
  }

  /// - Parameter isReceived: whether controller 94 is what the delay is sent, before the message and after it.
  private static func usesDelay(_ systemExclusive: SystemExclusive, isReceived: inout Bool) -> Bool {
    switch systemExclusive {
    case .reset(let reset):
      isReceived = SystemEffects.receivesDelaySend(after: reset) ?? isReceived
      return false
    case .parameters(let data):
      for index in 0..<data.count where data.model == .xg && data.address(of: index) == 0x02_01_5A {
        isReceived = data.value(index) == 1
      }
      return (0..<data.count).contains { SystemEffects.concernsDelay(data.model, data.address(of: $0), data.value($0)) }
    case .parts(var message):
      while let change = message.next() {
        if isReceived, let message = change.message, isSend(message) { return true }
      }
      return false
    case .part, .tuning, .effects, .master, .keyBased, .other: return false
    }
  }
}
