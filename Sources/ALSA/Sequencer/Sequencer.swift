import CALSA
import Glibc
import Realtime
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
  private let thread = Mutex<QuietThread?>(nil)

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
    try thread.withLock { thread throws(SequencerError) in
      guard thread == nil else { throw SequencerError("starting the MIDI thread", code: -EBUSY) }
      loop.handler = handler
      do throws(QuietThreadError) {
        thread = try makeThread()
      } catch {
        throw SequencerError("starting the MIDI thread", code: -error.code)
      }
    }
  }

  /// Ends the thread and waits for it. The port stays open, what arrives is then kept by the kernel.
  public func stop() {
    thread.withLock { thread in
      guard let running = thread else { return }
      eventfd_write(loop.stopSignal, 1)
      running.join()
      thread = nil
      var count: UInt64 = 0
      eventfd_read(loop.stopSignal, &count)
    }
  }

  private func makeThread() throws(QuietThreadError) -> QuietThread {
    // The loop, not the sequencer: a thread that held that would keep its deinit from ever ending the thread.
    try QuietThread(named: "midi input", stackSize: QuietThread.alsaStackSize) { [loop] in
      let scheduling = RealtimeRequest()
      scheduling.begin()
      scheduling.make()
      loop.run()
      scheduling.end()
    }
  }
}
