import Realtime
import Synchronization

/// A multichannel mixer: any number of mono or stereo inputs, one stereo output. Every change is ramped over 20 ms.
///
/// An input of another rate or of more than two channels is converted on its way in.
public final class MixerNode: AudioNode {
  public let name: String
  public let outputBusCount = 1
  /// The output's, in hertz; nil is that of the output unit.
  public let sampleRate: Double?
  /// The level of the mix in decibels, -120 (which is silence) to 24.
  public let outputGain = Parameter("output gain", unit: .decibels, range: MixerInput.gainRange, default: 0)
  public let outputMeter = Meter()
  private let state: Mutex<MixerState>

  public init(name: String = "mixer", inputBusCount: Int, sampleRate: Double? = nil) {
    self.name = name
    self.sampleRate = sampleRate
    state = Mutex(MixerState(inputs: (0..<max(0, inputBusCount)).map { MixerInput(bus: $0) }))
  }

  /// One strip per input bus.
  public var inputs: [MixerInput] { state.withLock { $0.inputs } }
  public var inputBusCount: Int { state.withLock { $0.inputs.count } }
  public var parameters: [Parameter] { inputs.flatMap(\.parameters) + [outputGain] }
  public var properties: [Property] { [Property(Self.busCount, of: self) { [self] in .integer(inputBusCount) }] }

  static let busCount = CreationProperty("input bus count", kind: .integer(0...1024))

  /// Adds an input bus after the last, at once, and gives its number. The other buses do not notice. [control threads]
  @discardableResult
  public func addInput() -> Int {
    state.withLock { state in
      state.inputs.append(MixerInput(bus: state.inputs.count))
      return state.inputs.count - 1
    }
  }

  /// Removes the last input bus, which nothing may be connected to. The other buses do not notice. [control threads]
  public func removeInput() throws(GraphError) {
    try state.withLock { state throws(GraphError) in
      guard let last = state.inputs.indices.last else { throw .noBusLeft(node: name) }
      guard state.connectedCount <= last else {
        throw .busInUse(input: BusEnd(node: self, scope: .input, bus: last).description)
      }
      state.inputs.removeLast()
    }
  }

  /// Mono stays mono, since it is panned otherwise than stereo is balanced.
  public func inputFormat(bus: Int, offered: AudioFormat, sampleRate: Double) -> AudioFormat {
    AudioFormat(sampleRate: self.sampleRate ?? sampleRate, channelCount: min(offered.channelCount, 2))
  }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) -> [AudioFormat] {
    [.stereo(self.sampleRate ?? sampleRate)]
  }

  public func kernel(for formats: BusFormats) -> Kernel {
    state.withLock { $0.kernel(for: formats, output: outputGain, outputMeter) }
  }

  public func reset() { state.withLock { $0.reset() } }
}
