/// When a tick happens: the way from ticks to seconds and back.
///
/// Time is summed in whole numbers (of microseconds ÷ ticks per quarter note, or of the like for SMPTE), so nothing
/// drifts however many tempo changes there are; only the last division rounds.
public struct TempoMap: Sendable, Equatable {
  /// From `tick` on, each tick takes `unitsPerTick`.
  struct Segment: Equatable {
    var tick: UInt32
    /// Units from the start of the song to `tick`. At most 2³² ticks of 2²⁴ units each: 2⁵⁶.
    var units: UInt64
    var unitsPerTick: UInt32
  }

  /// Ordered by tick, the first at tick 0, no two at the same tick.
  private(set) var segments: [Segment]
  let unitsPerSecond: Double
  let ticksPerBeat: Double

  /// 120 quarter notes per minute, in microseconds per quarter note: what holds until a file says otherwise.
  static let defaultTempo: UInt32 = 500_000

  /// A map of a single tempo.
  init(division: Division) {
    ticksPerBeat = division.ticksPerBeat
    switch division {
    case .ticksPerQuarter(let ticks):
      segments = [Segment(tick: 0, units: 0, unitsPerTick: Self.defaultTempo)]
      unitsPerSecond = 1_000_000 * Double(max(ticks, 1))
    case .smpte(29, let ticks):
      segments = [Segment(tick: 0, units: 0, unitsPerTick: 1001)]
      unitsPerSecond = 30_000 * Double(max(ticks, 1))
    case .smpte(let frames, let ticks):
      segments = [Segment(tick: 0, units: 0, unitsPerTick: 1)]
      unitsPerSecond = Double(max(frames, 1)) * Double(max(ticks, 1))
    }
  }

  /// A map of a single tempo, in quarter notes per minute, for what has no ticks. A file's tempo is of whole
  /// microseconds a quarter note, and so is this.
  public init(tempo: Double) {
    let division = Division.ticksPerQuarter(960)
    let microseconds = MusicEvent.Content.tempo(tempo).microsecondsPerQuarter ?? Self.defaultTempo
    self.init(division: division, changes: [(0, microseconds)])
  }

  /// Sets the tempo from `tick` on, which must not lie before the last change.
  mutating func append(unitsPerTick: UInt32, at tick: UInt32) {
    let last = segments[segments.count - 1]
    guard tick > last.tick else {
      segments[segments.count - 1].unitsPerTick = unitsPerTick
      return
    }
    let units = last.units + UInt64(tick - last.tick) * UInt64(last.unitsPerTick)
    segments.append(Segment(tick: tick, units: units, unitsPerTick: unitsPerTick))
  }

  /// The seconds from the start of the song to `tick`, to within one rounding of the exact value.
  public func seconds(at tick: UInt32) -> Double {
    let segment = segments[lastSegment { $0.tick <= tick }]
    return Double(segment.units + UInt64(tick - segment.tick) * UInt64(segment.unitsPerTick)) / unitsPerSecond
  }

  /// The tick nearest to a time; times before the start give 0, beyond the last possible tick that tick.
  public func tick(at seconds: Double) -> UInt32 {
    let units = seconds * unitsPerSecond
    let segment = segments[lastSegment { Double($0.units) <= units }]
    let ticks = Double(segment.tick) + (units - Double(segment.units)) / Double(segment.unitsPerTick)
    return UInt32(exactly: ticks.rounded()) ?? (ticks > 0 ? .max : 0)
  }

  /// In quarter notes per minute, at a tick; 120 in SMPTE time.
  public func tempo(at tick: UInt32) -> Double {
    let segment = segments[lastSegment { $0.tick <= tick }]
    return 60 * unitsPerSecond / (Double(segment.unitsPerTick) * ticksPerBeat)
  }

  /// The last segment for which `holds`, which must not come back once it has failed; the first if it never holds.
  func lastSegment(where holds: (Segment) -> Bool) -> Int {
    var low = 0
    var high = segments.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if holds(segments[middle]) { low = middle } else { high = middle }
    }
    return low
  }
}

extension TempoMap {
  /// The tempo map of a file. Tempo changes of all tracks count, in the order of their ticks, and of their tracks
  /// within a tick; in format 2, where tracks follow one another, each track begins at 120 quarter notes per minute.
  public init(_ file: MIDIFile) {
    self.init(file, order: PlayOrder(file))
  }

  init(_ file: MIDIFile, order: PlayOrder) {
    var changes: [Change] = []
    for (track, start) in zip(file.tracks, order.trackStarts) {
      if file.format == .independent { changes.append((start, Self.defaultTempo)) }
      for event in file.events[track.events] {
        guard case .meta(let payload, .tempo) = event.content else { continue }
        let tempo = file.bytes(of: payload).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        if payload.count == 3 && tempo > 0 { changes.append((order.tick(event, trackStart: start), tempo)) }
      }
    }
    self.init(division: file.division, changes: changes)
  }

  /// A tempo in microseconds per quarter note.
  typealias Change = (tick: UInt32, tempo: UInt32)

  /// - Parameter changes: in any order; those of one tick in that of their tracks.
  init(division: Division, changes: [Change]) {
    self.init(division: division)
    guard case .ticksPerQuarter = division else { return }
    for index in changes.indices.sorted(by: { (changes[$0].tick, $0) < (changes[$1].tick, $1) }) {
      append(unitsPerTick: changes[index].tempo, at: changes[index].tick)
    }
  }
}
