import SynthDSP
import SynthRealtime

/// A chorus or flanger for a send bus: mono or stereo in, stereo out, wet only.
///
/// Its parameters may be set by any thread, the audio thread among them, as MIDI does.
public final class ChorusNode: AudioNode {
  public let name: String
  public let inputBusCount = 1
  public let outputBusCount = 1
  /// What it begins as.
  public let type: ChorusType
  /// How often the delays go up and down.
  public let rate: Parameter
  /// How far the delays swing from one end to the other.
  public let depth: Parameter
  /// The share of the output that goes in again.
  public let feedback: Parameter
  /// How loud the chorus is, in decibels; ramped over 20 ms.
  public let level = Parameter(ramped: "level", unit: .decibels, range: -120...12, default: 0)
  /// The share of the chorus that returns, 0 to 2, beside `level`: what MIDI sets.
  public let returnLevel = EffectLevel.shareParameter()
  /// In hertz: what is above it is turned down before the chorus, by 6 dB an octave; 20 kHz lets everything pass.
  public let highCut = EffectOnset.highCutParameter()
  /// How much later than the sound the chorus begins, 0 to 127 ms.
  public let preDelay = EffectOnset.preDelayParameter()
  private let slot = KernelSlot<Double>()

  public init(name: String = "chorus", type: ChorusType = .chorus3) {
    self.name = name
    self.type = type
    rate = Parameter("rate", unit: .hertz, range: 0...16, default: type.setting.rate)
    depth = Parameter("depth", unit: .seconds, range: 0...0.04, default: type.setting.depth / 1000)
    feedback = Parameter("feedback", unit: .ratio, range: 0...0.97, default: type.setting.feedback)
  }

  public var parameters: [Parameter] { [rate, depth, feedback, preDelay, highCut, level, returnLevel] }

  /// What it is at present, by name.
  public var properties: [Property] {
    [Property("type", of: self, kind: .text) { [self] in .text(presentType?.name ?? "of its own") }]
  }

  /// Nil where the parameters are those of no type.
  public var presentType: ChorusType? {
    ChorusType.allCases.first { type in
      let setting = type.setting
      return setting.rate == rate.value && setting.depth / 1000 == depth.value && setting.feedback == feedback.value
    }
  }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) throws(FormatRefusal) -> [AudioFormat] {
    [try EffectFormat.sendOutput(of: "chorus", for: inputs, sampleRate: sampleRate)]
  }

  public func reset() { slot.reset() }

  public func kernel(for formats: BusFormats) -> Kernel {
    let sampleRate = formats.outputs[0].sampleRate
    return slot.kernel(for: sampleRate) {
      let kernel = ChorusKernel(self, ChorusProcessor(type: type, sampleRate: sampleRate), sampleRate)
      return Kernel(kernel, retaining: parameters, entry: ChorusKernel.entry)
    }
  }
}

private struct ChorusKernel: ~Copyable {
  private var processor: ChorusProcessor
  private var inputs: EffectInputs
  private var level: EffectLevel
  private let rate: ParameterReader
  private let depth: ParameterReader
  private let feedback: ParameterReader

  init(_ node: ChorusNode, _ processor: consuming ChorusProcessor, _ sampleRate: Double) {
    self.processor = processor
    inputs = EffectInputs(
      [], EffectOnset(highCut: node.highCut, preDelay: node.preDelay, sampleRate: sampleRate), sampleRate: sampleRate)
    level = EffectLevel(node.level, share: node.returnLevel, sampleRate: sampleRate)
    rate = node.rate.reader
    depth = node.depth.reader
    feedback = node.feedback.reader
  }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: ChorusKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let input = inputs.read(context)
    let output = context.output(0)
    processor.set(
      ChorusSetting(rate: rate.renderValue, depth: depth.renderValue * 1000, feedback: feedback.renderValue))
    output.isSilent = processor.process(
      left: input.left, right: input.right, leftOutput: output[0], rightOutput: output[1],
      inputIsSilent: input.isSilent)
    level.apply(to: output, in: context)
  }
}
