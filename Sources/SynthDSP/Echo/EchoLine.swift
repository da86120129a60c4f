import CSynthRealtime

/// A delay line whose output goes in again through a low pass: one channel of an echo.
///
/// A delay of whole frames gives the samples as they went in. Between frames a cubic through four samples is read
/// (Catmull and Rom, 1974). Lives in raw memory that a node owns; making and destroying are for the control thread, all
/// else for the audio thread.
public struct EchoLine: ~Copyable {
  private let samples: UnsafeMutablePointer<Float>
  /// A power of two.
  private let capacity: Int
  /// Where the next sample goes.
  private var place = 0
  /// The low pass's last output.
  private var low: Float = 0

  /// - Parameter longestDelay: in frames, 1 to 2²⁸, to which it is clamped.
  public init(longestDelay: Int) {
    // A cubic needs two samples beyond the one it is read after.
    capacity = Self.capacity(longestDelay: longestDelay)
    samples = .allocate(capacity: capacity)
    samples.initialize(repeating: 0, count: capacity)
  }

  deinit { samples.deallocate() }

  /// How many samples a line keeps: a power of two.
  public static func capacity(longestDelay: Int) -> Int {
    var capacity = 4
    while capacity < min(longestDelay, 1 << 28) + 3 { capacity *= 2 }
    return capacity
  }

  /// One block: writes what comes out of the line over `output`, which may not be `input`.
  ///
  /// - Parameters:
  ///   - delays: for each frame the delay in frames, from 1 to the longest.
  ///   - feedback: for each frame the share of the output that goes in again, -1 < share < 1.
  ///   - smoothing: for each frame what the low pass takes over of its input; 1 lets everything pass.
  /// - Returns: the highest magnitude that went into the line. What is no number goes in as 0.
  @_noLocks
  public mutating func process(
    _ input: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>, delays: UnsafePointer<Double>,
    feedback: UnsafePointer<Float>, smoothing: UnsafePointer<Float>
  ) -> Float {
    var peak: Float = 0
    for frame in 0..<blockSize {
      let heard = read(delays[frame], from: place)
      low = smoothing[frame] == 1 ? heard : low + smoothing[frame] * (heard - low)
      let sum = input[frame] + feedback[frame] * low
      let magnitude = abs(sum)
      samples[place] = magnitude < .infinity ? sum : 0
      peak = magnitude > peak ? magnitude : peak
      place = (place &+ 1) & (capacity &- 1)
      output[frame] = heard
    }
    return peak
  }

  /// Adds to `output` what the line gives at other delays, for the block that was processed last.
  ///
  /// - Parameters:
  ///   - delays: for each frame the delay in frames, from 1 to a block less than the longest.
  ///   - gain: of what is added.
  @_noLocks
  public func addTap(
    _ delays: UnsafePointer<Double>, gain: GainSegment, to output: UnsafeMutablePointer<Float>
  ) {
    for frame in 0..<blockSize {
      let share = gain.start + gain.step * Float(Int32(truncatingIfNeeded: frame &+ 1))
      output[frame] += share * read(delays[frame], from: place &- blockSize &+ frame)
    }
  }

  /// - Parameter place: where the sample of the present frame goes.
  @_noLocks
  @inline(__always)
  private func read(_ delay: Double, from place: Int) -> Float {
    let whole = Int(delay)
    let part = Float(delay - Double(whole))
    let present = at(place &- whole)
    guard part > 0 else { return present }
    let older = at(place &- whole &- 1)
    // The sample before the present one is the one that is to be written.
    guard whole > 1 else { return present + part * (older - present) }
    let (newer, oldest) = (at(place &- whole &+ 1), at(place &- whole &- 2))
    let cubic = 3 * (present - older) + oldest - newer
    let square = 2 * newer - 5 * present + 4 * older - oldest
    return present + 0.5 * part * (older - newer + part * (square + part * cubic))
  }

  @_noLocks
  @inline(__always)
  private func at(_ place: Int) -> Float { samples[place & (capacity &- 1)] }

  /// What the low pass takes over of its input for a cutoff, at which it lets half of the power pass; 1, all, from 0.45
  /// of the sample rate on.
  ///
  /// With y = 1 − cos ω it is √(y² + 2y) − y, for which a first-order recursion has −3.01 dB at ω exactly.
  ///
  /// - Parameter cutoff: as a part of the sample rate.
  @_noLocks
  public static func smoothing(cutoff: Float) -> Float {
    guard cutoff < 0.45 else { return 1 }
    let tangent = tangent(SIMD8(repeating: cutoff * Float.pi))[0]
    let y = 2 * tangent * tangent / (1 + tangent * tangent)
    return realtime_square_root(y * y + 2 * y) - y
  }
}
