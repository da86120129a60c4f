import Glibc

/// The two clicks of a metronome: tones of 50 ms that die away, as of a struck wood block.
///
/// They begin at their peak, so that the first sample is where the beat is.
final class ClickSound: @unchecked Sendable {
  // Unchecked because of the pointers: the memory is written before init returns and never after.

  /// In memory that the sound keeps.
  struct Samples {
    /// For the beat that begins a bar.
    let first: UnsafePointer<Float>
    let plain: UnsafePointer<Float>
    /// Of each.
    let count: Int
  }

  let samples: Samples

  /// In hertz: a fourth apart, and above most of what is played.
  private static let (firstPitch, plainPitch) = (2093.0, 1568.0)
  /// In seconds; the tone falls by 8.7 dB in each `decay`.
  private static let (length, decay) = (0.05, 0.008)

  init(sampleRate: Double) {
    let count = Int(Self.length * sampleRate)
    func click(_ pitch: Double) -> UnsafePointer<Float> {
      let samples = UnsafeMutablePointer<Float>.allocate(capacity: count)
      for frame in 0..<count {
        let time = Double(frame) / sampleRate
        // The last bit is brought to zero.
        let envelope = exp(-time / Self.decay) * (1 - Double(frame) / Double(count))
        samples[frame] = Float(cos(2 * .pi * pitch * time) * envelope)
      }
      return UnsafePointer(samples)
    }
    samples = Samples(first: click(Self.firstPitch), plain: click(Self.plainPitch), count: count)
  }

  deinit {
    samples.first.deallocate()
    samples.plain.deallocate()
  }
}
