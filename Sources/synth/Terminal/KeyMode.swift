@preconcurrency import Glibc
import Synchronization

/// The mode of the terminal in which each key comes at once and unseen, so that the program draws the line itself. It
/// is left at every end of the program, and while it is stopped or in the background the terminal is let alone.
enum KeyMode {
  private static let isOn = Atomic<Bool>(false)
  private static let isEntering = Atomic<Bool>(false)
  private static let hasEnded = Atomic<Bool>(false)
  // What signal handlers use is written before it is used: by `enter`, before `isOn` is set.
  nonisolated(unsafe) private static var usual = termios()

  /// Whether this program is the one the terminal's keys are for.
  static var isForeground: Bool { tcgetpgrp(STDIN_FILENO) == getpgrp() }

  /// Whether the program is ending by a signal: from now on it leaves the terminal alone. [any thread]
  static var isOver: Bool { hasEnded.load(ordering: .sequentiallyConsistent) }

  /// Enters the mode, where the program is in the foreground; whether keys come now.
  static func enter() -> Bool {
    guard isForeground else { return false }
    if isOn.load(ordering: .relaxed) { return true }
    var mode = termios()
    guard tcgetattr(STDIN_FILENO, &mode) == 0 else { return false }
    installOnce
    isEntering.store(true, ordering: .sequentiallyConsistent)
    defer { isEntering.store(false, ordering: .sequentiallyConsistent) }
    guard !isOver else { return false }
    // After SIGSTOP the terminal may still be in our mode.
    if mode.c_lflag & tcflag_t(ICANON) != 0 { usual = mode }
    mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
    // A read takes what is there, and does not wait.
    mode.c_cc.5 = 0  // VTIME
    mode.c_cc.6 = 0  // VMIN
    isOn.store(true, ordering: .releasing)
    return tcsetattr(STDIN_FILENO, TCSANOW, &mode) == 0
  }

  /// Back to how the terminal was. [any thread], signal handlers too
  static func leave() {
    Screen.leave()
    guard isOn.exchange(false, ordering: .acquiringAndReleasing), isForeground else { return }
    tcsetattr(STDIN_FILENO, TCSANOW, &usual)
  }

  /// The same, for ever: the program ends by a signal. [any thread], signal handlers too
  static func end() {
    hasEnded.store(true, ordering: .sequentiallyConsistent)
    // Another thread may be entering; it ends soon, unless this handler has interrupted it.
    for _ in 0..<20 where isEntering.load(ordering: .sequentiallyConsistent) { poll(nil, 0, 1) }
    leave()
  }

  /// Nothing has to be restored by a program that has been stopped: a shell has done it, and keys are asked for again.
  fileprivate static func forget() {
    // After SIGSTOP it may still be there.
    Screen.leave()
    isOn.store(false, ordering: .relaxed)
  }

  private static let installOnce: Void = {
    atexit { KeyMode.leave() }
    if !Interruption.isIgnored(SIGTSTP) { signal(SIGTSTP, suspend) }
    signal(SIGCONT) { _ in KeyMode.forget() }
  }()
}

/// Ctrl-Z: the terminal is put in order before the program stops.
private func suspend(_ number: Int32) {
  KeyMode.leave()
  signal(SIGTSTP, SIG_DFL)
  raise(SIGTSTP)
  var stopping = sigset_t()
  sigemptyset(&stopping)
  sigaddset(&stopping, SIGTSTP)
  // Here it stops, and here it goes on.
  pthread_sigmask(SIG_UNBLOCK, &stopping, nil)
  signal(SIGTSTP, suspend)
}

// MARK: - Crashes

extension KeyMode {
  /// What a crash would have done otherwise, by the signal's number. Written before the handler that reads it is there.
  nonisolated(unsafe) private static let former = UnsafeMutablePointer<sigaction>.allocate(capacity: 32)

  /// Has the terminal put in order where the program crashes. To be called before anything that handles such signals
  /// itself, as mapped fonts do: that comes first then, and leaves all other faults to this.
  static func handleCrashes() {
    // It is made before a signal can come.
    leave()
    for number in [SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE] {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { received in
        let hasKeys = KeyMode.isOn.load(ordering: .relaxed)
        KeyMode.end()
        // In a terminal the runtime's report would ask for keys.
        if hasKeys { signal(received, SIG_DFL) } else { sigaction(received, KeyMode.former + Int(received), nil) }
        raise(received)
      }
      (former + Int(number)).initialize(to: sigaction())
      sigaction(number, nil, former + Int(number))
      sigaction(number, &action, nil)
    }
  }
}
