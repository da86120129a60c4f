import Glibc
import Synchronization

/// Ctrl-C, SIGTERM and SIGHUP, as a flag that loops look at: what is under way is finished properly.
enum Interruption {
  /// The first signal that came; 0 for none.
  private static let received = Atomic<Int32>(0)

  static var isRequested: Bool { received.load(ordering: .relaxed) != 0 }

  /// 128 and the signal's number, as shells have it; 0 for SIGTERM from a service manager, to which an orderly end is
  /// success.
  static var exitStatus: Int32 {
    let signal = received.load(ordering: .relaxed)
    let isService = getenv("INVOCATION_ID") != nil || getenv("NOTIFY_SOCKET") != nil
    return signal == SIGTERM && isService ? 0 : 128 + signal
  }

  /// A second Ctrl-C ends the program at once.
  static func install() {
    _ = isRequested  // makes the flag before a signal can come
    KeyMode.leave()
    // A parent may have started us from a thread that takes no signals.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    sigaddset(&signals, SIGHUP)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { number in
        let (isFirst, _) = Interruption.received.compareExchange(expected: 0, desired: number, ordering: .relaxed)
        guard !isFirst, number == SIGINT else { return }
        KeyMode.leave()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }
}

/// The user asked to stop, and everything was put in order. The exit status is that of `Interruption`.
struct Interrupted: Error {}
