import Glibc

/// How the kernel schedules an audio thread.
public enum ThreadScheduling: Sendable, Equatable, CustomStringConvertible {
  /// Ordinary scheduling, because the thread has not had to wait yet: the device takes frames as fast as they come.
  /// Also while RealtimeKit is being asked.
  case unpaced
  /// SCHED_FIFO at a priority of 1 to 99, granted by the kernel.
  case realTime(priority: Int)
  /// SCHED_RR at a priority of 1 to 99, granted by RealtimeKit.
  case realTimeByKit(priority: Int)
  /// Ordinary scheduling, because it was refused: the errno values of the kernel and of RealtimeKit, which is nil where
  /// the program has not called `RealtimeKit.enable`.
  case ordinary(code: Int32, kit: Int32?)
  /// Ordinary scheduling again, because the thread ran for longer without sleeping than RealtimeKit allows.
  case demoted

  public var description: String {
    switch self {
    case .unpaced: "not paced"
    case .realTime(let priority): "real-time, priority \(priority)"
    case .realTimeByKit(let priority): "real-time by rtkit, priority \(priority)"
    case .ordinary(let code, nil): "not real-time (\(Self.text(code))): set an rtprio limit"
    case .ordinary(let code, let kit?):
      "not real-time (\(Self.text(code)); rtkit: \(Self.text(kit))): "
        + (missingPackage.map { "install \($0), or set an rtprio limit" } ?? "set an rtprio limit")
    case .demoted: "no longer real-time: it took a processor for too long, the machine is too slow for this"
    }
  }

  private static func text(_ code: Int32) -> String { String(cString: strerror(code)) }

  /// The Debian package to install where RealtimeKit did not answer: its own, or what the bus is reached with.
  public var missingPackage: String? {
    guard case .ordinary(_, let kit?) = self else { return nil }
    if kit == ELIBACC { return "libsystemd0" }
    return [ENOENT, ECONNREFUSED, EHOSTUNREACH, EHOSTDOWN, ENOTCONN].contains(kit) ? "rtkit" : nil
  }
}
