import CALSA
import CRealtime
import Glibc
import Synchronization

/// A client of the ALSA sequencer with one input port, and the thread that serves it.
///
/// Instruments that are there are joined at once; those that arrive, or return under another number, as they come. The
/// port may as well be connected and disconnected by others: `aconnect 24:0 synth`, `aplaymidi -p synth song.mid`.
public final class Sequencer: @unchecked Sendable {
  // Unchecked: the loop belongs to its thread while that runs, `thread` guards the rest.

  /// The input port's address.
  public let address: SequencerAddress
  /// What was there and wanted when the sequencer was opened, and has been joined.
  public let present: [SequencerPort]

  private let loop: SequencerLoop
  private let thread = Mutex<pthread_t?>(nil)

  /// Opens the sequencer, makes the client and its port, and joins what is there of `sources`.
  public init(
    clientName: String = "synth", portName: String = "synth input", sources: SourceSelection = .all
  ) throws(SequencerError) {
    loop = try SequencerLoop(try SequencerHandle(clientName: clientName, portName: portName), sources)
    address = loop.input
    present = loop.joinPresent()
  }

  deinit { stop() }

  /// Begins to tell `handler` of what arrives, on a thread of its own, which must not be kept waiting. Called once.
  public func start(_ handler: sending @escaping (SequencerEvent) -> Void) throws(SequencerError) {
    let code: Int32 = thread.withLock { thread in
      guard thread == nil else { return EBUSY }
      loop.handler = handler
      var created = pthread_t()
      let code = createThread(&created)
      if code == 0 { thread = created }
      return code
    }
    if code != 0 { throw SequencerError("starting the MIDI thread", code: -code) }
  }

  /// Ends the thread and waits for it. The port stays open, what arrives is then kept by the kernel.
  public func stop() {
    thread.withLock { thread in
      guard let running = thread else { return }
      eventfd_write(loop.stopSignal, 1)
      pthread_join(running, nil)
      thread = nil
      var count: UInt64 = 0
      eventfd_read(loop.stopSignal, &count)
    }
  }

  private func createThread(_ thread: inout pthread_t) -> Int32 {
    // The loop, not the sequencer: a thread that held that would keep its deinit from ever ending the thread.
    createQuietThread(&thread, Unmanaged.passUnretained(loop).toOpaque()) { argument in
      guard let argument else { return nil }
      let loop = Unmanaged<SequencerLoop>.fromOpaque(argument).takeUnretainedValue()
      realtime_name_thread("midi input")
      let scheduling = RealtimeRequest()
      scheduling.begin()
      scheduling.make()
      loop.run()
      scheduling.end()
      return nil
    }
  }
}
