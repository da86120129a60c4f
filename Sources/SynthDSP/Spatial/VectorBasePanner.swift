import CSynthRealtime

/// Amplitudes of loudspeakers around a listener that make a sound come from a direction: vector base amplitude panning
/// in the horizontal plane (Pulkki, "Virtual Sound Source Positioning Using Vector Base Amplitude Panning", JAES 45(6),
/// 1997).
///
/// The two loudspeakers on both sides of the direction sound, one alone where the direction is its own; the sum of
/// powers is always 1. What is above or below goes by its horizontal direction, and the share of the power that is
/// vertical, sin² of the elevation, equally to all loudspeakers. Two loudspeakers in front play what is behind as if it
/// were mirrored to the front, and what is beyond them on the nearer one.
public struct VectorBasePanner: ~Copyable {
  /// Two neighbours, and the inverse of the matrix of their directions.
  private struct Pair {
    let first: Int
    let second: Int
    let inverse: (SIMD2<Float>, SIMD2<Float>)
  }

  /// Of the layout.
  public let channelCount: Int
  private let speakerCount: Int
  private let speakers: UnsafeMutablePointer<Int>
  private let pairs: UnsafeMutablePointer<Pair>
  private let pairCount: Int

  /// [control thread]
  public init(_ layout: SpeakerLayout) {
    channelCount = layout.channelCount
    let ring = layout.azimuths.enumerated().compactMap { channel, azimuth in azimuth.map { (channel, $0) } }
      .sorted { $0.1 < $1.1 }
    speakerCount = ring.count
    speakers = .allocate(capacity: ring.count)
    for (index, speaker) in ring.enumerated() { (speakers + index).initialize(to: speaker.0) }
    // Two do not surround the listener.
    pairCount = ring.count == 2 ? 1 : ring.count
    pairs = .allocate(capacity: pairCount)
    for index in 0..<pairCount {
      let (first, second) = (ring[index], ring[(index + 1) % ring.count])
      let (a, b) = (SineCosine(degrees: first.1), SineCosine(degrees: second.1))
      let determinant = a.sine * b.cosine - b.sine * a.cosine
      let inverse = (SIMD2(b.cosine, -b.sine) / determinant, SIMD2(-a.cosine, a.sine) / determinant)
      (pairs + index).initialize(to: Pair(first: first.0, second: second.0, inverse: inverse))
    }
  }

  deinit {
    speakers.deallocate()
    pairs.deallocate()
  }

  /// Writes an amplitude for each channel. [audio thread]
  ///
  /// - Parameter direction: from the listener, of length 1: x to the right, y up, z to the back.
  @_noLocks
  public func pan(_ direction: SIMD3<Float>, into amplitudes: UnsafeMutablePointer<Float>) {
    amplitudes.update(repeating: 0, count: channelCount)
    let horizontalPower = direction.x * direction.x + direction.z * direction.z
    if horizontalPower > 0 {
      let horizontal = realtime_square_root(horizontalPower)
      let front = pairCount == 1 ? abs(direction.z) : -direction.z
      panHorizontally(SIMD2(direction.x, front) / horizontal, into: amplitudes)
    }
    let vertical = direction.y * direction.y
    guard vertical > 0 else { return }
    let share = vertical / Float(Int32(truncatingIfNeeded: speakerCount))
    for index in 0..<speakerCount {
      let gain = amplitudes[speakers[index]]
      amplitudes[speakers[index]] = realtime_square_root(gain * gain * (1 - vertical) + share)
    }
  }

  /// - Parameter direction: to the right and to the front.
  @_noLocks
  private func panHorizontally(_ direction: SIMD2<Float>, into gains: UnsafeMutablePointer<Float>) {
    // The pair that needs the least of a negative gain is the one on both sides.
    var (best, parts, least) = (0, SIMD2<Float>(0, 0), -Float.infinity)
    for index in 0..<pairCount {
      let inverse = pairs[index].inverse
      let first = inverse.0.x * direction.x + inverse.0.y * direction.y
      let second = inverse.1.x * direction.x + inverse.1.y * direction.y
      if min(first, second) > least { (best, parts, least) = (index, SIMD2(first, second), min(first, second)) }
    }
    let (first, second) = (max(0, parts.x), max(0, parts.y))
    let norm = realtime_square_root(first * first + second * second)
    guard norm > 0 else { return }
    gains[pairs[best].first] = first / norm
    gains[pairs[best].second] = second / norm
  }
}

/// Amplitudes of two channels that keep the sum of their powers: by the sine of the angle to the side, as a mixer's pan
/// (−3 dB in the centre). [any thread]
@_noLocks
public func equalPowerAmplitudes(_ direction: SIMD3<Float>) -> (left: Float, right: Float) {
  let across = realtime_square_root(direction.y * direction.y + direction.z * direction.z)
  // √((1 ± x) / 2); the smaller of the two without a difference of equal numbers.
  let near = realtime_square_root((1 + abs(direction.x)) / 2)
  let far = across / (2 * near)
  return direction.x < 0 ? (near, far) : (far, near)
}
