import SynthRealtime

/// An open capture device, and the thread that reads it.
///
/// Opening comes first: it determines the rate and channel count of the stream. `start`, `stop` and `wait` follow, from
/// any thread; after `wait` the input may be started again.
///
/// The stream has no gaps. Where the device ran over, was suspended or is away, there is silence for as long. A device
/// that was removed is waited for, by its card's stable name, and so are the request's fallbacks: the first that can be
/// opened with the rate and the channels of the stream goes on.
///
/// The device is the clock. `null` and `file` have no clock: they are read at the pace of the host's.
public final class PCMInput: @unchecked Sendable {
  // Unchecked: `work` belongs to the thread while that runs, the exchange is atomic, `thread` guards the rest.

  /// What the first device has granted.
  public let parameters: PCMParameters

  private let shared = Box(PCMExchange(RouteNews()))
  private let work: Box<CaptureThread>
  private let thread = CheckedMutex<WorkerThread?>(nil)

  /// Opens the device and negotiates its parameters. Returns at once, also if the device is busy. [control thread]
  ///
  /// - Parameter request: without a buffer it gets one of a fifth of a second, since a long one delays nothing here.
  public init(_ request: PCMRequest) throws(PCMError) {
    try request.validate()
    work = Box(try CaptureThread(request.withLongBuffer, exchange: shared.pointer))
    parameters = work.pointer.pointee.parameters
  }

  deinit {
    stop()
    wait()
  }

  /// Starts the thread that gives `callback` what is captured. `context` must live until `wait` has returned. [any
  /// thread]
  public func start(_ callback: @escaping PCMCaptureCallback, context: UnsafeMutableRawPointer) throws(PCMError) {
    try thread.withLock { thread throws(PCMError) in
      guard thread == nil else { throw PCMError("starting", parameters.device, .invalid("it is running already")) }
      work.pointer.pointee.begin(PCMSink(callback: callback, context: context))
      exchange.pointee.stopRequest.store(0, ordering: .releasing)
      exchange.pointee.isRunning.store(true, ordering: .releasing)
      do throws(WorkerThreadError) {
        thread = try WorkerThread(named: "pcm input", stackSize: WorkerThread.smallStack) { [work] in
          work.pointer.pointee.run()
        }
      } catch {
        exchange.pointee.isRunning.store(false, ordering: .releasing)
        throw PCMError("starting", parameters.device, code: -error.code)
      }
    }
  }

  /// Asks the thread to end and returns at once; it ends within a tenth of a second. [any thread]
  public func stop() { exchange.pointee.stopRequest.store(PCMStop.drop.rawValue, ordering: .releasing) }

  /// Waits until the thread has ended, after `stop`. [control thread]
  public func wait() {
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }

  /// Whether the thread runs. [any thread]
  public var isRunning: Bool { exchange.pointee.isRunning.load(ordering: .acquiring) }

  /// What the device that captures now has granted; nil without a device. [any thread]
  public var present: PCMParameters? { exchange.pointee.present.withLock { $0?.parameters } }

  /// Calls `tell` when the device goes or another one comes, before that one's first frame, until what is returned is
  /// released. It is called on the thread that captures; it may lock and allocate, but must not wait. [any thread]
  package func observeRoutes(
    _ tell: @escaping @Sendable (RouteChange) -> Void
  ) -> Broadcast<RouteChange>.Listener { exchange.pointee.news.changes.listen(tell) }

  /// Whether the devices that capture and play now belong to one card, and so have one clock. [any thread]
  public func sharesClock(with output: PCMOutput) -> Bool {
    guard let card = exchange.pointee.card, let other = output.exchange.pointee.card else { return false }
    return card == other
  }

  /// Figures since the input was opened. [any thread]
  public var statistics: PCMInputStatistics {
    PCMInputStatistics(
      framesRead: exchange.pointee.framesWritten.load(ordering: .relaxed),
      framesLost: exchange.pointee.framesLost.load(ordering: .relaxed),
      xruns: exchange.pointee.xruns.load(ordering: .relaxed),
      suspensions: exchange.pointee.suspensions.load(ordering: .relaxed),
      stalls: exchange.pointee.stalls.load(ordering: .relaxed),
      departures: exchange.pointee.departures.load(ordering: .relaxed),
      scheduling: exchange.pointee.scheduling.outcome)
  }

  private var exchange: UnsafeMutablePointer<PCMExchange> { shared.pointer }
}

/// Figures of an input's operation.
public struct PCMInputStatistics: Sendable, Equatable {
  /// Frames that the device has given.
  public var framesRead: Int
  /// Frames of silence in place of those that were lost or never captured.
  public var framesLost: Int
  /// Times the buffer ran over.
  public var xruns: Int
  /// Times the machine was suspended and came back.
  public var suspensions: Int
  /// Times the device gave no frames for a tenth of a second.
  public var stalls: Int
  /// Times the device went away while it captured.
  public var departures: Int
  /// How the kernel schedules the thread.
  public var scheduling: ThreadScheduling
}

extension PCMRequest {
  fileprivate var withLongBuffer: PCMRequest {
    guard buffer == nil else { return self }
    var request = self
    let sizes = sizes(sampleRate: sampleRate ?? 48000)
    request.buffer = max(sizes.buffer, (sampleRate ?? 48000) / 5 / sizes.period * sizes.period)
    return request
  }
}
