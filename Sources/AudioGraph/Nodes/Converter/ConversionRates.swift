import SynthDSP
import SynthRealtime

/// Where the frames of two sample rates lie to each other, counted from the start of rendering.
struct ConversionRates: BitwiseCopyable {
  let outputPerInput: RateRatio
  /// Frames of input that go into one of output.
  let step: Double
  /// In frames of the output.
  let latency: Int
  /// The most frames of output between the oldest still to be heard and the newest.
  let span: Int
  /// How many frames of silent input leave nothing in the filter nor on its way to the output.
  let decay: Int

  /// All in hertz; `unit` is the output unit's.
  init(input: Double, output: Double, unit: Double) {
    outputPerInput = RateRatio(output, over: input)
    step = 1 / outputPerInput.value
    let quantum = Double(renderQuantum)
    let lookahead = StreamResampler.lookahead(step: step) + 2
    // The unit's own rate comes last in a quantum, when every other is at its time or beyond. Another rate may come
    // before the input's, which is then a quantum of the unit behind; and it renders up to one of its own quanta beyond
    // the time.
    let wait = output == unit ? 0 : quantum * output / unit + quantum
    latency = Int((Double(lookahead) / step + wait).rounded(.up))
    // The input may be one of its own quanta beyond the unit's time, and the output a quantum of the unit behind it.
    span = latency + Int((quantum / step + quantum * output / unit).rounded(.up)) + 2 * renderQuantum
    decay = 2 * lookahead + Int((Double(latency) * step + 2 * quantum * max(1, input / unit)).rounded(.up))
  }

  /// The first frame of output that does not lie before a frame of input.
  @_noLocks
  func firstOutput(fromInput frame: Int64) -> Int64 { outputPerInput.ceiling(of: frame) }

  /// How far beyond a frame of input that first frame of output lies, in frames of input: 0 to `step`.
  @_noLocks
  func offset(ofFirstOutputFrom frame: Int64) -> Double {
    let ratio = outputPerInput
    let rest = frame % ratio.denominator
    let beyond = ratio.ceiling(of: rest) &* ratio.denominator &- rest &* ratio.numerator
    return Double(beyond) / Double(ratio.numerator)
  }
}
