@preconcurrency import Glibc
import Synchronization

/// The mode of the terminal in which each key comes at once and unseen, so that the program draws the line itself. It
/// is left at every end of the program, and while it is stopped or in the background the terminal is let alone.
enum KeyMode {
  private static let isOn = Atomic<Bool>(false)
  // What signal handlers use is written before it is used: by `enter`, before `isOn` is set.
  nonisolated(unsafe) private static var usual = termios()

  /// Whether this program is the one the terminal's keys are for.
  static var isForeground: Bool { tcgetpgrp(STDIN_FILENO) == getpgrp() }

  /// Enters the mode, where the program is in the foreground; whether keys come now.
  static func enter() -> Bool {
    guard isForeground else { return false }
    if isOn.load(ordering: .relaxed) { return true }
    var mode = termios()
    guard tcgetattr(STDIN_FILENO, &mode) == 0 else { return false }
    installOnce
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

  /// Nothing has to be restored by a program that has been stopped: a shell has done it, and keys are asked for again.
  fileprivate static func forget() {
    // After SIGSTOP it may still be there.
    Screen.leave()
    isOn.store(false, ordering: .relaxed)
  }

  private static let installOnce: Void = {
    atexit { KeyMode.leave() }
    for number in [SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE] {
      signal(number) { received in
        KeyMode.leave()
        signal(received, SIG_DFL)
        raise(received)
      }
    }
    signal(SIGTSTP, suspend)
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
