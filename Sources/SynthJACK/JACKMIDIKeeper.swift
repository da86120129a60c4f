import CSynthJACK
import CSynthRealtime
import Synchronization
import SynthRealtime

/// Keeps what comes to the MIDI port for the source's thread. [audio thread]
struct JACKMIDIKeeper {
  private let pieces: RingBuffer<JACKMIDIPiece>.Producer
  /// The source's thread sleeps on it.
  private let cycles: UnsafeMutablePointer<Atomic<UInt32>>
  private let exchange: UnsafeMutablePointer<JACKExchange>

  /// - Parameter losses: where pieces are counted that find no room.
  init(_ queue: JACKMIDIQueue, losses exchange: UnsafeMutablePointer<JACKExchange>) {
    (pieces, cycles) = (queue.pieces.producer, queue.cycles.pointer)
    self.exchange = exchange
  }

  /// Keeps the events of a cycle, each with the host time of the middle of its frame, so that rounding down finds that
  /// frame again; whether there was one.
  @_noLocks
  func keepEvents(
    _ buffer: UnsafeMutableRawPointer, from begin: UInt64, to end: UInt64, _ nanosecondsPerFrame: Double
  ) -> Bool {
    let count = Int(cjack_event_count(buffer))
    for index in 0..<count {
      var event = jack_midi_event()
      guard cjack_event(buffer, UInt32(truncatingIfNeeded: index), &event), let bytes = event.bytes else { continue }
      let time = begin &+ UInt64((Double(event.time) + 0.5) * nanosecondsPerFrame)
      keep(bytes, event.size, at: min(time, end &- 1))
    }
    return count > 0
  }

  @_noLocks
  private func keep(_ bytes: UnsafePointer<UInt8>, _ count: Int, at time: UInt64) {
    var place = 0
    while place < count {
      var piece = JACKMIDIPiece(hostTime: time, count: min(8, count &- place), bytes: 0)
      for index in 0..<piece.count { piece.bytes |= UInt64(bytes[place &+ index]) << UInt64(8 &* index) }
      if !pieces.push(piece) { exchange.pointee.midiLosses.add(1, ordering: .relaxed) }
      place &+= 8
    }
  }

  /// Wakes the source's thread.
  @_noLocks
  func wake() {
    cycles.pointee.add(1, ordering: .releasing)
    realtime_wake(cycles)
  }
}
