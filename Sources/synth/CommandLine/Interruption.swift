import Glibc
import Synchronization

/// Ctrl-C, SIGTERM and SIGHUP, as a flag that loops look at: what is under way is finished properly.
enum Interruption {
  private static let requested = Atomic<Bool>(false)

  static var isRequested: Bool { requested.load(ordering: .relaxed) }

  /// A second Ctrl-C ends the program at once.
  static func install() {
    _ = isRequested  // makes the flags before a signal can come
    KeyMode.leave()
    // A parent may have started us from a thread that takes no signals.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    sigaddset(&signals, SIGHUP)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { received in
        let isSecond = Interruption.requested.exchange(true, ordering: .relaxed)
        guard isSecond, received == SIGINT else { return }
        KeyMode.leave()
        signal(received, SIG_DFL)
        raise(received)
      }
    }
  }
}

/// The user asked to stop, and everything was put in order. Exit status 130.
struct Interrupted: Error {}
