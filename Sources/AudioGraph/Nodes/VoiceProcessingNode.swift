import Synchronization
import SynthDSP
import SynthRealtime

/// Makes a microphone fit for a call: takes out what the loudspeakers play, lowers noise, evens out the level, mutes.
///
/// Input 0 is the microphone, in mono; input 1 the far end, what goes to the loudspeakers, in mono or stereo; the
/// output is mono. It runs at the output unit's rate from 8 to 48 kHz; above that at a half, a quarter …, below at 8
/// kHz, and connections convert.
///
///     try graph.connect(input, to: voice)
///     try graph.connect(mixer, to: voice, toBus: 1)
///
/// An echo is found if it ends within `quality.tail` of the far end, the delays of output and input device included; a
/// `DelayNode` before the far end makes up for long ones. See `VoiceProcessor` for the method.
public final class VoiceProcessingNode: AudioNode {
  public let name: String
  public let inputBusCount = 2
  public let outputBusCount = 1
  /// How long an echo it cancels.
  public let quality: VoiceQuality
  /// By how much steady noise is lowered, 0 to 60 dB.
  public let noiseSuppression = Parameter("noise suppression", unit: .decibels, range: 0...60, default: 15)
  /// Whether speech is brought to the target level, by up to 30 dB and within some seconds.
  public let automaticGain = Parameter("automatic gain", unit: .toggle, range: 0...1, default: 0)
  /// The RMS of speech that the automatic gain aims at, -40 to -20 dB.
  public let targetLevel = Parameter("target level", unit: .decibels, range: -40 ... -20, default: -24)
  /// Whether nothing is given on; faded over 20 ms.
  public let mute = Parameter(ramped: "mute", unit: .toggle, range: 0...1, default: 0)
  /// Whether the microphone is given on as it is, as late as else; faded over 20 ms. The canceller goes on learning.
  public let bypass = Parameter(ramped: "bypass", unit: .toggle, range: 0...1, default: 0)
  private let library: VoiceProcessor.Library
  private let slot = KernelSlot<VoiceKey>()
  private let presentLatency = Atomic<Int>(0)

  /// Throws where libspeexdsp cannot be loaded. [control thread]
  public init(name: String = "voice processing", quality: VoiceQuality = .medium) throws(LibraryError) {
    library = try VoiceProcessor.Library()
    self.name = name
    self.quality = quality
  }

  public var latency: Int { presentLatency.load(ordering: .relaxed) }
  public var parameters: [Parameter] { [noiseSuppression, automaticGain, targetLevel, mute, bypass] }

  public var properties: [Property] {
    [
      Property(Self.qualityName, of: self) { [quality] in .text(quality.rawValue) },
      Property("latency", of: self, kind: .integer(0...Int.max, unit: .frames)) { [self] in .integer(latency) },
    ]
  }

  static let qualityName = CreationProperty("quality", kind: .choice(VoiceQuality.allCases.map(\.rawValue)))

  public func inputFormat(bus: Int, offered: AudioFormat, sampleRate: Double) -> AudioFormat {
    AudioFormat(
      sampleRate: Self.processingRate(sampleRate), channelCount: bus == 0 ? 1 : min(max(1, offered.channelCount), 2))
  }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) -> [AudioFormat] {
    [.mono(Self.processingRate(sampleRate))]
  }

  /// What the processor runs at beside an output unit of a rate, both in hertz.
  private static func processingRate(_ sampleRate: Double) -> Double {
    var rate = max(sampleRate, VoiceProcessor.sampleRates.lowerBound)
    while rate > VoiceProcessor.sampleRates.upperBound { rate /= 2 }
    return rate
  }

  public func kernel(for formats: BusFormats) -> Kernel {
    let key = VoiceKey(sampleRate: formats.sampleRate, farEndCount: formats.inputs[1]?.channelCount ?? 1)
    return slot.kernel(for: key) {
      let processor = VoiceProcessor(
        library, sampleRate: key.sampleRate, farEndChannelCount: key.farEndCount, quality: quality)
      presentLatency.store(processor.latency, ordering: .relaxed)
      return Kernel(
        VoiceKernel(self, processor, sampleRate: key.sampleRate), retaining: parameters, entry: VoiceKernel.entry)
    }
  }

  public func reset() { slot.reset() }
}

/// What a processor is made for.
private struct VoiceKey: Equatable, Sendable {
  let sampleRate: Double
  let farEndCount: Int
}

private struct VoiceKernel: ~Copyable {
  private var processor: VoiceProcessor
  private let noiseSuppression: ParameterReader
  private let automaticGain: ParameterReader
  private let targetLevel: ParameterReader
  private let mute: ParameterReader
  private let bypass: ParameterReader
  private var muteRamp = Ramp()
  private var bypassRamp = Ramp()
  private let rampBlocks: Int
  /// How far it is muted, how far bypassed, and the microphone as it was.
  private let curves = CurveMemory(curveCount: 3)

  init(_ node: VoiceProcessingNode, _ processor: consuming VoiceProcessor, sampleRate: Double) {
    self.processor = processor
    noiseSuppression = node.noiseSuppression.reader
    automaticGain = node.automaticGain.reader
    targetLevel = node.targetLevel.reader
    (mute, bypass) = (node.mute.reader, node.bypass.reader)
    rampBlocks = levelRampBlocks(sampleRate: sampleRate)
  }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: VoiceKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let (microphone, farEnd, output) = (context.input(0), context.input(1), context.output(0))
    processor.set(
      noiseSuppression: 6.020_6 * logarithm2(noiseSuppression.renderValue), isGainAutomatic: automaticGain.isOn,
      targetLevel: targetLevel.renderValue)
    // Where nothing is connected, the shared silence serves as every channel.
    let (clean, dry) = (output[0], curves[2])
    processor.process(
      microphone: microphone[0], farLeft: farEnd[0], farRight: farEnd[max(0, farEnd.channelCount &- 1)], into: clean,
      dry: dry)
    muteRamp.draw(curves[0], toward: mute, blocks: rampBlocks, context)
    bypassRamp.draw(curves[1], toward: bypass, blocks: rampBlocks, context)
    guard curves[0][0] < 1 || curves[0][renderQuantum &- 1] < 1 else { return output.silence() }
    for frame in 0..<renderQuantum {
      let bypassed = curves[1][frame]
      // Not a number in the microphone is not a number either when multiplied by 0.
      let mixed = bypassed == 0 ? clean[frame] : clean[frame] * (1 - bypassed) + dry[frame] * bypassed
      clean[frame] = mixed * (1 - curves[0][frame])
    }
  }
}
