import CSynthALSA
import SynthRealtime

/// How an output stops.
public enum PCMStop: Int, Sendable {
  /// After the buffer has played out.
  case drain = 1
  /// At once.
  case drop = 2
}

/// An open playback device, and the thread that fills it.
///
/// Opening comes first: it determines the rate and channel count of the stream. `start`, `stop` and `wait` follow, from
/// any thread; after `wait` the output may be started again.
///
/// If the device is removed, the output waits for it, by its card's stable name, and for the request's fallbacks. Until
/// one of them can be opened, a timer calls the render callback, and the result is discarded; then the sound fades in.
/// Frames that the lost device had not played are played again, unless anything but silence was discarded.
/// The render callback's rate and channel count stay what they were; a device that has others gets the sound converted.
/// From a fallback the output moves back as soon as a preferred device can be opened, and it moves when `default`
/// becomes another device: the sound fades out on one device and in on the other.
///
/// The device is the clock. `null` and `file` have no clock: they take audio as fast as it is rendered, and the thread
/// never waits and keeps ordinary scheduling.
public final class PCMOutput: @unchecked Sendable {
  // Unchecked: `work` belongs to the thread while that runs, the exchange is atomic, `thread` guards the rest.

  /// What the first device has granted. Devices that replace it are given the same stream, converted to their rate and
  /// channel count.
  public let parameters: PCMParameters

  /// What was asked for at first.
  package let original: PCMRequest
  private let shared: Box<PCMExchange>
  private let work: Box<PCMThread>
  private let thread = CheckedMutex<Thread>(.none)

  private enum Thread {
    case none
    case running(WorkerThread, DeviceMonitor?)
    case joining
  }

  /// Opens the device and negotiates its parameters. Returns at once, also if the device is busy. [control thread]
  public convenience init(_ request: PCMRequest) throws(PCMError) { try self.init(request, news: RouteNews()) }

  /// - Parameter news: is told of devices that come and go.
  init(_ request: PCMRequest, news: RouteNews) throws(PCMError) {
    try request.validate()
    original = request
    shared = Box(PCMExchange(news))
    work = Box(try PCMThread(request, exchange: shared.pointer))
    parameters = work.pointer.pointee.stream
  }

  var exchange: UnsafeMutablePointer<PCMExchange> { shared.pointer }

  deinit {
    stop(.drop)
    wait()
    // While there is an exchange: another program may ask for the device until then.
    work.pointer.pointee.close()
  }

  /// Starts the thread that asks `callback` for audio. `context` must live until `wait` has returned. [any thread]
  public func start(_ callback: @escaping PCMRenderCallback, context: UnsafeMutableRawPointer) throws(PCMError) {
    try start(PCMSource(callback: callback, context: context), repeats: true)
  }

  /// - Parameter repeats: whether frames that a lost device has not played are given to the next one.
  func start(_ source: PCMSource, repeats: Bool) throws(PCMError) {
    try thread.withLock { thread throws(PCMError) in
      guard case .none = thread else {
        throw PCMError("starting", parameters.device, .invalid("it is running already"))
      }
      work.pointer.pointee.begin(source, repeats: repeats)
      exchange.pointee.stopRequest.store(0, ordering: .releasing)
      do throws(WorkerThreadError) {
        thread = .running(try makeThread(), DeviceMonitor(exchange))
      } catch {
        throw PCMError("starting", parameters.device, code: -error.code)
      }
    }
  }

  /// Plays on another device from now on, also in a stream that runs: it fades out on the present one and goes on, from
  /// the next frame, on the other, which gets it converted where it has not the same rate and channels. The present one
  /// becomes its fallback. [control thread]
  ///
  /// - Throws: if the device cannot be opened as it should; all stays as it was then.
  public func move(to device: String) throws(PCMError) {
    let name = HardwareName.stable(device)
    // A move that was asked for before, and is under way, may lead elsewhere.
    let isPresent = present.map { PCMRequest.stableName(of: $0.device) } == PCMRequest.stableName(of: device)
    if isPresent, !exchange.pointee.isChosen.load(ordering: .relaxed) { return }
    var request = original.repeated(parameters)
    (request.device, request.fallbacks) = (name, [])
    try request.validate()
    if !isPresent { try probe(request) }
    thread.withLock { thread in
      exchange.pointee.prefer(request)
      // From now on there is a device to come back to.
      if case .running(let running, nil) = thread { thread = .running(running, DeviceMonitor(exchange)) }
    }
  }

  /// Opens a device for a moment: what fails is to be told at once. The hardware that plays, by another name, is opened
  /// after it is closed.
  private func probe(_ request: PCMRequest) throws(PCMError) {
    do throws(PCMError) {
      _ = try PCMHandle(opening: request.device).negotiate(request)
    } catch {
      let own = exchange.pointee.present.withLock { $0?.identity }
      guard case .busy = error.cause, let own, let wanted = HardwareName(request.device), own.card == wanted.card,
        Int32(own.device) == wanted.device
      else { throw error }
    }
  }

  /// Asks the loop to end and returns at once. It ends within a tenth of a second, or when the buffer has played out.
  /// A `.drop` cuts an earlier `.drain` short; a later `.drain` changes nothing. [any thread]
  public func stop(_ how: PCMStop = .drain) {
    exchange.pointee.stopRequest.max(how.rawValue, ordering: .releasing)
  }

  /// Waits until the loop has ended, by `stop` or because the stream has. Of several waiting threads one waits, and the
  /// others return at once. [any thread]
  public func wait() {
    let running: (WorkerThread, DeviceMonitor?)? = thread.withLock { thread in
      guard case .running(let running, let follower) = thread else { return nil }
      thread = .joining
      return (running, follower)
    }
    guard let (running, follower) = running else { return }
    running.join()
    follower?.stop()
    thread.withLock { $0 = .none }
  }

  /// Closes the device, so that other programs can have it until the next start, which opens it again, or waits for it.
  /// Without effect while the output runs. [control thread]
  public func release() {
    thread.withLock { thread in
      guard case .none = thread else { return }
      exchange.pointee.isReleased.store(true, ordering: .relaxed)
      exchange.pointee.present.withLock { $0 = nil }
      work.pointer.pointee.close()
    }
  }

  /// Whether the loop runs; false once the stream has ended. [any thread]
  public var isRunning: Bool { exchange.pointee.isRunning.load(ordering: .acquiring) }

  /// What the device that plays now has granted; nil without a device. [any thread]
  public var present: PCMParameters? { exchange.pointee.present.withLock { $0?.parameters } }

  /// The same in frames of the stream.
  var presentInStream: PCMParameters? { exchange.pointee.present.withLock { $0?.streamParameters } }

  /// Frames of the stream between a slice that is asked for and the ear, as the present device measures it; nil before
  /// that is known, and where it is what period and buffer make it. [any thread]
  package var measuredDelay: Int? {
    let frames = exchange.pointee.delay.load(ordering: .relaxed)
    return frames < 0 ? nil : frames
  }

  /// Frames of the stream that wait in the device's buffer at a time on `HostClock`, as the driver measures it; nil
  /// while the device does not play, and until a period after the first call. [any thread]
  public func queuedFrames(at time: UInt64) -> Double? {
    exchange.pointee.position.want()
    guard let place = exchange.pointee.position.present else { return nil }
    let elapsed = Double(Int64(truncatingIfNeeded: time) &- Int64(truncatingIfNeeded: place.time)) / 1e9
    return Double(place.queued) - elapsed * Double(parameters.sampleRate)
  }

  /// The changes of what it is heard on, from now on: while it runs, and at once. It ends with the output. [any thread]
  public var routeChanges: AsyncStream<RouteChange> { exchange.pointee.news.changes.stream() }

  /// Figures since the output was opened. [any thread]
  public var statistics: PCMStatistics { exchange.pointee.statistics(periodDuration: periodDuration) }

  /// How much of a period its longest rendering since the last call has taken: at 1 the device runs empty. One caller
  /// may ask. [any thread]
  public func takeLoad() -> Double {
    Double(exchange.pointee.recentRender.exchange(0, ordering: .relaxed)) / periodDuration
  }

  /// In nanoseconds.
  private var periodDuration: Double {
    let present = present ?? parameters
    return Double(present.period) / Double(present.sampleRate) * 1e9
  }

  private func makeThread() throws(WorkerThreadError) -> WorkerThread {
    exchange.pointee.isRunning.store(true, ordering: .releasing)
    do throws(WorkerThreadError) {
      return try WorkerThread(named: "pcm output", stackSize: WorkerThread.smallStack) { [work] in
        work.pointer.pointee.run()
      }
    } catch {
      exchange.pointee.isRunning.store(false, ordering: .releasing)
      throw error
    }
  }
}
