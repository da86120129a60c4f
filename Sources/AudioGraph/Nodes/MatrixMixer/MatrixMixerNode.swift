import SynthRealtime

/// A matrix mixer: any number of inputs of any channel counts, and a gain from each of their channels to each channel
/// of the output. Every change is ramped over 20 ms, or as scheduled.
///
/// At first channel n of each input goes to channel n of the output at 0 dB, and everything else is silent. Inputs and
/// channels are numbered from 0. An input of another rate or channel count is converted on its way in. What is silent,
/// a crosspoint or an input, costs next to nothing.
public final class MatrixMixerNode: AudioNode {
  /// How many crosspoints there may be.
  public static let mostCrosspoints = 65_536

  public let name: String
  public var inputBusCount: Int { inputChannelCounts.count }
  public let outputBusCount = 1
  /// How many channels each input has.
  public let inputChannelCounts: [Int]
  /// The output's channels: the rows of the matrix.
  public let outputChannelCount: Int
  /// The output's, in hertz; nil is that of the output unit.
  public let sampleRate: Double?
  /// For each input the gain before its crosspoints, in decibels, -120 (which is silence) to 24.
  public let inputGains: [Parameter]
  /// For each channel of the output the gain of the mix, in decibels, -120 (which is silence) to 24.
  public let outputGains: [Parameter]
  private let crosspoints: [Parameter]
  /// Where the crosspoints of each input begin.
  private let starts: [Int]
  private let slot = KernelSlot<Double>()

  /// - Parameters:
  ///   - inputChannelCounts: for each input its channels, 1 to 1024.
  ///   - outputChannelCount: 1 to 1024.
  ///   - sampleRate: in hertz; nil is that of the output unit.
  public init(
    name: String = "matrix mixer", inputChannelCounts: [Int], outputChannelCount: Int, sampleRate: Double? = nil
  ) throws(MatrixMixerError) {
    if let count = (inputChannelCounts + [outputChannelCount]).first(where: { !FormatCheck.channelCounts.contains($0) })
    {
      throw .channelCount(count)
    }
    let count = inputChannelCounts.reduce(0, +) * outputChannelCount
    guard count <= Self.mostCrosspoints else { throw .crosspointCount(count) }
    self.name = name
    self.inputChannelCounts = inputChannelCounts
    self.outputChannelCount = outputChannelCount
    self.sampleRate = sampleRate
    inputGains = inputChannelCounts.indices.map { Self.gain("input \($0) gain", 0, of: .input($0), "gain") }
    outputGains = (0..<outputChannelCount).map {
      Self.gain("output \($0) gain", 0, of: .output(0), "channel \($0) gain")
    }
    var (starts, crosspoints) = ([Int](), [Parameter]())
    for (input, channelCount) in inputChannelCounts.enumerated() {
      starts.append(crosspoints.count)
      for channel in 0..<channelCount {
        for output in 0..<outputChannelCount {
          crosspoints.append(
            Self.gain("input \(input) channel \(channel) to \(output)", channel == output ? 0 : -120))
        }
      }
    }
    (self.starts, self.crosspoints) = (starts, crosspoints)
  }

  private static func gain(
    _ name: String, _ initial: Float, of element: NodeElement = .global, _ shortName: String? = nil
  ) -> Parameter {
    Parameter(
      ramped: name, unit: .decibels, range: MixerInput.gainRange, default: initial, of: element, shortName: shortName)
  }

  /// The gain from a channel of an input to a channel of the output, in decibels, -120 (which is silence) to 24: the
  /// parameter "input 2 channel 1 to 3". All are numbered from 0, and like the index of an array must be in range.
  public func crosspoint(input: Int, channel: Int, to output: Int) -> Parameter {
    precondition((0..<inputChannelCounts[input]).contains(channel), "the input has no channel \(channel)")
    precondition((0..<outputChannelCount).contains(output), "the output has no channel \(output)")
    return crosspoints[starts[input] + channel * outputChannelCount + output]
  }

  /// Sends the channels of an input at 0 dB to the channels of the output from `first` on, as many as there are, and to
  /// no others. [any thread]
  public func route(input: Int, toOutputsFrom first: Int) {
    for channel in 0..<inputChannelCounts[input] {
      for output in 0..<outputChannelCount {
        crosspoint(input: input, channel: channel, to: output).value = output == first + channel ? 0 : -120
      }
    }
  }

  /// The gains of inputs, of crosspoints, and of outputs.
  public var parameters: [Parameter] { inputGains + crosspoints + outputGains }

  public var properties: [Property] {
    [
      Property(Self.inputChannels, of: self) { [inputChannelCounts] in .list(inputChannelCounts.map { .integer($0) }) },
      Property(Self.outputChannels, of: self) { [outputChannelCount] in .integer(outputChannelCount) },
    ]
  }

  static let inputChannels = CreationProperty(
    "input channel counts", kind: .list(of: .integer(FormatCheck.channelCounts), count: 0...1024))
  static let outputChannels = CreationProperty("output channel count", kind: .integer(FormatCheck.channelCounts))

  public func inputFormat(bus: Int, offered: AudioFormat, sampleRate: Double) -> AudioFormat {
    AudioFormat(sampleRate: self.sampleRate ?? sampleRate, channelCount: inputChannelCounts[bus])
  }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) -> [AudioFormat] {
    [AudioFormat(sampleRate: self.sampleRate ?? sampleRate, channelCount: outputChannelCount)]
  }

  public func kernel(for formats: BusFormats) -> Kernel {
    slot.kernel(for: formats.sampleRate) {
      let inputs = inputChannelCounts.indices.map { input in
        let end = starts[input] + inputChannelCounts[input] * outputChannelCount
        return MatrixInput(inputGains[input].reader, crosspoints[starts[input]..<end].map(\.reader))
      }
      let kernel = MatrixMixerKernel(inputs, outputs: outputGains.map(\.reader), sampleRate: formats.sampleRate)
      return Kernel(kernel, retaining: parameters, entry: MatrixMixerKernel.entry)
    }
  }

  public func reset() { slot.reset() }
}

/// A matrix mixer that cannot be made.
public enum MatrixMixerError: Error, Equatable, CustomStringConvertible {
  /// An input or the output would have this many channels.
  case channelCount(Int)
  /// Input times output channels: this is more than the matrix may have.
  case crosspointCount(Int)

  public var description: String {
    switch self {
    case .channelCount(let count):
      "making a matrix mixer: \(count) channels; give each input and the output 1 to "
        + "\(FormatCheck.channelCounts.upperBound)"
    case .crosspointCount(let count):
      "making a matrix mixer: \(count) crosspoints; at most \(MatrixMixerNode.mostCrosspoints) fit, so give it fewer "
        + "channels"
    }
  }
}
