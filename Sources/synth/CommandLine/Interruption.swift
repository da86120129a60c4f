import Glibc
import Synchronization
import SynthRealtime

/// Ctrl-C, Ctrl-\, SIGTERM and SIGHUP. Once there is something to be put in order they are a flag that loops look at,
/// so that what is under way is finished properly; before, and when one comes again, they end the program at once.
///
/// A thread waits for them, because the main thread may be where no signal reaches it: in the file of a server that
/// has gone, or in a library.
enum Interruption {
  /// The first signal that came; 0 for none.
  private static let received = Atomic<Int32>(0)
  private static let isWatched = Atomic<Bool>(false)

  /// One signal often comes twice, within so many nanoseconds: `timeout` sends it to the program and to its group, a
  /// terminal and its shell both hang up.
  private static let echo: UInt64 = 200_000_000

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

  /// Starts the thread, before any other: threads inherit that they take none of these signals. By the main thread,
  /// whose waits end early at the first of them.
  ///
  /// A signal that is ignored stays so: by nohup, or by a shell for what it runs in the background.
  static func install() {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGQUIT, SIGTERM, SIGHUP] where !isIgnored(number) { sigaddset(&signals, number) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    signal(waking) { _ in }
    take(waking, SIG_UNBLOCK)
    let main = pthread_self()
    let thread = try? WorkerThread(named: "signals", stackSize: 64 << 10) { [signals] in
      wait(for: signals) { pthread_kill(main, waking) }
    }
    // Where no thread can be made they do what they do by default.
    if let thread { thread.detach() } else { pthread_sigmask(SIG_UNBLOCK, &signals, nil) }
  }

  /// What ends a wait of the main thread. Programs that do not ask for it ignore it.
  private static let waking = SIGURG

  /// Whether a parent has had the signal ignored.
  static func isIgnored(_ number: Int32) -> Bool {
    var present = sigaction()
    sigaction(number, nil, &present)
    return unsafeBitCast(present.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// - Parameter wake: called after the first signal.
  private static func wait(for signals: sigset_t, wake: () -> Void) {
    var (signals, number, first) = (signals, Int32(0), UInt64(0))
    while true {
      guard sigwait(&signals, &number) == 0 else { continue }
      let now = HostClock.now
      if !isRequested { first = now }
      let isFirst = received.compareExchange(expected: 0, desired: number, ordering: .relaxed).exchanged
      guard isWatched.load(ordering: .relaxed), isFirst || now - first < echo else { end(by: number) }
      if isFirst { wake() }
    }
  }

  /// Ends the program at once, and lets its parent know by what.
  private static func end(by number: Int32) -> Never {
    KeyMode.end()
    signal(number, SIG_DFL)
    take(number, SIG_UNBLOCK)
    raise(number)
    // The first process of a container is not ended by its own signals.
    _exit(128 + number)
  }

  /// Lets the calling thread take a signal or not.
  private static func take(_ number: Int32, _ how: Int32) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(how, &signals, nil)
  }
}

/// The user asked to stop, and everything was put in order. The exit status is that of `Interruption`.
struct Interrupted: Error {}
