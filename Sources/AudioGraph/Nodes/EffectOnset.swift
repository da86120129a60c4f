import SynthDSP
import SynthRealtime

/// What comes before a send effect: a pre-delay and a low pass of the first order. [audio thread]
///
/// Where neither is on, sound passes as it is, bit for bit.
struct EffectOnset: ~Copyable {
  /// In hertz; everything passes.
  private static let openCut: Float = 20_000
  private static let longestDelay: Float = 0.127

  private let highCut: ParameterReader
  private let preDelay: ParameterReader
  private var left: EchoLine
  private var right: EchoLine
  private var delay: DelayCourse
  private var smoothing = Ramp()
  private var low = SIMD2<Float>()
  /// No feedback, and nothing taken from it; then the two sides.
  private let curves = CurveMemory(curveCount: 4)
  private let sampleRate: Float
  private let rampBlocks: Int
  private let capacity: Int
  /// For how long the lines have been empty; all of them at first.
  private var quietFrames: Int
  private var isOn = false
  /// Whether the quantum before was silent.
  private var wasSilent = true

  init(highCut: Parameter, preDelay: Parameter, sampleRate: Double) {
    let longest = Int((Double(Self.longestDelay) * sampleRate).rounded(.up))
    (self.highCut, self.preDelay) = (highCut.reader, preDelay.reader)
    delay = DelayCourse(preDelay, longestDelay: longest, sampleRate: sampleRate)
    left = EchoLine(longestDelay: longest)
    right = EchoLine(longestDelay: longest)
    capacity = EchoLine.capacity(longestDelay: longest)
    quietFrames = capacity
    self.sampleRate = Float(sampleRate)
    rampBlocks = levelRampBlocks(sampleRate: sampleRate)
    curves[0].update(repeating: 0, count: renderQuantum)
    curves[1].update(repeating: 1, count: renderQuantum)
  }

  /// The cutoff, of which 20 kHz lets everything pass.
  static func highCutParameter() -> Parameter {
    Parameter("high cut", unit: .hertz, range: 100...openCut, default: openCut)
  }

  static func preDelayParameter() -> Parameter {
    Parameter("pre-delay", unit: .seconds, range: 0...longestDelay, default: 0)
  }

  @_noLocks
  mutating func apply(_ input: EffectInput, _ context: RenderContext) -> EffectInput {
    let isSet = highCut.renderValue < Self.openCut || preDelay.renderValue > 0
    let fades = !isOn && !wasSilent
    wasSilent = input.isSilent
    guard isSet || isOn else { return input }
    if input.isSilent, quietFrames >= capacity {
      // What is silent cannot click.
      (isOn, low, smoothing) = (isSet, .zero, Ramp())
      delay.rest()
      return input
    }
    isOn = true
    delay.draw(context)
    let peak = max(
      left.process(input.left, into: curves[2], delays: delay.delays, feedback: curves[0], smoothing: curves[1]),
      right.process(input.right, into: curves[3], delays: delay.delays, feedback: curves[0], smoothing: curves[1]))
    quietFrames = peak > 0 ? 0 : min(capacity, quietFrames &+ renderQuantum)
    if preDelay.renderValue == 0, delay.delays[0] == 1, delay.delays[renderQuantum - 1] == 1 { undelay(input) }
    filter()
    if fades { fade(from: input) }
    return EffectInput(left: curves[2], right: curves[3], isSilent: false)
  }

  /// A line has a delay of at least one frame.
  @_noLocks
  private func undelay(_ input: EffectInput) {
    copySamples(from: input.left, to: curves[2], count: renderQuantum)
    copySamples(from: input.right, to: curves[3], count: renderQuantum)
  }

  @_noLocks
  private mutating func filter() {
    let target = EchoLine.smoothing(cutoff: highCut.renderValue < Self.openCut ? highCut.renderValue / sampleRate : 1)
    let line = smoothing.next(toward: target, blocks: rampBlocks, blockSize: renderQuantum)
    guard line.start != 1 || line.step != 0 else {
      low = SIMD2(curves[2][renderQuantum - 1], curves[3][renderQuantum - 1])
      return
    }
    for frame in 0..<renderQuantum {
      let share = line.start + line.step * Float(Int32(truncatingIfNeeded: frame &+ 1))
      low += share * (SIMD2(curves[2][frame], curves[3][frame]) - low)
      (curves[2][frame], curves[3][frame]) = (low.x, low.y)
    }
    // What is no number must not stay.
    if !(abs(low.x) + abs(low.y) < .infinity) { low = .zero }
  }

  /// From what was heard before it was on.
  @_noLocks
  private func fade(from input: EffectInput) {
    for frame in 0..<renderQuantum {
      let share = Float(Int32(truncatingIfNeeded: frame &+ 1)) / Float(Int32(renderQuantum))
      curves[2][frame] = input.left[frame] + share * (curves[2][frame] - input.left[frame])
      curves[3][frame] = input.right[frame] + share * (curves[3][frame] - input.right[frame])
    }
  }
}
