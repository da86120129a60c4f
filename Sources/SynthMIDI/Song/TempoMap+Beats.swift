// Beats, seconds and frames. A beat is a quarter note; in SMPTE time, half a second.

extension Division {
  /// Half a second in SMPTE time, whose ticks are parts of seconds.
  public var ticksPerBeat: Double {
    switch self {
    case .ticksPerQuarter(let ticks): Double(max(ticks, 1))
    case .smpte(29, let ticks): 15_000 / 1001 * Double(max(ticks, 1))
    case .smpte(let frames, let ticks): Double(max(frames, 1)) * Double(max(ticks, 1)) / 2
    }
  }
}

extension TempoMap {
  /// When a beat is, in seconds from the start of the song; it may fall between two ticks. Before the start, and beyond
  /// the last change, the tempo goes on.
  public func seconds(atBeat beat: Double) -> Double {
    let ticks = beat * ticksPerBeat
    let segment = segments[lastSegment { Double($0.tick) <= ticks }]
    let units = Double(segment.units) + (ticks - Double(segment.tick)) * Double(segment.unitsPerTick)
    return units / unitsPerSecond
  }

  /// The beat at a time in seconds.
  public func beat(atSeconds seconds: Double) -> Double {
    let units = seconds * unitsPerSecond
    let segment = segments[lastSegment { Double($0.units) <= units }]
    let ticks = Double(segment.tick) + (units - Double(segment.units)) / Double(max(segment.unitsPerTick, 1))
    return ticks / ticksPerBeat
  }

  /// The frame nearest to a beat, held at the ends of what can be counted.
  public func frame(atBeat beat: Double, sampleRate: Double) -> Int64 {
    let frame = (seconds(atBeat: beat) * sampleRate).rounded()
    return Int64(exactly: frame) ?? (frame > 0 ? .max : frame < 0 ? .min : 0)
  }

  /// The beat at a frame.
  public func beat(atFrame frame: Int64, sampleRate: Double) -> Double {
    beat(atSeconds: Double(frame) / sampleRate)
  }
}
