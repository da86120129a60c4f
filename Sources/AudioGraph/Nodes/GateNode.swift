import SynthDSP
import SynthRealtime

/// A gate: turns down sound that is quieter than a threshold, such as a guitar's hiss between its notes, all channels
/// of any number alike.
///
/// Open, it passes sound bit for bit, without latency. Input 1 is the side chain: where it is connected, the gate goes
/// by its level and not by the sound's. See `GateDetector` for the method.
public final class GateNode: AudioNode {
  public let name: String
  public let inputBusCount = 2
  public let outputBusCount = 1
  /// The peak that opens it: -90 to 0 dB.
  public let threshold = Parameter("threshold", unit: .decibels, range: -90...0, default: -50)
  /// By how much it turns down what is below: 0 to 90 dB.
  public let depth = Parameter("depth", unit: .decibels, range: 0...90, default: 60)
  /// In what time it opens, to 63 %: 0 to 0.5 s.
  public let attack = Parameter("attack", unit: .seconds, range: 0...0.5, default: 0.001)
  /// How long it stays open: 0 to 5 s.
  public let hold = Parameter("hold", unit: .seconds, range: 0...5, default: 0.05)
  /// In what time it closes, to 63 %: 0 to 5 s.
  public let release = Parameter("release", unit: .seconds, range: 0...5, default: 0.1)
  private let slot = KernelSlot<Double>()

  public init(name: String = "gate") { self.name = name }

  public var parameters: [Parameter] { [threshold, depth, attack, hold, release] }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) throws(FormatRefusal) -> [AudioFormat] {
    [try SideChain.format(of: "gate", inputs, sampleRate: sampleRate)]
  }

  public func kernel(for formats: BusFormats) -> Kernel {
    let sampleRate = formats.sampleRate
    return slot.kernel(for: sampleRate) {
      Kernel(GateKernel(self, sampleRate: sampleRate), retaining: parameters, entry: GateKernel.entry)
    }
  }

  public func reset() { slot.reset() }
}

extension GateNode: AligningNode {
  package var alignsInputs: Bool { true }
}

private struct GateKernel: ~Copyable {
  private let threshold: ParameterReader
  private let depth: ParameterReader
  private let attack: ParameterReader
  private let hold: ParameterReader
  private let release: ParameterReader
  private var detector = GateDetector()
  private let sampleRate: Float
  /// What the quantum is turned down by, and the highest magnitudes of all channels.
  private let curves = CurveMemory(curveCount: 2)

  init(_ node: GateNode, sampleRate: Double) {
    (threshold, depth, attack) = (node.threshold.reader, node.depth.reader, node.attack.reader)
    (hold, release) = (node.hold.reader, node.release.reader)
    self.sampleRate = Float(sampleRate)
  }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: GateKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let (input, output, heard) = (context.input(0), context.output(0), SideChain.heard(context))
    if input.isSilent, heard.isSilent, detector.isIdle { return output.silence() }
    SideChain.findPeaks(of: heard, curves[1])
    drawGains()
    if input.isSilent { return output.silence() }
    for channel in 0..<output.channelCount {
      scaleBlock(input[channel], into: output[channel], gains: curves[0], count: renderQuantum)
    }
  }

  /// Draws the gains for the peaks.
  @_noLocks
  private mutating func drawGains() {
    let attack = CompressorDetector.rest(after: attack.renderValue, sampleRate: sampleRate)
    let release = CompressorDetector.rest(after: release.renderValue, sampleRate: sampleRate)
    let (threshold, hold) = (threshold.renderValue, Int(hold.renderValue * sampleRate))
    // Of a factor, in octaves.
    let depth = logarithm2(depth.renderValue)
    for frame in 0..<renderQuantum {
      let openness = detector.openness(
        peak: curves[1][frame], threshold: threshold, hold: hold, attack: attack, release: release)
      curves[0][frame] = openness == 1 ? 1 : exponential2((openness - 1) * depth)
    }
  }
}
