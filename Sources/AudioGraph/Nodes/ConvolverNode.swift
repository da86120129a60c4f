import SynthDSP
import SynthRealtime

/// Convolution with an impulse response: a room, a loudspeaker, a plate. Mono or stereo in; the dry sound and the wet
/// one come without a delay.
///
/// A response of one channel is for each channel of the sound; of two, for left and right (and makes mono stereo); of
/// four, from left to left, left to right, right to left and right to right. It is converted to the rate that it is
/// heard at. Its level is set so that white noise is as loud behind it as before; `level` comes on top. Responses of up
/// to `Convolver.longest` frames are heard whole; see `Convolver` for the method.
public final class ConvolverNode: AudioNode {
  public let name: String
  public let inputBusCount = 1
  public let outputBusCount = 1
  /// 0 % is dry, 100 % the convolved sound alone; between them amplitudes go in straight lines.
  public let mix = Parameter(ramped: "mix", unit: .percent, range: 0...100, default: 100)
  /// How loud dry and wet are, in decibels; ramped over 20 ms.
  public let level = Parameter(ramped: "level", unit: .decibels, range: -120...12, default: 0)
  /// As it was given.
  public let response: AudioBuffer
  private let slot = KernelSlot<BusFormats>()

  /// - Parameter response: 1, 2 or 4 channels of finite samples.
  public init(name: String = "convolver", response: AudioBuffer) throws(ConvolverError) {
    guard [1, 2, 4].contains(response.channelCount) else { throw .channelCount(response.channelCount) }
    guard response.channels.allSatisfy({ $0.allSatisfy(\.isFinite) }) else { throw .notFinite }
    guard response.peak > 0 else { throw .silent }
    (self.name, self.response) = (name, response)
  }

  public var parameters: [Parameter] { [mix, level] }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) throws(FormatRefusal) -> [AudioFormat] {
    let input = try EffectFormat.input(
      of: name, inputs[0], sampleRate: sampleRate, sampleRates: 8000...768_000)
    _ = try converted(to: input.sampleRate)
    return response.channelCount == 1 ? [input] : [.stereo(input.sampleRate)]
  }

  private func converted(to sampleRate: Double) throws(FormatRefusal) -> AudioBuffer {
    do throws(AudioBufferError) {
      return try response.converted(
        to: AudioFormat(sampleRate: sampleRate, channelCount: response.channelCount))
    } catch {
      throw FormatRefusal(bus: 0, reason: "\(error)", remedy: "give a response of a rate that is nearer")
    }
  }

  public func reset() { slot.reset() }

  public func kernel(for formats: BusFormats) -> Kernel {
    slot.kernel(for: formats) {
      let response = (try? converted(to: formats.outputs[0].sampleRate)) ?? response
      let inputCount = formats.inputs[0]?.channelCount ?? formats.outputs[0].channelCount
      let paths = paths(of: response, inputCount: inputCount, outputCount: formats.outputs[0].channelCount)
      return Kernel(
        ConvolverKernel(self, Convolver(paths), formats.outputs[0]), retaining: parameters,
        entry: ConvolverKernel.entry)
    }
  }

  private func paths(of response: AudioBuffer, inputCount: Int, outputCount: Int) -> [Convolver.Path] {
    let channels = response.channels.map { $0.prefix(Convolver.longest) }
    let energies = channels.map { $0.reduce(0.0) { $0 + Double($1) * Double($1) } }
    // Four channels lead to two outputs.
    let loudest = energies.count == 4 ? max(energies[0] + energies[2], energies[1] + energies[3]) : energies.max() ?? 1
    let gain = Float(1 / loudest.squareRoot())
    func path(_ input: Int, _ output: Int, _ channel: Int) -> Convolver.Path {
      Convolver.Path(from: min(input, inputCount - 1), to: output, channels[channel].map { $0 * gain })
    }
    if channels.count == 4 { return (0..<4).map { path($0 / 2, $0 % 2, $0) } }
    return (0..<outputCount).map { path($0, $0, min($0, channels.count - 1)) }
  }
}

/// Why a convolver cannot be made.
public enum ConvolverError: Error, Equatable, CustomStringConvertible {
  /// Of the response.
  case channelCount(Int)
  /// The response has samples that are no numbers.
  case notFinite
  /// The response has no sample but zeros.
  case silent

  public var description: String {
    let problem =
      switch self {
      case .channelCount(let count): "it has \(count) channels; give one of 1, 2 or 4"
      case .notFinite: "it has samples that are not finite; give another"
      case .silent: "it is silent; give another"
      }
    return "making a convolver of an impulse response: \(problem)"
  }
}

private struct ConvolverKernel: ~Copyable {
  private var convolver: Convolver
  private let mix: ParameterReader
  private let level: ParameterReader
  private var mixRamp = Ramp()
  private var levelRamp = Ramp()
  private let rampBlocks: Int
  /// Shares of the mix, and gains.
  private let curves = CurveMemory(curveCount: 2)
  /// How many frames after the last sound are still to be rendered.
  private var tailLeft = 0

  init(_ node: ConvolverNode, _ convolver: consuming Convolver, _ format: AudioFormat) {
    self.convolver = convolver
    (mix, level) = (node.mix.reader, node.level.reader)
    rampBlocks = levelRampBlocks(sampleRate: format.sampleRate)
  }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: ConvolverKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let (input, output) = (context.input(0), context.output(0))
    if input.isSilent {
      guard tailLeft > 0 else {
        // What is silent cannot click: the next sound finds everything as it is set then.
        (mixRamp, levelRamp) = (Ramp(), Ramp())
        return output.silence()
      }
      tailLeft &-= renderQuantum
    } else {
      tailLeft = convolver.tail
    }
    mixRamp.draw(curves[0], toward: mix, blocks: rampBlocks, context)
    levelRamp.draw(curves[1], toward: level, blocks: rampBlocks, context)
    for channel in 0..<convolver.inputCount { convolver.take(channel, source(channel, of: input)) }
    convolver.process()
    for channel in 0..<output.channelCount {
      let (dry, wet) = (source(channel, of: input), output[channel])
      convolver.give(channel, into: wet)
      for frame in 0..<renderQuantum {
        let share = curves[0][frame]
        wet[frame] = (dry[frame] * (1 - share) + wet[frame] * share) * curves[1][frame]
      }
    }
    convolver.advance()
  }

  /// Where nothing is connected, the shared silence serves as every channel; mono sounds on both.
  @_noLocks
  @inline(__always)
  private func source(_ channel: Int, of input: Bus) -> UnsafeMutablePointer<Float> {
    input[min(channel, max(0, input.channelCount &- 1))]
  }
}
