import CSynthALSA
import Glibc
import SynthMIDI
import SynthRealtime

/// The ALSA sequencer as a MIDI source: a client with one input port, and the thread that serves it.
///
/// Ports that are present are joined at once, those that arrive or return later as they come. Other programs may
/// connect and disconnect the input port as well: `aconnect 24:0 synth`, `aplaymidi -p synth song.mid`.
public final class SequencerSource: MIDISource, @unchecked Sendable {
  // Unchecked: the loop belongs to its thread while that runs, `thread` guards the rest.

  public let name = "ALSA sequencer"
  /// The input port's address.
  public let address: SequencerAddress
  /// The ports that were joined when the sequencer was opened.
  public let present: [SequencerPort]

  private let loop: SequencerLoop
  private let thread = CheckedMutex<WorkerThread?>(nil)

  /// Opens the sequencer, makes the client and its port, and joins the ports of `sources` that are present.
  ///
  /// - Throws: `SequencerError`: no sequencer in the kernel, no permission.
  public init(
    clientName: String = "synth", portName: String = "synth input", sources: SourceSelection = .all
  ) throws(SequencerError) {
    loop = try SequencerLoop(try SequencerHandle(clientName: clientName, role: .input(portName)), sources)
    address = loop.input
    present = loop.joinPresent()
  }

  deinit { stop() }

  /// Connects a port to this one, which then is joined; where the source is started, it says so. [control thread]
  ///
  /// - Throws: `SequencerError`: the port is gone, is connected already, or may not be read.
  public func connect(_ source: SequencerPort) throws(SequencerError) {
    try SequencerPorts().connect(source.address, to: address)
  }

  /// Disconnects a port; what it holds is released. [control thread]
  public func disconnect(_ source: SequencerPort) throws(SequencerError) {
    try SequencerPorts().disconnect(source.address, from: address)
  }

  /// Begins to deliver what arrives, on the sequencer's own thread.
  ///
  /// - Throws: `SequencerError` where the thread cannot be started, or runs already.
  public func start(_ receive: @escaping @Sendable (MIDISourceEvent) -> Void) throws(SequencerError) {
    try thread.withLock { thread throws(SequencerError) in
      guard thread == nil else { throw SequencerError("starting the MIDI thread", code: -EBUSY) }
      loop.receive = receive
      do throws(WorkerThreadError) {
        thread = try makeThread()
      } catch {
        throw SequencerError("starting the MIDI thread", code: -error.code)
      }
    }
  }

  /// Ends the thread and waits for it. The port stays open; the kernel keeps up to 2000 events that arrive meanwhile.
  public func stop() {
    thread.withLock { thread in
      guard let running = thread else { return }
      eventfd_write(loop.stopSignal, 1)
      running.join()
      thread = nil
      loop.receive = { _ in }
      var count: UInt64 = 0
      eventfd_read(loop.stopSignal, &count)
    }
  }

  private func makeThread() throws(WorkerThreadError) -> WorkerThread {
    // The loop, not the sequencer: a thread that held that would keep its deinit from ever ending the thread.
    try WorkerThread(named: "midi input", stackSize: WorkerThread.smallStack) { [loop] in
      let scheduling = RealtimeRequest()
      scheduling.begin()
      scheduling.make()
      loop.run()
      scheduling.end()
    }
  }
}

/// An error of the ALSA sequencer.
public struct SequencerError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong.
  public enum Cause: Sendable, Equatable {
    /// The kernel has no sequencer, or has not loaded it.
    case absent
    /// The user may not open it.
    case permissionDenied
    /// The kernel has no room for another message that waits for its time.
    case full
    /// Another error, as alsa-lib describes it.
    case failed(String)
  }

  /// What was being done: "opening the MIDI sequencer".
  public let operation: String
  /// What is wrong.
  public let cause: Cause

  /// An error from a negative return value of alsa-lib.
  package init(_ operation: String, code: Int32) {
    self.operation = operation
    cause =
      switch -code {
      case ENOENT, ENODEV, ENXIO: .absent
      case EACCES, EPERM: .permissionDenied
      default: .failed(String(cString: snd_strerror(code)))
      }
  }

  init(_ operation: String, _ cause: Cause) { (self.operation, self.cause) = (operation, cause) }

  public var description: String {
    switch cause {
    case .absent: "\(operation): there is no /dev/snd/seq — load the kernel's sequencer: sudo modprobe snd-seq"
    case .permissionDenied:
      "\(operation): permission denied for /dev/snd/seq — add yourself to the group audio "
        + "(sudo usermod -aG audio $USER), then log in again"
    case .full: "\(operation): 2000 wait for their time already — send it later"
    case .failed(let text): "\(operation): \(text) — see what is connected with aconnect -l"
    }
  }
}
