import Glibc
import Synchronization

/// Ctrl-C, Ctrl-\, SIGTERM and SIGHUP. Once there is something to be put in order they are a flag that loops look at,
/// so that what is under way is finished properly; before, and when one comes again, they end the program at once.
enum Interruption {
  /// The first signal that came; 0 for none.
  private static let received = Atomic<Int32>(0)
  /// When it came, in nanoseconds.
  private static let moment = Atomic<Int>(0)
  private static let isWatched = Atomic<Bool>(false)

  /// One signal often comes twice: `timeout` sends it to the program and to its group, a terminal and its shell both
  /// hang up.
  private static let echo = 200_000_000

  static var isRequested: Bool { received.load(ordering: .relaxed) != 0 }

  /// From now on a first signal is asked for, by `isRequested`. [any thread]
  static func watch() { isWatched.store(true, ordering: .relaxed) }

  /// 128 and the signal's number, as shells have it; 0 for SIGTERM from a service manager, to which an orderly end is
  /// success.
  static var exitStatus: Int32 {
    let signal = received.load(ordering: .relaxed)
    let isService = getenv("INVOCATION_ID") != nil || getenv("NOTIFY_SOCKET") != nil
    return signal == SIGTERM && isService ? 0 : 128 + signal
  }

  /// A signal that is ignored stays so: by nohup, or by a shell for what it runs in the background.
  static func install() {
    // They are made before a signal can come.
    _ = (isRequested, isWatched.load(ordering: .relaxed), moment.load(ordering: .relaxed))
    KeyMode.leave()
    // A parent may have started us from a thread that takes no signals.
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGQUIT, SIGTERM, SIGHUP] {
      sigaddset(&signals, number)
      var present = sigaction()
      sigaction(number, nil, &present)
      guard unsafeBitCast(present.__sigaction_handler.sa_handler, to: Int.self) != ignoring else { continue }
      signal(number) { Interruption.receive($0) }
    }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  private static let ignoring = unsafeBitCast(SIG_IGN, to: Int.self)

  /// In a signal handler.
  private static func receive(_ number: Int32) {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let now = time.tv_sec * 1_000_000_000 + time.tv_nsec
    let (isFirst, _) = received.compareExchange(expected: 0, desired: number, ordering: .relaxed)
    if isFirst { moment.store(now, ordering: .relaxed) }
    if isWatched.load(ordering: .relaxed), isFirst || now - moment.load(ordering: .relaxed) < echo { return }
    KeyMode.leave()
    signal(number, SIG_DFL)
    raise(number)
  }
}

/// The user asked to stop, and everything was put in order. The exit status is that of `Interruption`.
struct Interrupted: Error {}
