import CRealtime
import Glibc

/// How an output is doing.
public struct PCMStatistics: Sendable, Equatable {
  /// Frames handed to the device.
  public var framesWritten: Int
  /// Times the buffer ran empty.
  public var xruns: Int
  /// Times the machine was suspended and came back.
  public var suspensions: Int
  /// Times the device took no frames for a tenth of a second.
  public var stalls: Int
  /// Times the device went away while it played.
  public var departures: Int
  /// The longest a period took to render, as a share of its length: above 1 is too late.
  public var peakLoad: Double
  /// How the kernel schedules the thread.
  public var scheduling: ThreadScheduling
}

/// How the kernel schedules an audio thread.
public enum ThreadScheduling: Sendable, Equatable, CustomStringConvertible {
  /// Like any other thread, because nothing had to be waited for yet: the device takes frames as fast as they come.
  case unpaced
  /// SCHED_FIFO at a priority of 1 to 99.
  case realTime(priority: Int)
  /// Like any other thread, because the kernel refused SCHED_FIFO; the errno value.
  case ordinary(code: Int32)

  /// Below the kernel's interrupt threads, which have 50 and must come first: they tell that there is room.
  private static let priority: Int32 = 40

  /// Asks for SCHED_FIFO for the calling thread, at the priority the user's limit permits: that priority, or a negative
  /// errno value.
  static func requestRealTime() -> Int32 {
    var refusal: Int32 = 0
    for priority in [priority, 10, 1] {
      refusal = realtime_schedule_fifo(priority)
      if refusal == 0 { return priority }
    }
    return -refusal
  }

  public var description: String {
    switch self {
    case .unpaced: "not paced"
    case .realTime(let priority): "real-time, priority \(priority)"
    case .ordinary(let code):
      "not real-time (\(String(cString: strerror(code)))): add yourself to the group audio, or set an rtprio limit"
    }
  }
}
