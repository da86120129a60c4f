import ALSA
import Instruments
import MIDI

/// Where live events go. [one thread at a time]
protocol EventSink {
  /// False when the event was dropped.
  func send(_ event: MIDIEvent) -> Bool
  /// False when the message was dropped; the bytes are copied.
  func send(systemExclusive payload: UnsafeBufferPointer<UInt8>, time: Int64, source: UInt32) -> Bool
}

extension EventInput: EventSink {}

/// Turns what a sequencer tells into events of an instrument, and releases what a source held when it leaves.
/// [sequencer thread]
struct LiveInput<Sink: EventSink> {
  private let sink: Sink
  /// The frame at which what happened at a host time is to be heard.
  private let sampleTime: (_ hostTime: UInt64) -> Int64
  private var held = HeldState()
  private var readers: [UInt32: MIDIByteReader] = [:]
  /// What has to be released, but found no room yet.
  private var owed: [MIDIMessage] = []
  /// Messages that found no room.
  private(set) var dropCount = 0

  init(_ sink: Sink, sampleTime: @escaping (_ hostTime: UInt64) -> Int64) {
    self.sink = sink
    self.sampleTime = sampleTime
  }

  mutating func receive(_ event: SequencerEvent) {
    switch event {
    case .bytes(let bytes, let address, let hostTime):
      let source = address.source
      let time = sampleTime(hostTime)
      var reader = readers[source] ?? MIDIByteReader()
      reader.read(bytes) { play($0, from: source, at: time) }
      readers[source] = reader
    case .joined: break
    case .departed(let port): release(port.address)
    case .fellSilent(let address): release(address)
    case .eventsLost: releaseAll()
    }
  }

  private mutating func play(_ item: MIDIByteReader.Item, from source: UInt32, at time: Int64) {
    if !(payDebts(at: time) && send(item, from: source, at: time)) { dropCount += 1 }
  }

  /// False when the item was dropped.
  private mutating func send(_ item: MIDIByteReader.Item, from source: UInt32, at time: Int64) -> Bool {
    switch item {
    case .message(let message):
      held.follow(message, from: source)
      if sink.send(MIDIEvent(time: time, message: message, source: source)) { return true }
      if message.kind != .noteOn { owed.append(message) }
      owed += held.releaseMessages()
      return false
    case .systemExclusive(let payload):
      return payload.withUnsafeBufferPointer { sink.send(systemExclusive: $0, time: time, source: source) }
    case .reset:
      // A receiver returns to its state at power-up; instruments know that as General MIDI System On.
      let systemOn: [UInt8] = [0x7E, 0x7F, 0x09, 0x01]
      let isSent = systemOn.withUnsafeBufferPointer { sink.send(systemExclusive: $0, time: time, source: source) }
      if !isSent { owed += held.releaseMessages() }
      held = HeldState()
      return isSent
    }
  }

  private mutating func release(_ address: SequencerAddress) {
    readers[address.source] = nil
    owed += held.releaseMessages(of: address.source)
    _ = payDebts(at: sampleTime(HostClock.now))
  }

  /// Among what was lost may be note offs.
  private mutating func releaseAll() {
    readers.removeAll()
    owed += held.releaseMessages()
    _ = payDebts(at: sampleTime(HostClock.now))
  }

  /// Sends what is owed, as far as there is room; whether nothing is owed any more.
  private mutating func payDebts(at time: Int64) -> Bool {
    let unpaid = owed.firstIndex { !sink.send(MIDIEvent(time: time, message: $0)) } ?? owed.endIndex
    owed.removeSubrange(..<unpaid)
    return owed.isEmpty
  }
}

extension SequencerAddress {
  /// The number of `MIDIEvent.source`.
  var source: UInt32 { UInt32(client) << 8 | UInt32(port) }
}
