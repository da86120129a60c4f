import SynthRealtime

/// A multichannel mixer: any number of mono or stereo inputs; the stereo mix is output bus 0, and every auxiliary send
/// is one more stereo bus after it. Every change is ramped over 20 ms.
///
/// A send is taken after an input's fader and pan, so what is turned down, muted, not soloed or on one side in the mix
/// is so in the effects too.
///
/// An input of another rate or of more than two channels is converted on its way in.
public final class MixerNode: AudioNode, AligningNode {
  public let name: String
  public var outputBusCount: Int { 1 + sends.count }
  /// One per output bus, from bus 1 on.
  public var sends: [MixerSend] { state.withLock { $0.sends } }
  /// How many sends a mixer may have.
  package static let mostSends = 64
  /// The output's, in hertz; nil is that of the output unit.
  public let sampleRate: Double?
  /// The level of the mix in decibels, -120 (which is silence) to 24.
  public let outputGain = Parameter(
    ramped: "output gain", unit: .decibels, range: MixerInput.gainRange, default: 0, of: .output(0), shortName: "gain")
  /// Of the mix after the output gain.
  public let outputMeter = Meter()
  /// Of the mix before the output gain, while `measuresBeforeFaders` is on.
  public let mixMeter = Meter()
  /// Whether the levels of inputs and output are measured at all; they are as a rule.
  public let isMetered = Parameter("metering", unit: .toggle, range: 0...1, default: 1)
  /// Whether levels are measured before the faders too, which takes a look at each sample more.
  public let measuresBeforeFaders = Parameter("metering before faders", unit: .toggle, range: 0...1, default: 0)
  /// Whether an input that is ahead of others is delayed, as where they have effects with a latency.
  package let alignsInputs: Bool
  private let state: CheckedMutex<MixerState>

  /// - Parameter sends: for each auxiliary send its name, and the share that every input sends at first, 0 to 1.
  public convenience init(
    name: String = "mixer", inputBusCount: Int, sends: KeyValuePairs<String, Float> = [:], sampleRate: Double? = nil
  ) {
    self.init(name: name, inputBusCount: inputBusCount, sends: Self.sends(sends), sampleRate: sampleRate)
  }

  /// A mixer that delays inputs that are ahead of others.
  package convenience init(
    name: String = "mixer", aligning inputBusCount: Int, sends: KeyValuePairs<String, Float> = [:], sampleRate: Double
  ) {
    self.init(
      name: name, inputBusCount: inputBusCount, sends: Self.sends(sends), sampleRate: sampleRate, alignsInputs: true)
  }

  /// A fader: a mixer of one input, whose parameters are called "gain", "pan" and so on.
  package convenience init(fader name: String, sampleRate: Double) {
    self.init(name: name, MixerState(fader: MixerInput(fader: ())), sampleRate: sampleRate, alignsInputs: false)
  }

  private static func sends(_ shares: KeyValuePairs<String, Float>) -> [MixerSend] {
    shares.enumerated().map { MixerSend($1.key, initialShare: $1.value, bus: 1 + $0) }
  }

  convenience init(
    name: String = "mixer", inputBusCount: Int, sends: [MixerSend], sampleRate: Double? = nil,
    alignsInputs: Bool = false
  ) {
    self.init(
      name: name, MixerState(inputCount: inputBusCount, sends: sends), sampleRate: sampleRate,
      alignsInputs: alignsInputs)
  }

  private init(name: String, _ state: MixerState, sampleRate: Double?, alignsInputs: Bool) {
    (self.name, self.sampleRate, self.alignsInputs) = (name, sampleRate, alignsInputs)
    self.state = CheckedMutex(state)
  }

  /// One strip per input bus.
  public var inputs: [MixerInput] { state.withLock { $0.inputs } }
  public var inputBusCount: Int { state.withLock { $0.inputs.count } }
  public var parameters: [Parameter] {
    inputs.flatMap(\.parameters) + [outputGain] + sends.map(\.isEnabled) + [isMetered, measuresBeforeFaders]
  }
  /// How many inputs there are, of which connected ones cannot be removed, the names of the sends if there are any, and
  /// what the meters show.
  public var properties: [Property] {
    let names = Property(Self.sendNames, of: self) { [self] in .list(sends.map { .text($0.name) }) }
    return [
      Property(Self.busCount.name, of: self, kind: Self.busCount.kind) { [self] in
        .integer(inputBusCount)
      } write: { [self] value in
        try setInputCount(value.integer ?? inputBusCount)
      }
    ] + (sends.isEmpty ? [] : [names]) + meterProperties
  }

  static let busCount = CreationProperty("input bus count", kind: .integer(0...1024))
  /// Nothing is sent at first.
  static let sendNames = CreationProperty("sends", kind: .list(of: .text, count: 0...mostSends))

  private func setInputCount(_ count: Int) throws(GraphError) {
    try state.withLock { state throws(GraphError) in
      guard state.connectedCount <= count else {
        throw .busInUse(input: BusEnd(node: self, scope: .input, bus: state.connectedCount - 1).description)
      }
      state.inputs.removeLast(max(0, state.inputs.count - count))
      while state.inputs.count < count { state.addInput() }
    }
  }

  /// Adds an input bus after the last, at once, and gives its number. The other buses do not notice. [control thread]
  @discardableResult
  public func addInput() -> Int {
    state.withLock { state in
      state.addInput()
      return state.inputs.count - 1
    }
  }

  /// Removes the last input bus, which nothing may be connected to. The other buses do not notice. [control thread]
  public func removeInput() throws(GraphError) {
    try state.withLock { state throws(GraphError) in
      guard let last = state.inputs.indices.last else { throw .noBusLeft(node: name) }
      guard state.connectedCount <= last else {
        throw .busInUse(input: BusEnd(node: self, scope: .input, bus: last).description)
      }
      state.inputs.removeLast()
    }
  }

  /// Adds a send after the last, to which nothing is sent at first, at once, and gives its output bus; nil where there
  /// are `mostSends`. The other buses do not notice. [control thread]
  package func addSend(named name: String) -> Int? {
    state.withLock { state in
      guard state.sends.count < Self.mostSends else { return nil }
      state.addSend(MixerSend(name, initialShare: 0, bus: 1 + state.sends.count))
      return state.sends.count
    }
  }

  /// Mono stays mono, since it is panned otherwise than stereo is balanced.
  public func inputFormat(bus: Int, offered: AudioFormat, sampleRate: Double) -> AudioFormat {
    AudioFormat(sampleRate: self.sampleRate ?? sampleRate, channelCount: min(offered.channelCount, 2))
  }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) -> [AudioFormat] {
    Array(repeating: .stereo(self.sampleRate ?? sampleRate), count: outputBusCount)
  }

  public func kernel(for formats: BusFormats) -> Kernel {
    state.withLock { $0.kernel(for: formats, of: self) }
  }

  public func reset() { state.withLock { $0.reset() } }
}
