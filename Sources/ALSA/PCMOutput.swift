import CALSA
import Realtime
import Synchronization

/// How an output is to come to its end.
public enum PCMStop: Int, Sendable {
  /// What is in the buffer is still played.
  case drain = 1
  /// Silence at once.
  case drop = 2
}

/// An open playback device, and the thread that fills it.
///
/// Opening comes first: it tells at which rate and with how many channels audio is to be rendered. Then `start`, `stop`
/// and `wait`, from any thread; after `wait` it may be started again.
///
/// A device that goes away is waited for under the name that its card keeps, and so are the request's fallbacks. Until
/// one of them can be opened, the render callback is called as before, by a timer, and what it renders is not heard; then
/// the sound fades in. Rate and channel count stay what they were. From a fallback the output moves back as soon as a
/// more wanted device can be opened, and `default` is followed when it becomes another device: the sound fades out here
/// and in there.
///
/// The device is the clock. `null` and `file` have none: they take audio as fast as it is rendered, the thread then never
/// waits, keeps to ordinary scheduling, and stops like any other.
public final class PCMOutput: @unchecked Sendable {
  // Unchecked: `work` belongs to the thread while that runs, the exchange is atomic, `thread` guards the rest.

  /// What the first device has granted. Rate and channel count are the same for those that take its place.
  public let parameters: PCMParameters

  let exchange: UnsafeMutablePointer<PCMExchange>
  private let work: UnsafeMutablePointer<PCMThread>
  private let thread = Mutex<Thread>(.none)

  private enum Thread {
    case none
    case running(QuietThread, DeviceFollower?)
    case joining
  }

  /// Opens the device and agrees with it on the parameters. Answers at once, also if the device is busy.
  public init(_ request: PCMRequest) throws(PCMError) {
    try request.validate()
    exchange = .allocate(capacity: 1)
    exchange.initialize(to: PCMExchange())
    work = .allocate(capacity: 1)
    do throws(PCMError) {
      work.initialize(to: try PCMThread(request, exchange: exchange))
      parameters = work.pointee.parameters
    } catch {
      work.deallocate()
      exchange.deinitialize(count: 1)
      exchange.deallocate()
      throw error
    }
  }

  deinit {
    stop(.drop)
    wait()
    work.deinitialize(count: 1)
    work.deallocate()
    exchange.deinitialize(count: 1)
    exchange.deallocate()
  }

  /// Begins to ask `callback` for audio, on a thread of its own. `context` must live until `wait` has returned.
  public func start(_ callback: @escaping PCMRenderCallback, context: UnsafeMutableRawPointer) throws(PCMError) {
    try thread.withLock { thread throws(PCMError) in
      guard case .none = thread else {
        throw PCMError("starting", parameters.device, .invalid("it is running already"))
      }
      work.pointee.source = PCMSource(callback: callback, context: context)
      exchange.pointee.stopRequest.store(0, ordering: .releasing)
      do throws(QuietThreadError) {
        thread = .running(try makeThread(), DeviceFollower(work.pointee.requests, exchange: exchange))
      } catch {
        throw PCMError("starting", parameters.device, code: -error.code)
      }
    }
  }

  /// Asks the loop to end and returns at once. It ends within a tenth of a second, or when the buffer has played out.
  /// A later `.drop` cuts a `.drain` short, and stays one whatever is asked for after it.
  public func stop(_ how: PCMStop = .drain) {
    exchange.pointee.stopRequest.max(how.rawValue, ordering: .releasing)
  }

  /// Waits until the loop has ended: by `stop`, or because the stream has. Of several threads that wait, one waits so long
  /// and the others return at once.
  public func wait() {
    let running: (QuietThread, DeviceFollower?)? = thread.withLock { thread in
      guard case .running(let running, let follower) = thread else { return nil }
      thread = .joining
      return (running, follower)
    }
    guard let (running, follower) = running else { return }
    running.join()
    follower?.stop()
    thread.withLock { $0 = .none }
  }

  /// Whether the loop runs; false once it has ended by itself.
  public var isRunning: Bool { exchange.pointee.isRunning.load(ordering: .acquiring) }

  /// The device that plays now and what it has granted; nil while it is away and there is no other.
  public var present: PCMParameters? { exchange.pointee.present.withLock { $0?.parameters } }

  /// How the output is doing, counted from its opening.
  public var statistics: PCMStatistics {
    let present = present ?? parameters
    return exchange.pointee.statistics(periodDuration: Double(present.period) / Double(present.rate) * 1e9)
  }

  private func makeThread() throws(QuietThreadError) -> QuietThread {
    exchange.pointee.isRunning.store(true, ordering: .releasing)
    do throws(QuietThreadError) {
      return try QuietThread(named: "pcm output", stackSize: QuietThread.alsaStackSize) { [work] in
        work.pointee.run()
      }
    } catch {
      exchange.pointee.isRunning.store(false, ordering: .releasing)
      throw error
    }
  }
}
