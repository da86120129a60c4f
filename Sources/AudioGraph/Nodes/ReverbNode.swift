import SynthDSP
import SynthRealtime

/// A reverb for a send bus, and for what other effects give: mono or stereo in, stereo out, wet only.
///
/// Its parameters may be set by any thread, the audio thread among them, as MIDI does.
public final class ReverbNode: AudioNode {
  public let name: String
  /// The first is the send bus; of the others, what other effects give, `inputShares` says how much is heard.
  public let inputBusCount = 3
  public let outputBusCount = 1
  /// The room's place among `ReverbType.allCases`.
  public let type: Parameter
  /// How long the lows take to fall by 60 dB.
  public let time: Parameter
  /// How loud the reverb is, in decibels; ramped over 20 ms.
  public let level = Parameter(ramped: "level", unit: .decibels, range: -120...12, default: 0)
  /// The share of the reverb that returns, 0 to 2, beside `level`: what MIDI sets.
  public let returnLevel = EffectLevel.shareParameter()
  /// The shares of the second and third input that are heard, 0 to 2.
  public let inputShares = EffectInputs.parameters(count: 2)
  private let initialType: ReverbType
  /// In hertz: what is above it is turned down before the reverb, by 6 dB an octave; 20 kHz lets everything pass.
  public let highCut = EffectOnset.highCutParameter()
  /// How much later than the sound the reverb begins, 0 to 127 ms.
  public let preDelay = EffectOnset.preDelayParameter()
  private let slot = KernelSlot<Double>()

  public init(name: String = "reverb", type: ReverbType = .largeHall) {
    self.name = name
    initialType = type
    let place = Float(ReverbType.allCases.firstIndex(of: type) ?? 0)
    let names = ReverbType.allCases.map(\.name)
    self.type = Parameter("type", unit: .index(names), range: 0...Float(names.count - 1), default: place)
    time = Parameter("time", unit: .seconds, range: 0.1...20, default: type.standardTime)
  }

  public var parameters: [Parameter] { [type, time, preDelay, highCut, level, returnLevel] + inputShares }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) throws(FormatRefusal) -> [AudioFormat] {
    [try EffectFormat.sendOutput(of: "reverb", for: inputs, sampleRate: sampleRate)]
  }

  public func reset() { slot.reset() }

  public func kernel(for formats: BusFormats) -> Kernel {
    let sampleRate = formats.outputs[0].sampleRate
    return slot.kernel(for: sampleRate) {
      let kernel = ReverbKernel(self, ReverbProcessor(type: initialType, sampleRate: sampleRate), sampleRate)
      return Kernel(kernel, retaining: parameters, entry: ReverbKernel.entry)
    }
  }
}

private struct ReverbKernel: ~Copyable {
  private var processor: ReverbProcessor
  private var inputs: EffectInputs
  private var level: EffectLevel
  private let type: ParameterReader
  private let time: ParameterReader

  init(_ node: ReverbNode, _ processor: consuming ReverbProcessor, _ sampleRate: Double) {
    self.processor = processor
    inputs = EffectInputs(
      node.inputShares, EffectOnset(highCut: node.highCut, preDelay: node.preDelay, sampleRate: sampleRate),
      sampleRate: sampleRate)
    level = EffectLevel(node.level, share: node.returnLevel, sampleRate: sampleRate)
    type = node.type.reader
    time = node.time.reader
  }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: ReverbKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let input = inputs.read(context)
    let output = context.output(0)
    processor.set(ReverbRoom(index: Int32(type.renderValue), time: time.renderValue))
    let isSilent = processor.process(
      left: input.left, right: input.right, leftOutput: output[0], rightOutput: output[1],
      inputIsSilent: input.isSilent)
    output.isSilent = isSilent
    level.apply(to: output, in: context)
  }
}
