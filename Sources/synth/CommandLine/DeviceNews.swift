import ALSA

/// Tells what becomes of the output device while it plays, each thing once; the same for songs and for playing live.
struct DeviceNews {
  /// Whether the scheduling is one of the facts that are told also when nobody looks on.
  private let isLive: Bool
  /// Asked for when the first device has begun to play: it takes a while, and is of no use where no time passes.
  private static let memory = MemoryLock.request()
  private var scheduling = ThreadScheduling.unpaced
  private var changes = 0
  private var hasChanged = false
  private var isAway = false
  private var name = ""

  init(isLive: Bool) { self.isLive = isLive }

  /// To be called now and then.
  mutating func tell(of device: PCMOutput) {
    let statistics = device.statistics
    if statistics.scheduling != scheduling, statistics.scheduling != .unpaced {
      scheduling = statistics.scheduling
      let line = "thread     \(scheduling); \(Self.memory)"
      if isLive { Terminal.note(line) } else { Terminal.tell(line) }
    }
    if statistics.departures + statistics.moves > changes {
      changes = statistics.departures + statistics.moves
      hasChanged = true
    }
    switch device.present {
    case let present? where hasChanged:
      Terminal.note("heard \(isAway ? "again " : "")on \(present)")
      (hasChanged, isAway, name) = (false, false, present.device)
    case let present?: name = present.device
    case nil where !isAway:
      Terminal.note("\(name) has gone: playing on, unheard, until it is back")
      isAway = true
    case nil: break
    }
  }

  /// One line, if the playing had faults.
  static func complaint(of device: PCMAggregate) -> String? {
    let xruns = device.xruns
    guard xruns > 0 else { return nil }
    return "\(xruns) xrun\(xruns == 1 ? "" : "s"): the machine was too slow now and then; try --latency safe"
  }
}
