import CSynthSystemBus
import Glibc
import SynthRealtime

/// The service manager that has started the program, if it has asked to be told how that is doing. Nothing happens
/// where none has. (sd_notify, sd_watchdog_enabled)
struct ServiceManager {
  /// In nanoseconds: how often it wants to hear that the program lives; nil for never.
  private let interval: UInt64?
  private var nextSign: UInt64 = 0
  private var nextExtension: UInt64 = 0
  private var status = ""
  private var isReady = false

  init() {
    var microseconds: UInt64 = 0
    // Signs of life come twice as often as they must.
    interval = manager_wants_signs(&microseconds) > 0 ? microseconds * 1000 / 2 : nil
  }

  /// Tells in one line what the program is doing; the first time also that it is ready.
  mutating func tell(_ line: String) {
    guard !isReady || line != status else { return }
    status = line
    manager_tell("\(isReady ? "" : "READY=1\n")STATUS=\(oneLine(line))")
    isReady = true
  }

  /// Tells that the program lives, when it is time.
  ///
  /// - Parameter lives: asked for only then.
  mutating func giveSign(_ lives: () -> Bool = { true }) {
    guard let interval, HostClock.now >= nextSign, lives() else { return }
    nextSign = HostClock.now + interval
    manager_tell("WATCHDOG=1")
  }

  /// Tells that the program is ending by itself or as it was asked to.
  func tellEnd() { manager_tell("STOPPING=1") }

  /// Asks for half a minute from now on, when it is time: the manager would kill what takes longer to end than others.
  mutating func extendEnd() {
    guard HostClock.now >= nextExtension else { return }
    nextExtension = HostClock.now + 5_000_000_000
    manager_tell("EXTEND_TIMEOUT_USEC=30000000")
  }
}
