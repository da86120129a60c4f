import SynthDSP
import SynthRealtime

/// A look-ahead limiter, mono or stereo in, the same out: no true peak leaves it above its ceiling, and what stays 0.05
/// dB below that passes bit for bit. It delays the audio by `latency`.
public final class LimiterNode: AudioNode {
  /// How many frames later than its input the output is.
  public static let latency = LookAheadLimiter.latency

  public let name: String
  public let inputBusCount = 1
  public let outputBusCount = 1
  public var latency: Int { Self.latency }
  /// What no true peak exceeds.
  public let ceiling: Decibels
  /// What it had to do.
  public let meter = LimiterMeter()
  private let slot = KernelSlot<Double>()

  /// - Parameter ceiling: -60 to 0 dB, to which it is clamped; NaN is -60 dB.
  public init(name: String = "limiter", ceiling: Decibels = LookAheadLimiter.standardCeiling) {
    self.name = name
    self.ceiling = LookAheadLimiter.clamped(ceiling)
  }

  public var properties: [Property] {
    [Property(Self.ceilingLevel, of: self) { [ceiling] in .number(ceiling.value) }]
  }

  static let ceilingLevel = CreationProperty("ceiling", kind: .number(-60...0, unit: .decibels))

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) throws(FormatRefusal) -> [AudioFormat] {
    [try EffectFormat.input(of: "limiter", inputs[0], sampleRate: sampleRate)]
  }

  public func reset() { slot.reset() }

  public func kernel(for formats: BusFormats) -> Kernel {
    let sampleRate = formats.outputs[0].sampleRate
    return slot.kernel(for: sampleRate) {
      let limiter = LookAheadLimiter(ceiling: ceiling, sampleRate: sampleRate)
      return Kernel(LimiterKernel(limiter, meter.writer), retaining: [meter], entry: LimiterKernel.entry)
    }
  }
}

private struct LimiterKernel: ~Copyable {
  private var limiter: LookAheadLimiter
  private let meter: LimiterMeter.Writer

  init(_ limiter: consuming LookAheadLimiter, _ meter: LimiterMeter.Writer) {
    self.limiter = limiter
    self.meter = meter
  }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: LimiterKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let input = context.input(0)
    let output = context.output(0)
    // Where nothing is connected the output is stereo, and the shared silence serves as both channels.
    let right = output.channelCount &- 1
    output.isSilent = limiter.process(
      left: input[0], right: input[min(right, max(0, input.channelCount &- 1))],
      leftOutput: output[0], rightOutput: output[right])
    if limiter.limitedFrames > 0 { meter.record(frames: limiter.limitedFrames, lowestGain: limiter.lowestGain) }
  }
}
