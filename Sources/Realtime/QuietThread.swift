import CRealtime
import Glibc

/// A thread that takes no signals: those are for threads that may wait. Whoever makes it joins or detaches it, once.
public struct QuietThread: Sendable {
  private let handle: pthread_t

  /// Begins `body` on a thread of its own, which lets go of it at its end. (pthread_create)
  ///
  /// - Parameters:
  ///   - name: what debuggers and `top` show of it; at most 15 bytes.
  ///   - stackSize: in bytes; nil is the system's, which is eight megabytes as a rule.
  public init(
    named name: String, stackSize: Int? = nil, _ body: sending @escaping () -> Void
  ) throws(QuietThreadError) {
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
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
      throw QuietThreadError(code: code)
    }
    self.handle = handle
  }

  /// Waits for its end. [any thread but itself]
  public func join() { pthread_join(handle, nil) }

  /// Lets it end by itself, with nobody waiting. [any thread]
  public func detach() { pthread_detach(handle) }

  /// Whether it is the one that asks. [any thread]
  public var isCurrent: Bool { pthread_equal(handle, pthread_self()) != 0 }
}

/// The system has no thread left.
public struct QuietThreadError: Error, CustomStringConvertible {
  /// An errno value.
  public let code: Int32

  public var description: String { String(cString: strerror(code)) }
}

/// What a thread does, on its way there.
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
