import SynthDSP
import SynthRealtime

/// A compressor: turns down what is above a threshold, all channels of any number alike.
///
/// What stays below the knee passes bit for bit, unless there is make-up gain. It does not look ahead, so it has no
/// latency, and the start of a sound passes until the attack is over; `LimiterNode` is for peaks that must not pass.
/// Input 1 is the side chain: where it is connected, the compressor goes by its level and not by the sound's, so that a
/// pad goes down while a drum sounds. See `CompressorCurve` and `CompressorDetector` for the method.
public final class CompressorNode: AudioNode {
  public let name: String
  public let inputBusCount = 2
  public let outputBusCount = 1
  /// The level above which sound is turned down: -60 to 0 dB.
  public let threshold = Parameter("threshold", unit: .decibels, range: -60...0, default: -20)
  /// How many decibels more come in for one more that goes out: 1 to 100.
  public let ratio = Parameter("ratio", unit: .ratio, range: 1...100, default: 4)
  /// How wide the bend between the two slopes is, half of it on either side of the threshold: 0 to 40 dB.
  public let knee = Parameter("knee", unit: .decibels, range: 0...40, default: 6)
  /// In what time 63 % of what is to be taken away are: 0 to 0.5 s.
  public let attack = Parameter("attack", unit: .seconds, range: 0...0.5, default: 0.01)
  /// In what time 63 % of it are given back: 0 to 5 s.
  public let release = Parameter("release", unit: .seconds, range: 0...5, default: 0.1)
  /// The gain after it: -24 to 40 dB.
  public let makeUpGain = Parameter(ramped: "make-up gain", unit: .decibels, range: -24...40, default: 0)
  /// What a level is: each sample's magnitude, or the root of the mean square over 10 ms, by which a sine is 3 dB
  /// lower. Of several channels the highest magnitude counts.
  public let detector = Parameter("detector", values: ["peak", "RMS"])
  /// What it had to do, without the make-up gain.
  public let meter = LimiterMeter()
  private let slot = KernelSlot<Double>()

  public init(name: String = "compressor") { self.name = name }

  public var parameters: [Parameter] { [threshold, ratio, knee, attack, release, makeUpGain, detector] }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) throws(FormatRefusal) -> [AudioFormat] {
    [try SideChain.format(of: "compressor", inputs, sampleRate: sampleRate)]
  }

  public func kernel(for formats: BusFormats) -> Kernel {
    let sampleRate = formats.sampleRate
    return slot.kernel(for: sampleRate) {
      Kernel(
        CompressorKernel(self, sampleRate: sampleRate), retaining: parameters + [meter] as [AnyObject],
        entry: CompressorKernel.entry)
    }
  }

  public func reset() { slot.reset() }
}

extension CompressorNode: AligningNode {
  package var alignsInputs: Bool { true }
}

private struct CompressorKernel: ~Copyable {
  private let threshold: ParameterReader
  private let ratio: ParameterReader
  private let knee: ParameterReader
  private let attack: ParameterReader
  private let release: ParameterReader
  private let makeUpGain: ParameterReader
  private let usesMean: ParameterReader
  private let meter: LimiterMeter.Writer
  private var detector: CompressorDetector
  private var makeUpRamp = Ramp()
  private let sampleRate: Float
  private let rampBlocks: Int
  /// What the quantum is turned down by, the make-up gain, and the highest magnitudes of all channels.
  private let curves = CurveMemory(curveCount: 3)

  init(_ node: CompressorNode, sampleRate: Double) {
    (threshold, ratio, knee) = (node.threshold.reader, node.ratio.reader, node.knee.reader)
    (attack, release) = (node.attack.reader, node.release.reader)
    (makeUpGain, usesMean) = (node.makeUpGain.reader, node.detector.reader)
    meter = node.meter.writer
    self.sampleRate = Float(sampleRate)
    detector = CompressorDetector(sampleRate: self.sampleRate)
    rampBlocks = levelRampBlocks(sampleRate: sampleRate)
  }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: CompressorKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let (input, output, heard) = (context.input(0), context.output(0), SideChain.heard(context))
    guard !input.isSilent else {
      makeUpRamp = Ramp()
      if !heard.isSilent || !detector.isIdle {
        SideChain.findPeaks(of: heard, curves[2])
        _ = detect()
      }
      return output.silence()
    }
    SideChain.findPeaks(of: heard, curves[2])
    let lowest = detect()
    if lowest < 1 { meter.record(frames: reducedFrames(), lowestGain: lowest) }
    makeUpRamp.draw(curves[1], toward: makeUpGain, blocks: rampBlocks, context)
    scaleBlock(curves[0], into: curves[0], gains: curves[1], count: renderQuantum)
    for channel in 0..<output.channelCount {
      scaleBlock(input[channel], into: output[channel], gains: curves[0], count: renderQuantum)
    }
  }

  /// Draws the gains for the peaks, and gives the lowest.
  @_noLocks
  private mutating func detect() -> Float {
    let curve = CompressorCurve(
      threshold: Self.decibels(threshold.renderValue), ratio: ratio.renderValue, knee: Self.decibels(knee.renderValue))
    let attack = CompressorDetector.rest(after: attack.renderValue, sampleRate: sampleRate)
    let release = CompressorDetector.rest(after: release.renderValue, sampleRate: sampleRate)
    let usesMean = usesMean.renderValue != 0
    var lowest: Float = 1
    for frame in 0..<renderQuantum {
      let gain = detector.gain(
        peak: curves[2][frame], usesMean: usesMean, curve: curve, attack: attack, release: release)
      curves[0][frame] = gain
      lowest = min(lowest, gain)
    }
    return lowest
  }

  /// Of an amplitude: 20 log₁₀.
  @_noLocks
  private static func decibels(_ amplitude: Float) -> Float { 6.020_6 * logarithm2(amplitude) }

  @_noLocks
  private func reducedFrames() -> Int {
    var count = 0
    for frame in 0..<renderQuantum where curves[0][frame] < 1 { count &+= 1 }
    return count
  }
}
