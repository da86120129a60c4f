import CSynthRealtime
import Synchronization
import SynthMIDI
import SynthRealtime

/// The MIDI port of a JACK client as a MIDI source. Each event has the host time of its frame, so that a session lets
/// it sound a constant number of frames later.
public final class JACKMIDISource: MIDISource {
  public let name = "JACK"
  /// What comes through the port is all that is known of its sender.
  private let port: MIDIPort
  private let queue: JACKMIDIQueue
  private let losses: @Sendable () -> Int
  private let thread = CheckedMutex<WorkerThread?>(nil)

  init(_ clientName: String, _ queue: JACKMIDIQueue, losses: @escaping @Sendable () -> Int) {
    port = MIDIPort(id: 0, name: "JACK \(clientName):\(JACKClient.midiName)")
    self.queue = queue
    self.losses = losses
  }

  deinit { stop() }

  /// Begins to deliver what arrives, on the source's thread.
  ///
  /// - Throws: `JACKError` where the thread cannot be started, or runs already.
  public func start(_ receive: @escaping @Sendable (MIDISourceEvent) -> Void) throws {
    try thread.withLock { thread in
      guard thread == nil else { throw JACKError("starting MIDI of", port.name, .refused("it is running already")) }
      queue.isStopping.store(false, ordering: .relaxed)
      do throws(WorkerThreadError) {
        thread = try makeThread(receive)
      } catch {
        throw JACKError("starting MIDI of", port.name, .refused("\(error)"))
      }
    }
  }

  public func stop() {
    thread.withLock { thread in
      guard let running = thread else { return }
      queue.isStopping.store(true, ordering: .releasing)
      queue.cycles.pointer.pointee.add(1, ordering: .releasing)
      realtime_wake(queue.cycles.pointer)
      running.join()
      thread = nil
    }
  }

  private func makeThread(
    _ receive: @escaping @Sendable (MIDISourceEvent) -> Void
  ) throws(WorkerThreadError) -> WorkerThread {
    // Not the source itself, which the thread would keep from ever ending it.
    let (queue, port, losses) = (queue, port, losses)
    return try WorkerThread(named: "jack midi", stackSize: WorkerThread.smallStack) {
      let scheduling = RealtimeRequest()
      scheduling.begin()
      scheduling.make()
      var (reader, told) = (MIDIByteReader(), losses())
      while true {
        let seen = queue.cycles.pointer.pointee.load(ordering: .acquiring)
        if queue.isStopping.load(ordering: .acquiring) { break }
        while let piece = queue.pieces.consumer.pop() {
          reader.read(piece.content) { receive(.received($0, from: port, hostTime: piece.hostTime)) }
        }
        if losses() != told {
          (reader, told) = (MIDIByteReader(), losses())
          receive(.eventsLost)
        }
        realtime_sleep(queue.cycles.pointer, seen)
      }
      scheduling.end()
    }
  }
}

/// Pieces of MIDI messages on their way from the process callback.
final class JACKMIDIQueue: Sendable {
  /// 32 kB of messages: what a cable brings in ten seconds.
  let pieces = RingBuffer<JACKMIDIPiece>(minimumCapacity: 4096)
  /// How many cycles have brought some; one more when the thread is to end, which sleeps on it.
  let cycles = Box(Atomic<UInt32>(0))
  let isStopping = Atomic(false)
}

/// Up to eight bytes that came to the MIDI port.
struct JACKMIDIPiece: BitwiseCopyable, Sendable {
  let hostTime: UInt64
  let count: Int
  /// The first is the lowest.
  var bytes: UInt64

  // Written out for the mark.
  @_noLocks
  init(hostTime: UInt64, count: Int, bytes: UInt64) {
    (self.hostTime, self.count, self.bytes) = (hostTime, count, bytes)
  }

  var content: some Sequence<UInt8> { (0..<count).lazy.map { UInt8(truncatingIfNeeded: bytes >> (8 * $0)) } }
}
