import Glibc
import Synchronization

/// Ctrl-C and SIGTERM, as a flag that loops look at: what is under way is finished properly.
enum Interruption {
  private static let requested = Atomic<Bool>(false)

  static var isRequested: Bool { requested.load(ordering: .relaxed) }

  /// The second signal ends the program at once.
  static func install() {
    _ = isRequested  // makes the flag before a signal can come
    // A parent may have started us from a thread that takes no signals.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    for number in [SIGINT, SIGTERM] {
      signal(number) { received in
        Interruption.requested.store(true, ordering: .relaxed)
        signal(received, SIG_DFL)
      }
    }
  }
}

/// The user asked to stop, and everything was put in order. Exit status 130.
struct Interrupted: Error {}
