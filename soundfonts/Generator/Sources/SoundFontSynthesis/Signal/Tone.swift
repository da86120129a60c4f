// Additive synthesis whose sound settles into an exact loop.
import Glibc

/// One sine wave of a tone.
struct Partial {
  /// Multiple of the fundamental.
  var ratio: Double
  /// Amplitude at the start.
  var level: Double
  /// How fast it decays beside the tone as a whole, nepers a second.
  var decay = 0.0
  /// Share of the level that does not decay.
  var tail = 0.0
  /// Seconds until it is fully there.
  var onset = 0.0
  /// Cycles.
  var phase = 0.0
}

/// A sum of partials: a lead in which they set in and decay, then a loop.
///
/// Every partial makes a whole number of cycles in the loop, so that the loop repeats without a seam; the longer the
/// loop, the finer the grid on which inharmonic partials lie. The rate is bent until the fundamental makes a whole
/// number of cycles as well, so the pitch is right within half a hertz of rate, 0.04 cents.
struct Tone {
  var key: Int
  /// Wanted frames a second.
  var rate = 15_000.0
  /// Seconds before the loop.
  var lead: Double
  /// Wanted seconds of the loop.
  var loop: Double
  /// Slow random amplitude modulation of each partial, 0 none to 1 full.
  var shimmer = 0.0
  var partials: [Partial]

  func rendered(seed: Int = 1) -> Wave {
    let pitch = frequency(key)
    let periods = max(1, (loop * pitch).rounded())
    let length = (periods * rate / pitch).rounded()
    let exactRate = (pitch * length / periods).rounded()
    let start = Int(lead * exactRate)
    var noise = Noise(seed: seed &+ key)
    var frames = [Double](repeating: 0, count: start + Int(length) + Wave.guardFrames)
    let ages = (0..<frames.count).map { settledAge($0, start: start, rate: exactRate) }
    for partial in partials {
      let cycles = (partial.ratio * periods).rounded()
      let wobble = (noise.next(), noise.next())
      guard cycles > 0, cycles < 0.46 * length, partial.level != 0 else { continue }
      add(partial, cycles: cycles, wobble: wobble, ages: ages, length: length, rate: exactRate, to: &frames)
    }
    return Wave(frames: frames, rate: Int(exactRate), key: key, loop: start..<start + Int(length))
  }

  private func add(
    _ partial: Partial, cycles: Double, wobble: (Double, Double), ages: [Double], length: Double, rate: Double,
    to frames: inout [Double]
  ) {
    let step = 2 * Double.pi * cycles / length
    let (c, s) = (cos(step), sin(step))
    var x = cos(2 * Double.pi * partial.phase)
    var y = sin(2 * Double.pi * partial.phase)
    let slow = 2 * Double.pi * (wobble.1 > 0 ? 1 : 2) / length
    let onset = partial.onset * rate
    for i in frames.indices {
      var level = partial.level
      if partial.decay != 0 { level *= partial.tail + (1 - partial.tail) * exp(-partial.decay * ages[i]) }
      if Double(i) < onset { level *= 0.5 - 0.5 * cos(Double.pi * Double(i) / onset) }
      if shimmer != 0 { level *= 1 + shimmer * sin(slow * Double(i) + wobble.0 * Double.pi) }
      frames[i] += level * y
      (x, y) = (x * c - y * s, x * s + y * c)
    }
  }

  /// Time as the decays feel it: it slows down from 60 % of the lead on and stands still 10 ms before the loop.
  private func settledAge(_ frame: Int, start: Int, rate: Double) -> Double {
    let end = max(0, Double(start) / rate - 0.01)
    let knee = 0.6 * end
    let t = min(Double(frame) / rate, end)
    guard t > knee, end > knee else { return t }
    return t - (t - knee) * (t - knee) / (2 * (end - knee))
  }
}

/// Partials 1... of a harmonic or stiff string below `limit` Hz at the key.
///
/// - Parameters:
///   - stiffness: Fletcher's inharmonicity coefficient B.
///   - shape: level and decay rate of the partial with that number at that frequency in Hz.
func harmonics(
  _ key: Int, limit: Double = 10_000, stiffness: Double = 0, _ shape: (Int, Double) -> Partial
) -> [Partial] {
  let pitch = frequency(key)
  return (1...max(1, Int(limit / pitch))).map { n in
    let ratio = Double(n) * (1 + stiffness * Double(n * n)).squareRoot()
    var partial = shape(n, ratio * pitch)
    partial.ratio = ratio
    return partial
  }
}

/// Harmonic partials with fixed levels in decibels.
func harmonics(decibels: [Double]) -> [Partial] {
  decibels.enumerated().map { Partial(ratio: Double($0 + 1), level: amplitude($1), phase: Double($0) * 0.13) }
}
