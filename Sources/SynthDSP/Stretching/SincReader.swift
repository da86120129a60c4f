import CSynthRealtime
@preconcurrency import Glibc

/// Reads a sound between its frames, at steps that change as one likes.
///
/// Interpolation by a sinc under a Kaiser window, 48 zero crossings wide to each side, from a table of 512 places
/// between two of them with a straight line from place to place. Up to 0.87 of half the lower rate the error of a sine
/// is 100 dB below it. Steps other than 1 let less pass from there on (at 0.88 the error is at -81 dB, at 0.9 at -36
/// dB), and steps above 1 lower the cutoff by as much, so that what would be mirrored is at -100 dB, from half the rate
/// to 1.005 of it at -78 dB. Whole frames at step 1 are copied, bit for bit.
public struct SincReader: BitwiseCopyable, @unchecked Sendable {
  // Unchecked because of the pointer, to a table that is never freed nor changed.
  private let table: UnsafePointer<Float>

  private static let crossings = 48.0
  private static let resolution = 512.0
  private static let beta = 10.0
  /// How many input frames may lie between two of output.
  public static var longestStep: Double {
    @_noLocks get { 32 }
  }

  /// Makes the table once. [control thread]
  public init() { self = Self.shared }

  private init(_ table: UnsafePointer<Float>) { self.table = table }

  private static let shared: SincReader = {
    let count = Int(crossings * resolution)
    let table = UnsafeMutablePointer<Float>.allocate(capacity: count + 2)
    for place in 0...count + 1 { (table + place).initialize(to: Float(height(at: Double(place) / resolution))) }
    return SincReader(UnsafePointer(table))
  }()

  /// Of the curve, so many zero crossings from its middle.
  private static func height(at x: Double) -> Double {
    // Exact zeros, so that whole frames are found as they are.
    guard x > 0 else { return 1 }
    guard x < crossings, x.rounded() != x else { return 0 }
    let part = x / crossings
    let window = WindowedSinc.bessel(beta * (1 - part * part).squareRoot()) / WindowedSinc.bessel(beta)
    return window * sin(.pi * x) / (.pi * x)
  }

  /// How many input frames around its place a frame of output needs, to each side.
  @_noLocks
  public static func reach(step: Double) -> Int {
    step == 1 ? 49 : Int(48 / 0.94 * max(1, min(step, 32))) &+ 2
  }

  /// Writes frames of a channel. [audio thread]
  ///
  /// - Parameters:
  ///   - input: holds frames from `reach` before the first place to `reach` behind the last.
  ///   - place: of the first frame in the input, from 0.
  ///   - step: input frames from one frame of output to the next, up to 32.
  @_noLocks
  public func read(
    _ input: UnsafePointer<Float>, at place: Double, step: Double, into output: UnsafeMutablePointer<Float>, count: Int
  ) {
    if step == 1, place == Double(Int(place)) {
      return realtime_copy(output, input + Int(place), count)
    }
    let gain = step == 1 ? 1 : 0.94 / max(1, step)
    let spacing = gain * 512
    let reach = Int(48 / gain)
    for frame in 0..<count {
      let middle = place + Double(frame) * step
      let nearest = Int(middle)
      let part = middle - Double(nearest)
      let before = sum(input + nearest, direction: -1, from: part * spacing, spacing: spacing, count: reach &+ 1)
      let after = sum(
        input + nearest + 1, direction: 1, from: (1 - part) * spacing, spacing: spacing, count: reach &+ 1)
      output[frame] = (before + after) * Float(gain)
    }
  }

  /// One half of the sum, from the middle outwards.
  @_noLocks
  private func sum(
    _ input: UnsafePointer<Float>, direction: Int, from start: Double, spacing: Double, count: Int
  ) -> Float {
    var sum: Float = 0
    var distance = start
    var sample = input
    for _ in 0..<count where distance < 48 * 512 {
      let index = Int(distance)
      let part = Float(distance - Double(index))
      let entry = table + index
      sum += sample.pointee * (entry[0] + part * (entry[1] - entry[0]))
      distance += spacing
      sample += direction
    }
    return sum
  }
}
