import SynthDSP
import SynthRealtime

/// A distortion: a gain, a curve that bends samples at eight times their rate, and a mix of dry and wet, on any number
/// of channels. It delays the audio by `latency`, dry sound too.
///
/// A sine of 5 kHz at 48 kHz leaves no more than -80 dB of aliases beside its fundamental: `soft` up to 20 dB beyond
/// full scale, `hard` up to 12 dB, `fold` up to 6 dB. See `Distorter` and `WaveShape` for the method.
public final class DistortionNode: AudioNode {
  /// How many frames later than its input the output is.
  public static let latency = Distorter.latency

  public let name: String
  public let inputBusCount = 1
  public let outputBusCount = 1
  public var latency: Int { Self.latency }
  /// The number of the curve among those of `WaveShape`; a new one fades in over a quantum.
  public let type = Parameter("type", values: WaveShape.allCases.map(\.rawValue))
  /// The gain before the curve, which begins to bend below full scale and lets nothing beyond it: -40 to 40 dB.
  public let preGain = Parameter(ramped: "pre-gain", unit: .decibels, range: -40...40, default: 12)
  /// 0 % is dry, 100 % the bent sound alone; between them amplitudes go in straight lines.
  public let mix = Parameter(ramped: "mix", unit: .percent, range: 0...100, default: 100)
  private let slot = KernelSlot<AudioFormat>()

  public init(name: String = "distortion", shape: WaveShape = .soft) {
    self.name = name
    self.shape = shape
  }

  /// The curve: `type` by its name. [any thread]
  public var shape: WaveShape {
    get { WaveShape.allCases[Int(type.value)] }
    set { type.value = Float(WaveShape.allCases.firstIndex(of: newValue) ?? 0) }
  }

  public var parameters: [Parameter] { [type, preGain, mix] }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) -> [AudioFormat] {
    [inputs[0] ?? .stereo(sampleRate)]
  }

  public func kernel(for formats: BusFormats) -> Kernel {
    let format = formats.outputs[0]
    return slot.kernel(for: format) {
      Kernel(DistortionKernel(self, format), retaining: parameters, entry: DistortionKernel.entry)
    }
  }

  public func reset() { slot.reset() }
}

private struct DistortionKernel: ~Copyable {
  private let channels: UnsafeMutablePointer<Distorter>
  /// For each channel the last block and the present one.
  private let dry: UnsafeMutablePointer<Float>
  private let channelCount: Int
  private let type: ParameterReader
  private let preGain: ParameterReader
  private let mix: ParameterReader
  /// The number of the last block's shape; -1 where there was none.
  private var lastShape = -1
  private var preGainRamp = Ramp()
  private var mixRamp = Ramp()
  private let rampBlocks: Int
  /// Gains before the curve, and shares of the mix.
  private let curves = CurveMemory(curveCount: 2)
  /// How many frames after the last sound are still to be rendered.
  private var tailLeft = 0

  init(_ node: DistortionNode, _ format: AudioFormat) {
    channelCount = format.channelCount
    channels = .allocate(capacity: channelCount)
    for channel in 0..<channelCount { (channels + channel).initialize(to: Distorter()) }
    dry = .allocate(capacity: 2 * renderQuantum * channelCount)
    dry.initialize(repeating: 0, count: 2 * renderQuantum * channelCount)
    (type, preGain, mix) = (node.type.reader, node.preGain.reader, node.mix.reader)
    rampBlocks = levelRampBlocks(sampleRate: format.sampleRate)
  }

  deinit {
    channels.deinitialize(count: channelCount)
    channels.deallocate()
    dry.deallocate()
  }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: DistortionKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let (input, output) = (context.input(0), context.output(0))
    if input.isSilent {
      guard tailLeft > 0 else {
        // What is silent cannot click: the next sound finds everything as it is set then.
        (preGainRamp, mixRamp, lastShape) = (Ramp(), Ramp(), -1)
        return output.silence()
      }
      tailLeft &-= renderQuantum
    } else {
      tailLeft = Distorter.tail
    }
    preGainRamp.draw(curves[0], toward: preGain, blocks: rampBlocks, context)
    mixRamp.draw(curves[1], toward: mix, blocks: rampBlocks, context)
    let number = Int(type.renderValue)
    let last = lastShape < 0 || lastShape == number ? nil : Self.shape(lastShape)
    lastShape = number
    for channel in 0..<output.channelCount {
      // Where nothing is connected, the shared silence serves as every channel.
      let source = input[min(channel, max(0, input.channelCount &- 1))]
      let line = dry + 2 &* renderQuantum &* channel
      copySamples(from: line + renderQuantum, to: line, count: renderQuantum)
      copySamples(from: source, to: line + renderQuantum, count: renderQuantum)
      let wet = output[channel]
      channels[channel].process(source, into: wet, gains: curves[0], shape: Self.shape(number), from: last)
      let late = line + renderQuantum - Distorter.latency
      for frame in 0..<renderQuantum {
        wet[frame] = late[frame] * (1 - curves[1][frame]) + wet[frame] * curves[1][frame]
      }
    }
  }

  /// As `allCases` has them, which is an array.
  @_noLocks
  private static func shape(_ number: Int) -> WaveShape {
    switch number {
    case 0: .soft
    case 1: .hard
    default: .fold
    }
  }
}
