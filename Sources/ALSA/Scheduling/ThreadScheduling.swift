import Glibc

/// How the kernel schedules an audio thread.
public enum ThreadScheduling: Sendable, Equatable, CustomStringConvertible {
  /// Like any other thread, because nothing had to be waited for yet: the device takes frames as fast as they come. Also
  /// for the moment it takes to ask RealtimeKit.
  case unpaced
  /// SCHED_FIFO at a priority of 1 to 99, by the user's own right.
  case realTime(priority: Int)
  /// What RealtimeKit gives, which is SCHED_RR, at a priority of 1 to 99.
  case realTimeByKit(priority: Int)
  /// Like any other thread, because both refused: the kernel's errno value, and the one of the way to RealtimeKit.
  case ordinary(code: Int32, kit: Int32)
  /// Like any other thread again, because it took more time at a stretch than RealtimeKit allows.
  case demoted

  public var description: String {
    switch self {
    case .unpaced: "not paced"
    case .realTime(let priority): "real-time, priority \(priority)"
    case .realTimeByKit(let priority): "real-time by rtkit, priority \(priority)"
    case .ordinary(let code, let kit):
      "not real-time (\(Self.text(code)); rtkit: \(Self.text(kit))): "
        + (Self.isAbsence(kit) ? "install rtkit, or set an rtprio limit" : "set an rtprio limit")
    case .demoted: "no longer real-time: it took a processor for too long, the machine is too slow for this"
    }
  }

  private static func text(_ code: Int32) -> String { String(cString: strerror(code)) }

  /// Whether there is nobody on the bus, or no bus.
  private static func isAbsence(_ code: Int32) -> Bool {
    [ENOENT, ECONNREFUSED, EHOSTUNREACH, EHOSTDOWN, ENOTCONN].contains(code)
  }
}
