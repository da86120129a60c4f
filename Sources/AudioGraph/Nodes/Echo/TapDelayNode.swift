import SynthDSP
import SynthRealtime

/// A delay with three taps for a send bus: mono or stereo in, stereo out, wet only.
///
/// Echoes in the middle keep the sides of the sound, and come again as the feedback says. Two more taps of the same
/// line give the sum of both sides on the left and on the right. New times are approached over 200 ms, or as scheduled.
/// Parameters may be set by any thread, the audio thread among them, as MIDI does.
public final class TapDelayNode: AudioNode {
  public let name: String
  /// The first is the send bus; of the others, what other effects give, `inputShares` says how much is heard.
  public let inputBusCount = 3
  public let outputBusCount = 1
  /// From a sound to its echo in the middle, and from that to the next: 0 to 1.5 s; what is shorter than a frame is a
  /// frame.
  public let time: Parameter
  /// From a sound to its echo on the left, likewise.
  public let leftTime: Parameter
  /// From a sound to its echo on the right, likewise.
  public let rightTime: Parameter
  /// How much of the tap in the middle is heard.
  public let centreLevel: Parameter
  /// How much of the tap on the left is heard.
  public let leftLevel: Parameter
  /// How much of the tap on the right is heard.
  public let rightLevel: Parameter
  /// The share of an echo that comes again as the next, -99 to 99 %; below 0 every other echo is inverted.
  public let feedback: Parameter
  /// How loud the echoes are, in decibels; ramped over 20 ms.
  public let level = Parameter(ramped: "level", unit: .decibels, range: -120...12, default: 0)
  /// The share of the echoes that returns, 0 to 2, beside `level`: what MIDI sets.
  public let returnLevel = EffectLevel.shareParameter()
  /// The shares of the second and third input that are heard, 0 to 2.
  public let inputShares = EffectInputs.parameters(count: 2)
  /// In hertz: what is above it is turned down before the delay, by 6 dB an octave; 20 kHz lets everything pass.
  public let highCut = EffectOnset.highCutParameter()
  /// How much later than the sound the delay begins, 0 to 127 ms.
  public let preDelay = EffectOnset.preDelayParameter()
  private let slot = KernelSlot<Double>()

  public init(name: String = "tap delay", type: DelayType = .delay1) {
    self.name = name
    let setting = type.setting
    time = DelayCourse.parameter("time", longest: 1.5, default: setting.time)
    leftTime = DelayCourse.parameter("left time", longest: 1.5, default: setting.leftTime)
    rightTime = DelayCourse.parameter("right time", longest: 1.5, default: setting.rightTime)
    centreLevel = Parameter("centre level", unit: .ratio, range: 0...1, default: setting.centreLevel)
    leftLevel = Parameter("left level", unit: .ratio, range: 0...1, default: setting.leftLevel)
    rightLevel = Parameter("right level", unit: .ratio, range: 0...1, default: setting.rightLevel)
    feedback = Parameter(
      ramped: "feedback", unit: .percent, range: -99...99, default: 100 * setting.feedback)
  }

  public var parameters: [Parameter] {
    [time, leftTime, rightTime, centreLevel, leftLevel, rightLevel, feedback, preDelay, highCut, level, returnLevel]
      + inputShares
  }

  /// Sets times, levels of taps and feedback. [any thread]
  public func set(_ setting: DelaySetting) {
    (time.value, leftTime.value, rightTime.value) = (setting.time, setting.leftTime, setting.rightTime)
    centreLevel.value = setting.centreLevel
    (leftLevel.value, rightLevel.value) = (setting.leftLevel, setting.rightLevel)
    feedback.value = 100 * setting.feedback
  }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) throws(FormatRefusal) -> [AudioFormat] {
    [try EffectFormat.sendOutput(of: "tap delay", for: inputs, sampleRate: sampleRate)]
  }

  public func reset() { slot.reset() }

  public func kernel(for formats: BusFormats) -> Kernel {
    let sampleRate = formats.outputs[0].sampleRate
    return slot.kernel(for: sampleRate) {
      Kernel(TapDelayKernel(self, sampleRate), retaining: parameters, entry: TapDelayKernel.entry)
    }
  }
}

private struct TapDelayKernel: ~Copyable {
  /// -140 dB. When all of a line is below it, the delay rests.
  private static let quiet: Float = 1e-7

  private var inputs: EffectInputs
  private var left: EchoLine
  private var right: EchoLine
  private var time: DelayCourse
  private var leftTap: DelayTap
  private var rightTap: DelayTap
  private let centreLevel: ParameterReader
  private let feedback: ParameterReader
  private var level: EffectLevel
  private var centreRamp = Ramp()
  private var feedbackRamp = Ramp()
  /// Shares of feedback, and ones: no low pass.
  private let curves = CurveMemory(curveCount: 2)
  private let rampBlocks: Int
  /// How many frames are in a line before it repeats, and for how many it has been quiet.
  private let capacity: Int
  private var quietFrames: Int

  init(_ node: TapDelayNode, _ sampleRate: Double) {
    let longestDelay = Int((Double(node.time.range.upperBound) * sampleRate).rounded(.up))
    // Taps are read when a block has been written already.
    left = EchoLine(longestDelay: longestDelay + renderQuantum)
    right = EchoLine(longestDelay: longestDelay + renderQuantum)
    capacity = EchoLine.capacity(longestDelay: longestDelay + renderQuantum)
    quietFrames = capacity
    inputs = EffectInputs(
      node.inputShares, EffectOnset(highCut: node.highCut, preDelay: node.preDelay, sampleRate: sampleRate),
      sampleRate: sampleRate)
    time = DelayCourse(node.time, longestDelay: longestDelay, sampleRate: sampleRate)
    rampBlocks = levelRampBlocks(sampleRate: sampleRate)
    leftTap = DelayTap(
      DelayCourse(node.leftTime, longestDelay: longestDelay, sampleRate: sampleRate), level: node.leftLevel)
    rightTap = DelayTap(
      DelayCourse(node.rightTime, longestDelay: longestDelay, sampleRate: sampleRate), level: node.rightLevel)
    (centreLevel, feedback) = (node.centreLevel.reader, node.feedback.reader)
    level = EffectLevel(node.level, share: node.returnLevel, sampleRate: sampleRate)
    curves[1].update(repeating: 1, count: renderQuantum)
  }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: TapDelayKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let (input, output) = (inputs.read(context), context.output(0))
    guard !input.isSilent || quietFrames < capacity else { return rest(output) }
    time.draw(context)
    feedbackRamp.draw(curves[0], toward: feedback, blocks: rampBlocks, context)
    let peak = max(
      left.process(input.left, into: output[0], delays: time.delays, feedback: curves[0], smoothing: curves[1]),
      right.process(input.right, into: output[1], delays: time.delays, feedback: curves[0], smoothing: curves[1]))
    quietFrames = peak < Self.quiet ? min(capacity, quietFrames &+ renderQuantum) : 0
    let centre = centreRamp.next(toward: centreLevel.renderValue, blocks: rampBlocks, blockSize: renderQuantum)
    _ = scaleBlock(output[0], into: output[0], gain: centre, count: renderQuantum)
    _ = scaleBlock(output[1], into: output[1], gain: centre, count: renderQuantum)
    leftTap.add(left, right, to: output[0], context, rampBlocks)
    rightTap.add(left, right, to: output[1], context, rampBlocks)
    level.apply(to: output, in: context)
  }

  /// What is silent cannot click: the next sound finds everything as it is set then.
  @_noLocks
  private mutating func rest(_ output: Bus) {
    (centreRamp, feedbackRamp) = (Ramp(), Ramp())
    time.rest()
    leftTap.rest()
    rightTap.rest()
    output.silence()
  }
}

/// What a delay gives at one side: the sum of both lines, after the tap's time. [audio thread]
private struct DelayTap: ~Copyable {
  /// What both sides have in common then is as loud as in the middle, where it is in both.
  private static let sumGain: Float = 0.707_106_8

  private var time: DelayCourse
  private let level: ParameterReader
  private var ramp = Ramp()

  init(_ time: consuming DelayCourse, level: Parameter) {
    self.time = time
    self.level = level.reader
  }

  @_noLocks
  mutating func rest() {
    ramp = Ramp()
    time.rest()
  }

  /// Adds to a side what the lines have, which have processed the quantum.
  @_noLocks
  mutating func add(
    _ left: borrowing EchoLine, _ right: borrowing EchoLine, to side: UnsafeMutablePointer<Float>,
    _ context: RenderContext, _ rampBlocks: Int
  ) {
    let gain = ramp.next(
      toward: level.renderValue * Self.sumGain, blocks: rampBlocks, blockSize: renderQuantum)
    guard !gain.isSilent else { return time.rest() }
    time.draw(context)
    left.addTap(time.delays, gain: gain, to: side)
    right.addTap(time.delays, gain: gain, to: side)
  }
}
