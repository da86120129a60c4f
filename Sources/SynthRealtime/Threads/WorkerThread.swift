import CSynthRealtime
import Glibc

/// A thread that takes no signals but those of its own faults. Its owner joins or detaches it, once.
public struct WorkerThread: Sendable {
  private let handle: pthread_t

  /// One megabyte: enough for alsa-lib's plugins. The system's default of eight would all be locked in memory.
  public static var smallStack: Int { 1 << 20 }

  /// The signals that a thread's own instructions raise. Linux ends the process where one of them is blocked, without
  /// calling its handler.
  private static let faults = [SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS]

  /// How many processors this process may run on. (sched_getaffinity)
  public static var processorCount: Int { Int(realtime_processor_count()) }

  /// Runs `body` on a new thread, which releases it at its end. (pthread_create)
  ///
  /// - Parameters:
  ///   - name: the name that debuggers and `top` show; at most 15 bytes.
  ///   - stackSize: in bytes; nil for the system's default, usually eight megabytes.
  public init(
    named name: String, stackSize: Int? = nil, _ body: sending @escaping () -> Void
  ) throws(WorkerThreadError) {
    var masked = sigset_t()
    var before = sigset_t()
    sigfillset(&masked)
    for signal in Self.faults { sigdelset(&masked, signal) }
    pthread_sigmask(SIG_SETMASK, &masked, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
    let work = Unmanaged.passRetained(Work(name, body))
    var handle = pthread_t()
    let code = pthread_create(&handle, &attributes, Work.entry, work.toOpaque())
    guard code == 0 else {
      work.release()
      throw WorkerThreadError(code: code)
    }
    self.handle = handle
  }

  /// Waits until the thread ends; not to be called by the thread itself. [control thread]
  public func join() { pthread_join(handle, nil) }

  /// Lets the thread end without a `join`. [any thread]
  public func detach() { pthread_detach(handle) }

  /// Whether the calling thread is this one. [any thread]
  public var isCurrent: Bool { pthread_equal(handle, pthread_self()) != 0 }
}

/// The system has no thread left.
public struct WorkerThreadError: Error, CustomStringConvertible {
  /// An errno value.
  public let code: Int32

  public var description: String { String(cString: strerror(code)) }
}

/// A thread's body on its way to the thread.
private final class Work {
  let name: String
  let body: () -> Void

  init(_ name: String, _ body: @escaping () -> Void) {
    self.name = name
    self.body = body
  }

  static let entry: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { work in
    guard let work else { return nil }
    let running = Unmanaged<Work>.fromOpaque(work).takeRetainedValue()
    realtime_name_thread(running.name)
    running.body()
    return nil
  }
}
