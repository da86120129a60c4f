import Glibc

/// The tables by which FluidSynth converts units, so that the same cents and centibels give the same sound. Made once.
final class ConversionTables: @unchecked Sendable {
  static let shared = ConversionTables()

  let conversions: Conversions

  /// Source: FluidSynth 2.3, gen_conv.c, for what is in each table.
  private init() {
    func table(_ count: Int, _ value: (Double) -> Double) -> UnsafePointer<Double> {
      let memory = UnsafeMutablePointer<Double>.allocate(capacity: count)
      for index in 0..<count { (memory + index).initialize(to: value(Double(index))) }
      return UnsafePointer(memory)
    }
    /// The concave curve from its end, between the first and the last value.
    func curve(_ value: Double) -> Double { -400 / 960 * log10(value / 127) }
    conversions = Conversions(
      frequencies: table(Conversions.octave) { 6.875 * exp2($0 / 1200) },
      amplitudes: table(Conversions.amplitudeCount) { pow(10, -$0 / 200) },
      concave: table(128) { $0 == 0 ? 0 : $0 == 127 ? 1 : curve(127 - $0) },
      convex: table(128) { $0 == 0 ? 0 : $0 == 127 ? 1 : 1 - curve($0) },
      pan: table(Conversions.panCount) { sin($0 * .pi / 2 / Double(Conversions.panCount - 1)) })
  }
}

/// Conversions of a voice's units. [any thread]
///
/// Pitch is played in whole cents and attenuation in whole centibels, the next below, as FluidSynth does.
struct Conversions: BitwiseCopyable {
  fileprivate static let octave = 1200
  fileprivate static let amplitudeCount = 1441
  fileprivate static let panCount = 1002

  /// Of the cents of an octave, from 6.875 Hz, which is 300 cents below the first key.
  fileprivate let frequencies: UnsafePointer<Double>
  fileprivate let amplitudes: UnsafePointer<Double>
  fileprivate let concave: UnsafePointer<Double>
  fileprivate let convex: UnsafePointer<Double>
  fileprivate let pan: UnsafePointer<Double>

  /// In hertz, of absolute cents: 6900 is 440 Hz.
  @_noLocks
  func frequency(_ cents: Double) -> Double {
    guard cents >= 0 else { return 8.175_798_915_643_707 * exponential2(Double(Int32(max(-30000, cents))) / 1200) }
    let shifted = Int(min(cents, 30000)) &+ 300
    return Double(Int32(1 &<< Int32(truncatingIfNeeded: shifted / 1200))) * frequencies[shifted % 1200]
  }

  /// The factor of an attenuation in centibels; above 1 for a negative one.
  @_noLocks
  func amplitude(_ centibels: Double) -> Double {
    guard centibels >= 0 else { return amplification(centibels) }
    return centibels >= 1441 ? 0 : amplitudes[Int(centibels)]
  }

  /// The same between whole centibels too, for a segment that is too short to go from one to the next.
  @_noLocks
  func exactAmplitude(_ centibels: Double) -> Double {
    guard centibels >= 0 else { return amplification(centibels) }
    if centibels >= 1440 { return 0 }
    let index = Int(centibels)
    return amplitudes[index] + (amplitudes[index &+ 1] - amplitudes[index]) * (centibels - Double(index))
  }

  /// Rare: only an LFO raises the volume.
  @_noLocks
  @inline(never)
  private func amplification(_ centibels: Double) -> Double { exponential2(centibels * -0.016_609_640_474_436_81) }

  /// From 0 to 1, as its argument goes from 0 to 127: slow at first.
  @_noLocks
  func concave(_ value: Double) -> Double { interpolated(concave, value) }

  /// From 0 to 1, as its argument goes from 0 to 127: fast at first.
  @_noLocks
  func convex(_ value: Double) -> Double { interpolated(convex, value) }

  @_noLocks
  private func interpolated(_ curve: UnsafePointer<Double>, _ value: Double) -> Double {
    guard value >= 0 else { return 0 }
    if value >= 127 { return 1 }
    let index = Int(value)
    return curve[index] + (curve[index &+ 1] - curve[index]) * (value - Double(index))
  }

  /// What left and right are multiplied by.
  ///
  /// - Parameters:
  ///   - position: −500 left, 500 right.
  ///   - balance: in centibels, by which the left is attenuated, or the right if it is negative.
  @_noLocks
  func sides(pan position: Double, balance: Double) -> SIMD2<Double> {
    let left = side(-position) * (balance > 0 ? amplitude(balance) : 1)
    let right = side(position) * (balance < 0 ? amplitude(-balance) : 1)
    return SIMD2(left, right)
  }

  @_noLocks
  private func side(_ position: Double) -> Double {
    guard position > -500 else { return 0 }
    return position >= 500 ? 1 : pan[Int(position) &+ 500]
  }

  /// In seconds, of time cents from −12000 to a limit.
  @_noLocks
  func seconds(_ timeCents: Double, upTo limit: Double) -> Double {
    exponential2(min(max(-12000, timeCents), limit) / 1200)
  }
}

/// Two to the power of `x`, for the audio thread, which calls no libm: the whole part goes into the exponent, the rest,
/// within ±½, through a Taylor series. NaN counts as -1000: `max` keeps its first argument where it cannot compare.
@_noLocks
func exponential2(_ x: Double) -> Double {
  let x = min(max(-1000, x), 1000)
  let whole = Int64(x < 0 ? x - 0.5 : x + 0.5)
  let rest = (x - Double(whole)) * 0.693_147_180_559_945_3
  var sum = 1.0
  var divisor = 13.0
  while divisor > 0 {
    sum = 1 + sum * rest / divisor
    divisor -= 1
  }
  return sum * Double(bitPattern: UInt64(bitPattern: (whole &+ 1023) &<< 52))
}
