/// Triangular dither (TPDF): rounds samples to fewer bits so that what rounding adds is steady noise, without relation
/// to the signal. (Vanderkooy and Lipshitz, "Dither in Digital Audio", JAES 35:12, 1987)
///
/// The sum of two uniform values of a step each is added before rounding; the error is then white, with a power of a
/// quarter of a step squared, at 16 bits −96 dB. A sample of exactly 0 stays 0, so digital silence stays silent. The
/// noise depends on the channel and the frame's place alone: the same audio always gives the same samples.
public struct Dither: Sendable {
  /// Steps from 0 to full scale.
  private let scale: Double
  /// Of a generator for each channel (SplitMix64).
  private var states: [UInt64]

  /// - Parameter bits: of the samples, 2 to 24.
  public init(bits: Int, channelCount: Int) {
    scale = Double(1 << (min(max(bits, 2), 24) - 1))
    states = (0..<max(0, channelCount)).map { UInt64($0) &* 0xD1B5_4A32_D192_ED03 }
  }

  /// Rounds the next samples of a channel; floats hold them exactly. Full scale is ±1; higher samples stay higher.
  ///
  /// - Parameter stride: from a sample to the next, in both memories.
  public mutating func round(
    _ source: UnsafePointer<Float>, into target: UnsafeMutablePointer<Float>, count: Int, channel: Int,
    stride: Int = 1
  ) {
    var state = states[channel]
    for index in Swift.stride(from: 0, to: count * stride, by: stride) {
      state &+= 0x9E37_79B9_7F4A_7C15
      let sample = source[index]
      if sample == 0 {
        target[index] = 0
      } else {
        // Adding 1.5 · 2⁵², where the last place of a double is worth one, rounds to nearest.
        let rounded = (Double(sample) * scale + Self.noise(state) + 0x1.8p52) - 0x1.8p52
        target[index] = Float(rounded / scale)
      }
    }
    states[channel] = state
  }

  /// From −1 to 1, the sum of the two halves of a random word.
  private static func noise(_ state: UInt64) -> Double {
    var word = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    word ^= word >> 31
    return (Double(UInt32(truncatingIfNeeded: word)) + Double(UInt32(word >> 32)) + 1) * 0x1p-32 - 1
  }
}
