import Synchronization
import SynthDSP
import SynthRealtime

/// Converts the sample rate, by `StreamResampler`, and the channels, by a matrix or a map.
///
/// At equal rates it adds no latency. Sample formats are not its business: inside the graph everything is float32.
public final class ConverterNode: AudioNode {
  /// The output may have that many times the rate of the input, or the input that of the output.
  public static let greatestRateRatio = 64.0
  /// What a resampler takes.
  static let greatestChannelCount = 256

  public let name: String
  public let inputBusCount = 1
  public let outputBusCount = 1
  /// The output's, in hertz; nil is that of the output unit.
  public let sampleRate: Double?
  /// How the output's channels are made from the input's.
  public let channels: ChannelConversion
  private let slot = KernelSlot<BusFormats>()
  private let presentLatency = Atomic<Int>(0)

  public init(name: String = "converter", sampleRate: Double? = nil, channels: ChannelConversion = .unchanged) {
    self.name = name
    self.sampleRate = sampleRate
    self.channels = channels
  }

  /// 0 where the rates are equal.
  public var latency: Int { presentLatency.load(ordering: .relaxed) }

  public var properties: [Property] {
    [
      Property(Self.outputRate, of: self) { [sampleRate] in .number(sampleRate ?? 0) },
      Property("latency", of: self, kind: .integer(0...Int.max, unit: .frames)) { [self] in .integer(latency) },
    ]
  }

  /// 0 stands for the output unit's.
  static let outputRate = CreationProperty("output sample rate", kind: .number(0...1_000_000, unit: .hertz))

  public var inputTiming: InputTiming { .otherRate }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) throws(FormatRefusal) -> [AudioFormat] {
    let rate = self.sampleRate ?? sampleRate
    let inputCount = inputs[0]?.channelCount ?? 2
    let output = AudioFormat(sampleRate: rate, channelCount: channels.outputCount(from: inputCount))
    guard let input = inputs[0] else { return [output] }
    if let problem = channels.problem(inputCount: inputCount) {
      throw FormatRefusal(bus: 0, reason: problem, remedy: "make one that fits \(input)")
    }
    try Self.validate(from: input, to: output, unit: sampleRate)
    return [output]
  }

  /// Half a gigabyte.
  private static let mostSamples = 0x1p27

  /// Whether one format can become another, where the output unit has a rate in hertz.
  static func validate(from input: AudioFormat, to output: AudioFormat, unit: Double) throws(FormatRefusal) {
    guard input.sampleRate != output.sampleRate else { return }
    let ratio = output.sampleRate / input.sampleRate
    guard (1 / greatestRateRatio...greatestRateRatio).contains(ratio) else {
      throw FormatRefusal(
        bus: 0, reason: "no converter goes from \(hertz(input.sampleRate)) to \(hertz(output.sampleRate))",
        remedy: "stay within a factor of \(Int(greatestRateRatio)), or use two")
    }
    let count = min(input.channelCount, output.channelCount)
    guard count <= greatestChannelCount else {
      throw FormatRefusal(
        bus: 0, reason: "no converter changes the rate of \(count) channels",
        remedy: "use several, of up to \(greatestChannelCount) channels each")
    }
    // What lies between input and output is mostly the quanta of the output that one of the unit is.
    guard output.sampleRate / unit * Double(renderQuantum * count) <= mostSamples else {
      throw FormatRefusal(
        bus: 0, reason: "no converter makes \(output) beside an output unit of \(hertz(unit))",
        remedy: "take a lower rate, or fewer channels")
    }
  }

  public func reset() { slot.reset() }

  public func kernel(for formats: BusFormats) -> Kernel {
    slot.kernel(for: formats) {
      let output = formats.outputs[0]
      guard let input = formats.inputs[0] else {
        presentLatency.store(0, ordering: .relaxed)
        return Kernel(0, entry: silenceEntry)
      }
      // A converter that belongs to a connection makes whatever is wanted of it.
      let fits = channels.outputCount(from: input.channelCount) == output.channelCount
      let rows = (fits ? channels : .automatic(channelCount: output.channelCount)).rows(from: input.channelCount)
      let matrix = ChannelMatrix(rows, inputCount: input.channelCount)
      guard input.sampleRate != output.sampleRate else {
        presentLatency.store(0, ordering: .relaxed)
        return Kernel(MatrixKernel(matrix: matrix), entry: MatrixKernel.entry)
      }
      let rates = ConversionRates(input: input.sampleRate, output: output.sampleRate, unit: formats.unitSampleRate)
      presentLatency.store(rates.latency, ordering: .relaxed)
      return Kernel(ConverterKernel(rates, matrix), entry: ConverterKernel.entry, intake: ConverterKernel.intake)
    }
  }
}

/// Channels alone are converted.
private struct MatrixKernel: ~Copyable {
  let matrix: ChannelMatrix

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: MatrixKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  func render(_ context: RenderContext) {
    let (input, output) = (context.input(0), context.output(0))
    guard !input.isSilent else { return output.silence() }
    matrix.apply(input[0], to: output[0])
  }
}

private let silenceEntry: RenderFunction = { _, context in
  context.assumingMemoryBound(to: RenderContext.self).pointee.output(0).silence()
}
