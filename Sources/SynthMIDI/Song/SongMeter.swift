/// The bars and beats of a song, as a metronome clicks them.
///
/// The beat of a compound metre is dotted: 6/8 has two in a bar, 9/8 three and 12/8 four, which is how they are
/// conducted. 3/8 and all others have the signature's own beats. The clocks per click that files have beside a
/// signature are not looked at, because many programs write 24 with every signature, which would be three clicks in a
/// bar of 6/8.
public struct SongMeter: Sendable, Equatable {
  /// A click.
  public struct Beat: Hashable, Sendable {
    /// From the start of the song; negative before it.
    public let seconds: Double
    /// Whether it begins a bar.
    public let isFirst: Bool
  }

  /// From a signature to the next. A signature begins a bar, also where it stands within one.
  private struct Segment: Equatable {
    let tick: UInt32
    let ticksPerBeat: Double
    let beatsPerBar: Int

    init(_ signature: SongInfo.TimeSignature, at tick: UInt32, ticksPerQuarter: Double) {
      let isCompound = signature.denominator >= 8 && signature.numerator > 3 && signature.numerator % 3 == 0
      let unit = ticksPerQuarter * 4 / Double(signature.denominator)
      self.tick = tick
      ticksPerBeat = isCompound ? 3 * unit : unit
      beatsPerBar = isCompound ? signature.numerator / 3 : signature.numerator
    }
  }

  private let tempoMap: TempoMap
  private let segments: [Segment]

  /// A change of the signature.
  typealias Change = (tick: UInt32, signature: SongInfo.TimeSignature)

  /// - Parameter changes: in the order of their ticks; four quarter notes a bar before the first.
  init(_ tempoMap: TempoMap, changes: [Change]) {
    self.tempoMap = tempoMap
    var segments: [Segment] = []
    var present: SongInfo.TimeSignature?
    let start = SongInfo.TimeSignature(4, 4).map { [(UInt32(0), $0)] } ?? []
    // Tracks often repeat what holds already.
    for (tick, signature) in start + changes where signature != present {
      if segments.last?.tick == tick { segments.removeLast() }
      segments.append(Segment(signature, at: tick, ticksPerQuarter: tempoMap.ticksPerBeat))
      present = signature
    }
    self.segments = segments
  }

  /// A damaged file may have beats without end. At 120 a minute these are 18 hours.
  private static let mostBeats = 1 << 17
  /// In seconds: what is faster is a tone.
  private static let shortest = 0.02

  /// From the start of the song on, before a time in seconds. Those less than 20 ms after another are left out.
  public func beats(before end: Double) -> [Beat] {
    var beats: [Beat] = []
    var count = 0
    for (index, segment) in segments.enumerated() {
      let next = index + 1 < segments.count ? Double(segments[index + 1].tick) : .infinity
      var number = 0
      while count < Self.mostBeats {
        let tick = Double(segment.tick) + Double(number) * segment.ticksPerBeat
        let seconds = self.seconds(at: tick)
        guard tick < next, seconds < end else { break }
        if seconds - (beats.last?.seconds ?? -1) >= Self.shortest {
          beats.append(Beat(seconds: seconds, isFirst: number % segment.beatsPerBar == 0))
        }
        number += 1
        count += 1
      }
    }
    return beats
  }

  /// Counted before a place; an hour at 120 a minute in bars of 7.
  private static let mostBars = 1000
  /// A place less than this before a bar counts as the bar: people write times with a digit or two.
  private static let tolerance = 0.05

  /// What is counted before a place: bars of its signature and tempo that lead to the beginning of the place's bar.
  ///
  /// - Parameter bars: 0 to 1000, to which it is clamped.
  /// - Returns: the beats, and the beginning of the bar, from which on the song's own beats lead to the place.
  public func countIn(bars: Int, to seconds: Double) -> (beats: [Beat], bar: Double) {
    let tick = tempoMap.beat(atSeconds: seconds + Self.tolerance) * tempoMap.ticksPerBeat
    let segment = segments.last { Double($0.tick) <= tick } ?? segments[0]
    let barTicks = segment.ticksPerBeat * Double(segment.beatsPerBar)
    let bar = self.seconds(
      at: Double(segment.tick) + ((tick - Double(segment.tick)) / barTicks).rounded(.down) * barTicks)
    let tempo = tempoMap.segments[tempoMap.lastSegment { Double($0.tick) <= tick }]
    let length = segment.ticksPerBeat * Double(tempo.unitsPerTick) / tempoMap.unitsPerSecond
    let count = min(max(bars, 0), Self.mostBars) * segment.beatsPerBar
    let beats = (0..<count).map { number in
      Beat(seconds: bar - Double(count - number) * length, isFirst: number % segment.beatsPerBar == 0)
    }
    return (beats, bar)
  }

  private func seconds(at tick: Double) -> Double { tempoMap.seconds(atBeat: tick / tempoMap.ticksPerBeat) }
}
