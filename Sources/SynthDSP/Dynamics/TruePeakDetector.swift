/// Finds how high a signal rises between its samples: a peak oversampled sixteen times, in place of the four of ITU-R
/// BS.1770-4 Annex 2.
///
/// Two filters in a row: one reads the point halfway between two samples from 176, because content near Nyquist asks
/// for many; at the doubled rate ten points are enough for any between. Sines up to 0.45 of the sample rate are read
/// within 0.02 dB, up to 0.48 within 0.04 dB, up to 0.49 within 0.2 dB; closer to Nyquist they may be read 7 dB too
/// high. Beside that, sixteen points miss 0.04 dB of a sine near Nyquist at most; eight would miss 0.17 dB.
struct TruePeakDetector: ~Copyable {
  /// Samples that must be known after the one whose peak is asked for, and before it.
  static var lookAhead: Int { @_noLocks get { 32 } }
  static var lookBehind: Int { @_noLocks get { 160 } }

  /// The most a point can be beyond the samples it is calculated from: the largest sum of magnitudes of a filter.
  let bound: Float
  /// A point is at most the higher of the samples on both sides, and so many times the largest second difference of all
  /// samples that it is calculated from.
  let reach: Float
  /// The most a point can be beyond the samples and halfway points around it.
  private let nearBound: Float

  /// Every coefficient repeated eight times: of the halfway point, and of the seven points before and behind it.
  private let half: UnsafeMutablePointer<SIMD8<Float>>
  private let quarters: UnsafeMutablePointer<SIMD8<Float>>
  /// Frame `index - 2` has its halfway point to the next one here.
  private let halfway: UnsafeMutablePointer<Float>

  private static var halfCount: Int { @_noLocks get { PeakFilters.behind &+ PeakFilters.ahead } }
  private static var nearCount: Int { @_noLocks get { 2 &* PeakFilters.near } }

  init() {
    let filters = PeakFilters()
    (bound, reach, nearBound) = (Float(filters.bound), Float(filters.reach), Float(filters.nearBound))
    half = Self.repeated(filters.half)
    quarters = Self.repeated(filters.points.flatMap { $0 })
    halfway = .allocate(capacity: blockSize + 8)
    halfway.initialize(repeating: 0, count: blockSize + 8)
  }

  deinit {
    half.deallocate()
    quarters.deallocate()
    halfway.deallocate()
  }

  private static func repeated(_ taps: [Double]) -> UnsafeMutablePointer<SIMD8<Float>> {
    let memory = UnsafeMutablePointer<SIMD8<Float>>.allocate(capacity: taps.count)
    for (index, tap) in taps.enumerated() { (memory + index).initialize(to: SIMD8(repeating: Float(tap))) }
    return memory
  }

  /// Raises the peaks of 64 frames, each read from itself to the next, to those of one more channel, where that may be
  /// above a level; elsewhere they stay. [audio thread]
  ///
  /// `frames` points to the first of them, with `lookBehind` before it and `lookAhead` after the last; what is in the
  /// four behind those is read and not used.
  @_noLocks
  func raise(_ peaks: UnsafeMutablePointer<Float>, to frames: UnsafePointer<Float>, above level: Float) {
    let lowest = (level - reach * steepest(frames)) * 0.999
    // Which groups of eight halfway points are known.
    var known: UInt32 = 0
    for group in 0..<blockSize / 8 {
      let samples = frames + 8 &* group
      let near = higher(magnitude(Self.load(samples)), magnitude(Self.load(samples + 1)))
      guard Self.isAny(of: near, above: lowest) else { continue }
      for needed in group...group &+ 1 where known & (1 << UInt32(needed)) == 0 {
        known |= 1 << UInt32(needed)
        findHalfway(frames, group: needed)
      }
      let place = UnsafeMutableRawPointer(peaks + 8 &* group)
      let present = place.loadUnaligned(as: SIMD8<Float>.self)
      let found = highest(samples, halfway + 8 &* group, above: level)
      place.storeBytes(of: higher(present, found), as: SIMD8<Float>.self)
    }
  }

  /// The largest second difference of all samples that halfway points are read from.
  @_noLocks
  private func steepest(_ frames: UnsafePointer<Float>) -> Float {
    var largest = SIMD8<Float>(repeating: 0)
    let first = frames - 153
    for step in 0..<31 {
      let samples = first + 8 &* step
      let middle = Self.load(samples)
      largest = higher(largest, magnitude(Self.load(samples - 1) + Self.load(samples + 1) - (middle + middle)))
    }
    var steepest: Float = 0
    for lane in 0..<8 { steepest = max(steepest, largest[lane]) }
    return steepest
  }

  @_noLocks
  private func findHalfway(_ frames: UnsafePointer<Float>, group: Int) {
    let window = frames + (8 &* group &- PeakFilters.behind &- 1)
    var (even, odd) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 0))
    var tap = 0
    while tap < Self.halfCount {
      even += Self.load(window + tap) * half[tap]
      odd += Self.load(window + tap + 1) * half[tap &+ 1]
      tap &+= 2
    }
    UnsafeMutableRawPointer(halfway + 8 &* group).storeBytes(of: even + odd, as: SIMD8<Float>.self)
  }

  /// The peaks of eight frames. `samples` points to the first, `halfway` to the halfway point two frames before it.
  @_noLocks
  private func highest(
    _ samples: UnsafePointer<Float>, _ halfway: UnsafePointer<Float>, above level: Float
  ) -> SIMD8<Float> {
    var around = SIMD8<Float>(repeating: 0)
    for place in 0..<6 { around = higher(around, magnitude(Self.load(samples + place - 2))) }
    for place in 0..<5 { around = higher(around, magnitude(Self.load(halfway + place))) }
    var result = higher(magnitude(Self.load(samples)), magnitude(Self.load(halfway + 2)))
    guard Self.isAny(of: around, above: level * nearBound) else { return result }
    for point in 0..<7 {
      let taps = quarters + point &* Self.nearCount
      var (before, behind) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 0))
      for tap in 0..<PeakFilters.near {
        let (sample, between) = (taps[2 &* tap], taps[2 &* tap &+ 1])
        let middle = Self.load(halfway + tap)
        before += Self.load(samples + tap - 2) * sample
        before += middle * between
        behind += middle * sample
        behind += Self.load(samples + tap - 1) * between
      }
      result = higher(result, higher(magnitude(before), magnitude(behind)))
    }
    return result
  }

  @_noLocks
  @inline(__always)
  private static func load(_ samples: UnsafePointer<Float>) -> SIMD8<Float> {
    UnsafeRawPointer(samples).loadUnaligned(as: SIMD8<Float>.self)
  }

  @_noLocks
  @inline(__always)
  private func higher(_ a: SIMD8<Float>, _ b: SIMD8<Float>) -> SIMD8<Float> { a.replacing(with: b, where: b .> a) }

  @_noLocks
  @inline(__always)
  private static func isAny(of values: SIMD8<Float>, above level: Float) -> Bool {
    for lane in 0..<8 where values[lane] > level { return true }
    return false
  }
}

/// The filters that a true peak is found with, and what follows from them for any signal. [control thread]
private struct PeakFilters {
  /// Samples that a halfway point is read from.
  static var behind: Int { @_noLocks get { 146 } }
  static var ahead: Int { @_noLocks get { 30 } }
  /// As many samples, and as many halfway points, that another point is read from.
  static var near: Int { @_noLocks get { 5 } }

  let half: [Double]
  /// Seven points, an eighth of the way from a sample to the next halfway point apart; of samples and halfway points in
  /// turn.
  let points: [[Double]]
  private(set) var bound = 1.0
  private(set) var reach = 0.0
  let nearBound: Double

  init() {
    half = BandInterpolation.taps(behind: Self.behind, ahead: Self.ahead, fraction: 0.5, band: 0.49, noise: 3e-5)
    points = (1...7).map { eighth in
      BandInterpolation.taps(
        behind: Self.near, ahead: Self.near, fraction: Double(eighth) / 8, band: 0.25, noise: 1e-6)
    }
    nearBound = 1 / (1.0001 * (points.map { $0.reduce(0) { $0 + abs($1) } }.max() ?? 1))
    for point in points + [[0, 0, 0, 0, 1]] {
      for start in 0...1 {
        let taps = combined(point, start: start)
        bound = max(bound, 1.0001 * taps.reduce(0) { $0 + abs($1) })
        reach = max(reach, 1.0001 * Self.reach(taps))
      }
    }
  }

  /// The filter on samples alone of a point that is read from samples and halfway points, from a sample on or from a
  /// halfway point on. Tap `behind + 2` is the sample before it.
  private func combined(_ point: [Double], start: Int) -> [Double] {
    var taps = Array(repeating: 0.0, count: half.count + 8)
    for (index, value) in point.enumerated() {
      let place = start + index - (Self.near - 1)
      let sample = Self.behind + 2 + (place >> 1)
      if place & 1 == 0 {
        taps[sample] += value
      } else {
        for (tap, factor) in half.enumerated() { taps[sample - Self.behind + 1 + tap] += value * factor }
      }
    }
    return taps
  }

  /// A filter is split into one of the two samples in its middle and one of second differences, from both ends: the sum
  /// of the latter's magnitudes.
  private static func reach(_ taps: [Double]) -> Double {
    var (rest, sum) = (taps, 0.0)
    let middle = behind + 2
    for tap in 0..<middle {
      sum += abs(rest[tap])
      rest[tap + 1] += 2 * rest[tap]
      rest[tap + 2] -= rest[tap]
    }
    for tap in stride(from: taps.count - 1, to: middle + 1, by: -1) {
      sum += abs(rest[tap])
      rest[tap - 1] += 2 * rest[tap]
      rest[tap - 2] -= rest[tap]
    }
    return sum
  }
}
