/// The step that a resampler is made for, and the table that suits it.
struct ResamplerStep: BitwiseCopyable {
  /// In input frames.
  let value: Double
  /// The step as a ratio of whole numbers, if it is one with so few places between frames that a table has them all.
  let numerator: Int
  /// 0 if there is no such ratio.
  let denominator: Int

  /// Half a megabyte.
  private static let mostWeights = 1 << 17

  init(_ step: Double) {
    let value = Self.bounded(step)
    let taps = 2 * ResamplingKernel.reach(stretch: ResamplingKernel.stretch(step: value))
    self.value = value
    denominator = (1...max(1, Self.mostWeights / taps)).first { Self.isWhole(value * Double($0)) } ?? 0
    numerator = Int((value * Double(denominator)).rounded())
  }

  /// The nearest step that resamplers take: one that is not a number is the smallest.
  @_noLocks @_noAllocation
  static func bounded(_ step: Double) -> Double { step > 1.0 / 256 ? (step < 256 ? step : 256) : 1.0 / 256 }

  var stretch: Double { ResamplingKernel.stretch(step: value) }

  /// Enough places for what lies between them, and those that the ratio needs.
  var phaseCount: Int {
    let least = Int((Double(ResamplingKernel.leastPhaseCount) / stretch).rounded(.up))
    return denominator == 0 ? least : (least + denominator - 1) / denominator * denominator
  }

  /// Whether a step is this one, apart from its last bits.
  @_noLocks @_noAllocation
  func isSame(as step: Double) -> Bool { abs(step - value) <= value * 0x1p-50 }

  private static func isWhole(_ number: Double) -> Bool { abs(number - number.rounded()) <= number * 0x1p-50 }
}
