import DSP
import Realtime

/// Sends what a mixer's inputs get to effects: as many inputs as the mixer has, and a stereo bus for each effect.
///
/// Connect to each input what feeds the mixer's input of the same number. A send is taken after that input's fader and pan:
/// what is turned down, muted, not soloed or on one side there is so in the effects too. Every change is ramped over 20 ms. An input of another
/// rate or of more than two channels is converted on its way in.
public final class SendNode: AudioNode {
  public let name: String
  public let inputBusCount: Int
  public let outputBusCount: Int
  /// The shares of the amplitude that are sent: for each effect, one for each input.
  public let sends: [[Parameter]]
  /// Whether anything is sent, for each effect. What has been sent before rings out.
  public let isEnabled: [Parameter]
  private let inputs: [MixerInput]
  private let slot = KernelSlot<Double>()

  /// - Parameters:
  ///   - inputs: a mixer's.
  ///   - effects: for each output bus a name, and the share every input sends at first.
  public init(name: String = "sends", after inputs: [MixerInput], effects: KeyValuePairs<String, Float>) {
    self.name = name
    self.inputs = inputs
    inputBusCount = inputs.count
    outputBusCount = effects.count
    isEnabled = effects.map { effect, _ in
      Parameter("\(effect) enable", unit: .toggle, range: 0...1, default: 1)
    }
    sends = effects.map { effect, share in
      inputs.indices.map { Parameter("input \($0) \(effect) send", unit: .ratio, range: 0...1, default: share) }
    }
  }

  public var parameters: [Parameter] { isEnabled + sends.flatMap(\.self) }

  /// What the mixer converts is converted here too.
  public func inputFormat(bus: Int, offered: AudioFormat, sampleRate: Double) -> AudioFormat {
    AudioFormat(sampleRate: sampleRate, channelCount: min(offered.channelCount, 2))
  }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) -> [AudioFormat] {
    Array(repeating: .stereo(sampleRate), count: outputBusCount)
  }

  public func reset() { slot.reset() }

  public func kernel(for formats: BusFormats) -> Kernel {
    slot.kernel(for: formats.sampleRate) {
      let faders = inputs.flatMap { [$0.gain, $0.pan, $0.isEnabled, $0.isMuted, $0.isSoloed] }
      return Kernel(
        SendKernel(sends, isEnabled, inputs, sampleRate: formats.sampleRate), retaining: parameters + faders,
        entry: SendKernel.entry)
    }
  }
}

private struct SendKernel: ~Copyable {
  private let faders: UnsafeMutablePointer<Fader>
  /// Effect after effect, one for each input.
  private let sends: UnsafeMutablePointer<Send>
  private let inputCount: Int
  private let rampBlocks: Int

  init(_ sends: [[Parameter]], _ isEnabled: [Parameter], _ inputs: [MixerInput], sampleRate: Double) {
    inputCount = inputs.count
    faders = .allocate(capacity: max(1, inputs.count))
    for (bus, input) in inputs.enumerated() { (faders + bus).initialize(to: Fader(input)) }
    let all = zip(sends, isEnabled).flatMap { shares, isEnabled in
      shares.map { Send(share: $0.reader, isEnabled: isEnabled.reader) }
    }
    self.sends = .allocate(capacity: max(1, all.count))
    for (index, send) in all.enumerated() { (self.sends + index).initialize(to: send) }
    rampBlocks = levelRampBlocks(sampleRate: sampleRate)
  }

  deinit {
    faders.deallocate()
    sends.deallocate()
  }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: SendKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  func render(_ context: RenderContext) {
    for effect in 0..<context.outputBusCount { context.output(effect).silence() }
    let anySolo = anySolo()
    for bus in 0..<inputCount {
      let input = context.input(bus)
      let gains = faders[bus].gains(isMono: input.channelCount == 1, anySolo)
      for effect in 0..<context.outputBusCount {
        sends[effect &* inputCount &+ bus].add(input, gains, to: context.output(effect), rampBlocks)
      }
    }
  }

  @_noLocks
  private func anySolo() -> Bool {
    for bus in 0..<inputCount where faders[bus].isSoloed { return true }
    return false
  }
}

/// The way from one input to one effect.
private struct Send {
  private let share: ParameterReader
  private let isEnabled: ParameterReader
  private var left = Ramp()
  private var right = Ramp()

  init(share: ParameterReader, isEnabled: ParameterReader) {
    self.share = share
    self.isEnabled = isEnabled
  }

  @_noLocks
  mutating func add(_ input: Bus, _ gains: (left: Float, right: Float), to effect: Bus, _ rampBlocks: Int) {
    let share = isEnabled.isOn ? share.renderValue : 0
    let left = left.next(toward: gains.left * share, blocks: rampBlocks, blockSize: renderQuantum)
    let right = right.next(toward: gains.right * share, blocks: rampBlocks, blockSize: renderQuantum)
    guard !input.isSilent, !(left.isSilent && right.isSilent) else { return }
    _ = mixBlock(input[0], into: effect[0], gain: left, count: renderQuantum)
    _ = mixBlock(input[input.channelCount &- 1], into: effect[1], gain: right, count: renderQuantum)
    effect.isSilent = false
  }
}
