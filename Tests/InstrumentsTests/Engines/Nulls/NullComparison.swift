import Glibc
import Instruments
import MIDI
import TestSupport

/// How far what an engine renders is from what another does.
///
/// The limits are those of FluidSynth's own tests of its renderings: 60 dB, and a hundredth of full scale.
struct NullComparison {
  /// Of the reference to the difference, in decibels; infinite where all samples are the same.
  private(set) var ratio = Double.infinity
  /// Of a difference and of the reference.
  private(set) var largest: Float = 0
  private(set) var peak: Float = 0

  static let leastRatio = 60.0
  static let mostDifference: Float = 0.01

  init(reference: [Float], rendered: [Float]) {
    var (signal, noise) = (0.0, 0.0)
    for (expected, sample) in zip(reference, rendered) {
      let difference = sample - expected
      signal += Double(expected) * Double(expected)
      noise += Double(difference) * Double(difference)
      largest = max(largest, difference.isNaN ? .infinity : abs(difference))
      peak = max(peak, abs(expected))
    }
    if noise.isNaN { ratio = -.infinity } else if noise > 0 { ratio = 10 * log10(signal / noise) }
  }

  var isSame: Bool { ratio >= Self.leastRatio && largest <= Self.mostDifference }

  /// For the table: "84.2" or "same bits", and the largest difference.
  var cells: [String] {
    let text = ratio.isInfinite ? (ratio > 0 ? "same bits" : "none") : "\(tenth(ratio))"
    return [text, largest == 0 ? "0" : String(Double(Int((Double(largest) * 1e6).rounded())) / 1e6)]
  }
}

/// Renders with an engine, effects off and with a gain of 1, left and right after one another.
enum NullRendering {
  static func render(_ test: NullCase, _ configure: (inout SamplerConfiguration) -> Void) throws -> [Float] {
    try test.font.withFile { font in
      var sampler = SamplerConfiguration(soundFonts: [font], linearGain: 1)
      configure(&sampler)
      let player = try PlayedRack(RackConfiguration(sampler: sampler))
      var (left, right): ([Float], [Float]) = ([], [])
      func render(to frame: Int) {
        guard frame > left.count else { return }
        let samples = player.renderStereo(frame - left.count)
        left += samples.left
        right += samples.right
      }
      for (frame, message) in test.score.events {
        render(to: frame)
        player.play(message)
      }
      render(to: test.score.frameCount)
      return left + right
    }
  }

  static func compare(
    _ test: NullCase, _ configure: (inout SamplerConfiguration) -> Void
  ) throws -> NullComparison {
    NullComparison(reference: try render(test) { _ in }, rendered: try render(test, configure))
  }
}
