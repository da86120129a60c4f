import SynthInstruments
import SynthMIDI
import SynthRealtime

/// Where merged events go: the rack's event input, or a test's. Called by one thread at a time. [any thread]
protocol EventSink {
  /// False when the event was dropped.
  func send(_ event: MIDIEvent) -> Bool
  /// False when the message was dropped; the bytes are copied.
  func send(systemExclusive payload: UnsafeBufferPointer<UInt8>, time: Int64, source: UInt32) -> Bool
}

extension EventInput: EventSink {}

/// Turns what several sources deliver into one stream of events, and releases what a port held when it leaves.
/// Called by one thread at a time. [any thread]
struct MIDIMerge<Sink: EventSink & Sendable>: Sendable {
  private struct Origin: Hashable {
    let source: Int
    let port: UInt32
  }

  private let sink: Sink
  private let sampleTime: @Sendable (_ hostTime: UInt64) -> Int64
  private var held = HeldState()
  /// The number of each port, that of `MIDIEvent.source`.
  private var numbers: [Origin: UInt32] = [:]
  private var nextNumber: UInt32 = 1
  /// Releases that found no room yet.
  private var owed: [MIDIMessage] = []
  /// Messages that found no room.
  private(set) var dropCount = 0

  init(_ sink: Sink, sampleTime: @escaping @Sendable (_ hostTime: UInt64) -> Int64) {
    self.sink = sink
    self.sampleTime = sampleTime
  }

  mutating func receive(_ event: MIDISourceEvent, from source: Int) {
    switch event {
    case .received(.clock, _, _): break
    case .received(let content, let port, let hostTime):
      let time = sampleTime(hostTime == 0 ? HostClock.now : hostTime)
      let number = number(of: Origin(source: source, port: port.id))
      if !(payDebts(at: time) && send(content, from: number, at: time)) { dropCount += 1 }
    case .joined: break
    case .departed(let port), .fellSilent(let port): release { $0 == Origin(source: source, port: port.id) }
    case .eventsLost: release { $0.source == source }
    }
  }

  private mutating func number(of origin: Origin) -> UInt32 {
    if let number = numbers[origin] { return number }
    defer { nextNumber &+= 1 }
    numbers[origin] = nextNumber
    return nextNumber
  }

  /// False when the content was dropped.
  private mutating func send(_ content: MIDISourceEvent.Content, from source: UInt32, at time: Int64) -> Bool {
    switch content {
    case .message(let message):
      guard held.follow(message, from: source, at: time) else { return true }
      if sink.send(MIDIEvent(time: time, message: message, source: source)) { return true }
      if message.kind != .noteOn { owed.append(message) }
      owed += held.releaseMessages()
      return false
    case .systemExclusive(let payload):
      return payload.withUnsafeBufferPointer { sink.send(systemExclusive: $0, time: time, source: source) }
    case .reset:
      let isSent = MIDISourceEvent.systemOn.withUnsafeBufferPointer {
        sink.send(systemExclusive: $0, time: time, source: source)
      }
      if !isSent { owed += held.releaseMessages() }
      held = HeldState()
      return isSent
    case .clock: return true
    }
  }

  /// Releases what the ports hold: they have left, or a note off of theirs may be lost.
  private mutating func release(where isMeant: (Origin) -> Bool) {
    let meant = numbers.filter { isMeant($0.key) }
    for (origin, number) in meant.sorted(by: { $0.value < $1.value }) {
      numbers[origin] = nil
      owed += held.releaseMessages(of: number)
    }
    _ = payDebts(at: sampleTime(HostClock.now))
  }

  /// Sends what is owed, as far as there is room; whether nothing is owed any more.
  private mutating func payDebts(at time: Int64) -> Bool {
    let unpaid = owed.firstIndex { !sink.send(MIDIEvent(time: time, message: $0)) } ?? owed.endIndex
    owed.removeSubrange(..<unpaid)
    return owed.isEmpty
  }
}
