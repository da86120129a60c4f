/// A place in the score, counted as musicians count.
public struct BarPosition: Hashable, Comparable, Sendable {
  /// From 1.
  public let bar: Int
  /// From 1, in the unit of the time signature.
  public let beat: Int
  /// Ticks after the beat.
  public let ticks: Int

  public static func < (a: BarPosition, b: BarPosition) -> Bool {
    (a.bar, a.beat, a.ticks) < (b.bar, b.beat, b.ticks)
  }
}

extension BarPosition: CustomStringConvertible {
  /// "17:3".
  public var description: String { "\(bar):\(beat)" }
}

/// The bars and beats of a song. A time signature begins a bar, also where it stands within one.
struct BarMap {
  private struct Segment {
    let tick: UInt32
    let bar: Int
    let ticksPerBeat: Double
    let beatsPerBar: Int
  }
  private var segments: [Segment]
  private let ticksPerQuarter: Double

  /// Four quarter notes a bar, until told otherwise.
  init(ticksPerQuarter: UInt16) {
    self.ticksPerQuarter = Double(max(ticksPerQuarter, 1))
    segments = [Segment(tick: 0, bar: 1, ticksPerBeat: self.ticksPerQuarter, beatsPerBar: 4)]
  }

  /// Sets the time signature from `tick` on, which must not lie before the last one.
  mutating func append(_ beats: Int, of denominator: Int, at tick: UInt32) {
    let place = position(at: tick)
    // A bar that is cut short is a bar.
    let bar = place.beat == 1 && place.ticks == 0 ? place.bar : place.bar + 1
    if tick == segments[segments.count - 1].tick { segments.removeLast() }
    segments.append(
      Segment(tick: tick, bar: bar, ticksPerBeat: ticksPerQuarter * 4 / Double(denominator), beatsPerBar: beats))
  }

  func position(at tick: UInt32) -> BarPosition {
    var (low, high) = (0, segments.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if segments[middle].tick <= tick { low = middle } else { high = middle }
    }
    let segment = segments[low]
    let ticks = Double(tick - segment.tick)
    // The denominator may be finer than a tick.
    let beats = Int(ticks / segment.ticksPerBeat)
    return BarPosition(
      bar: segment.bar + beats / segment.beatsPerBar, beat: beats % segment.beatsPerBar + 1,
      ticks: Int(ticks - Double(beats) * segment.ticksPerBeat))
  }
}
