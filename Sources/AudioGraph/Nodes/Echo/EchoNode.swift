import SynthDSP
import SynthRealtime

/// An echo: a delay with feedback through a low pass, and a mix of dry and wet, on any number of channels.
///
/// A time of whole frames repeats what comes in sample by sample. A new time is approached over 200 ms, or as
/// scheduled, which bends the pitch of what is in the line as a tape would. A loop through other nodes is made with a
/// `DelayNode`.
public final class EchoNode: AudioNode {
  public let name: String
  public let inputBusCount = 1
  public let outputBusCount = 1
  /// From a sound to its echo, 0 to 5 s; what is shorter than a frame is a frame.
  public let time = DelayCourse.parameter("time", longest: 5, default: 0.5)
  /// The share of an echo that comes again as the next, -99 to 99 %; below 0 every other echo is inverted.
  public let feedback = Parameter(ramped: "feedback", unit: .percent, range: -99...99, default: 50)
  /// Where the low pass in the loop, 6 dB an octave, has -3 dB: 10 Hz to 20 kHz. Each echo but the first went through
  /// it once more than the one before. At 20 kHz, and from 0.45 of the sample rate on, it is off.
  public let cutoff = Parameter("cutoff", unit: .hertz, range: 10...EchoKernel.highestCutoff, default: 15_000)
  /// 0 % is dry, 100 % the echoes alone; between them amplitudes go in straight lines.
  public let mix = Parameter(ramped: "mix", unit: .percent, range: 0...100, default: 50)
  private let slot = KernelSlot<AudioFormat>()

  /// Half a gigabyte, as of a `DelayNode`.
  private static let mostSamples = 1 << 27

  public init(name: String = "echo") { self.name = name }

  public var parameters: [Parameter] { [time, feedback, cutoff, mix] }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) throws(FormatRefusal) -> [AudioFormat] {
    let format = inputs[0] ?? .stereo(sampleRate)
    let capacity = EchoLine.capacity(longestDelay: longestDelay(sampleRate: format.sampleRate))
    guard capacity * format.channelCount <= Self.mostSamples else {
      throw FormatRefusal(
        bus: 0, reason: "\(time.range.upperBound) s of \(format) do not fit the echo's memory",
        remedy: "give it fewer channels")
    }
    return [format]
  }

  private func longestDelay(sampleRate: Double) -> Int {
    Int((Double(time.range.upperBound) * sampleRate).rounded(.up))
  }

  public func kernel(for formats: BusFormats) -> Kernel {
    let format = formats.outputs[0]
    return slot.kernel(for: format) {
      let kernel = EchoKernel(self, format, longestDelay: longestDelay(sampleRate: format.sampleRate))
      return Kernel(kernel, retaining: parameters, entry: EchoKernel.entry)
    }
  }

  public func reset() { slot.reset() }
}

private struct EchoKernel: ~Copyable {
  /// In hertz; at it the low pass is off.
  static var highestCutoff: Float { @_noLocks get { 20_000 } }
  /// -140 dB. When all of a line is below it, the echo rests.
  private static let quiet: Float = 1e-7

  private let lines: UnsafeMutablePointer<EchoLine>
  private let channelCount: Int
  private let sampleRate: Double
  private var time: DelayCourse
  private let feedback: ParameterReader
  private let cutoff: ParameterReader
  private let mix: ParameterReader
  private var ramps = EchoRamps()
  private let rampBlocks: Int
  /// Shares of feedback, what the low pass takes over, shares of the mix.
  private let curves = CurveMemory(curveCount: 3)
  /// How many frames are in the line before it repeats, and for how many it has been quiet.
  private let capacity: Int
  private var quietFrames: Int

  init(_ node: EchoNode, _ format: AudioFormat, longestDelay: Int) {
    channelCount = format.channelCount
    lines = .allocate(capacity: channelCount)
    for channel in 0..<channelCount { (lines + channel).initialize(to: EchoLine(longestDelay: longestDelay)) }
    sampleRate = format.sampleRate
    time = DelayCourse(node.time, longestDelay: longestDelay, sampleRate: sampleRate)
    (feedback, cutoff, mix) = (node.feedback.reader, node.cutoff.reader, node.mix.reader)
    rampBlocks = levelRampBlocks(sampleRate: sampleRate)
    capacity = EchoLine.capacity(longestDelay: longestDelay)
    quietFrames = capacity
  }

  deinit {
    lines.deinitialize(count: channelCount)
    lines.deallocate()
  }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: EchoKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let (input, output) = (context.input(0), context.output(0))
    guard !input.isSilent || quietFrames < capacity else {
      // What is silent cannot click: the next sound finds everything as it is set then.
      ramps = EchoRamps()
      time.rest()
      return output.silence()
    }
    time.draw(context)
    ramps.feedback.draw(curves[0], toward: feedback, blocks: rampBlocks, context)
    let cutoff = cutoff.renderValue
    let smoothing = cutoff >= Self.highestCutoff ? 1 : EchoLine.smoothing(cutoff: cutoff / Float(sampleRate))
    ramps.smoothing.draw(curves[1], toward: smoothing, blocks: rampBlocks)
    ramps.mix.draw(curves[2], toward: mix, blocks: rampBlocks, context)
    var peak: Float = 0
    for channel in 0..<output.channelCount {
      // Where nothing is connected, the shared silence serves as every channel.
      let dry = input[min(channel, max(0, input.channelCount &- 1))]
      let wet = output[channel]
      peak = max(
        peak,
        lines[channel].process(dry, into: wet, delays: time.delays, feedback: curves[0], smoothing: curves[1]))
      for frame in 0..<renderQuantum {
        wet[frame] = dry[frame] * (1 - curves[2][frame]) + wet[frame] * curves[2][frame]
      }
    }
    quietFrames = peak < Self.quiet ? min(capacity, quietFrames &+ renderQuantum) : 0
  }
}

/// What moves toward the parameters.
private struct EchoRamps {
  var feedback = Ramp()
  var smoothing = Ramp()
  var mix = Ramp()
}
