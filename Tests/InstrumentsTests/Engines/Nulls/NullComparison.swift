import Glibc
import SynthInstruments
import SynthMIDI
import TestSupport

/// How far what an engine renders is from what another does.
///
/// The limits are those of FluidSynth's own tests of its renderings: 60 dB, and a hundredth of full scale.
struct NullComparison: CustomStringConvertible {
  /// Of a difference and of the reference.
  private(set) var largest: Float = 0
  private(set) var peak: Float = 0
  private var signal = 0.0
  private var noise = 0.0

  static let leastRatio = 60.0
  static let mostDifference: Float = 0.01

  /// Adds samples of both.
  mutating func add(reference: [Float], rendered: [Float]) {
    for (expected, sample) in zip(reference, rendered) {
      let difference = sample - expected
      signal += Double(expected) * Double(expected)
      noise += Double(difference) * Double(difference)
      largest = max(largest, difference.isNaN ? .infinity : abs(difference))
      peak = max(peak, abs(expected))
    }
  }

  /// Of the reference to the difference, in decibels; infinite where all samples are the same.
  var ratio: Double { noise.isNaN ? -.infinity : noise > 0 ? 10 * log10(signal / noise) : .infinity }

  var isSame: Bool { ratio >= Self.leastRatio && largest <= Self.mostDifference }

  var description: String { "\(ratio) dB, difference \(largest)" }

  /// For the tables: the ratio in decibels, and the largest difference in millionths of full scale.
  var cells: [String] {
    guard largest.isFinite else { return ["none", "none"] }
    return [ratio == .infinity ? "same bits" : "\(tenth(ratio))", "\(Int((largest * 1e6).rounded()))"]
  }
}

/// Renders with an engine, effects off and with a gain of 1, left and right after one another.
enum NullRendering {
  static func render(_ test: NullCase, _ configure: (inout SamplerConfiguration) -> Void) throws -> [Float] {
    try test.font.withFile { font in
      var sampler = SamplerConfiguration(soundFonts: [font], linearGain: 1)
      sampler.engine = .fluidSynth
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

  /// At velocity 100 and the initial volume, FluidSynth 2.3 is 0.4 dB softer than newer ones and the native engine.
  static func compareWithFluidSynth23(_ test: NullCase) throws -> NullComparison {
    try compare(test) { sampler in
      sampler.useNative()
      sampler.linearGain = 0.954_992_586
    }
  }

  static func compare(
    _ test: NullCase, _ configure: (inout SamplerConfiguration) -> Void
  ) throws -> NullComparison {
    var comparison = NullComparison()
    let unlike = test.unlike + test.unlike.map { $0 + test.score.frameCount }
    comparison.add(
      reference: try render(test) { _ in }.silenced(at: unlike),
      rendered: try render(test, configure).silenced(at: unlike))
    return comparison
  }
}

extension [Float] {
  /// The same without the quanta that begin at these frames.
  func silenced(at frames: [Int]) -> [Float] {
    var samples = self
    for frame in frames where frame >= 0 {
      for index in frame..<Swift.min(frame + 64, Swift.max(count, frame)) { samples[index] = 0 }
    }
    return samples
  }
}
