import SynthRealtime

/// What a mixer keeps from one kernel to the next: its inputs, and the render state of each. [control thread]
struct MixerState {
  var inputs: [MixerInput]
  private(set) var sends: [MixerSend]
  /// How far up inputs are connected in the plan that was made last.
  private(set) var connectedCount = 0
  private var present: Rendering?

  /// The render side at one rate.
  private struct Rendering {
    let sampleRate: Double
    let output: Box<MixerOutput>
    /// One per input, with the meter it was made for.
    var strips: [(meter: Meter, memory: Box<MixerStrip>)] = []
    var sendCount = 0
    var kernel: Kernel?
  }

  init(inputCount: Int, sends: [MixerSend]) {
    self.sends = sends
    inputs = (0..<max(0, inputCount)).map { MixerInput(bus: $0, sends: sends) }
  }

  /// One input, without sends.
  init(fader: MixerInput) { (inputs, sends) = ([fader], []) }

  /// Adds an input after the last.
  mutating func addInput() { inputs.append(MixerInput(bus: inputs.count, sends: sends)) }

  /// Adds a send after the last.
  mutating func addSend(_ send: MixerSend) {
    sends.append(send)
    for index in inputs.indices { inputs[index].add(send) }
  }

  /// Makes the next kernel a new one, which knows nothing of what has sounded.
  mutating func reset() { present = nil }

  mutating func kernel(for formats: BusFormats, of mixer: MixerNode) -> Kernel {
    connectedCount = (formats.inputs.lastIndex { $0 != nil } ?? -1) + 1
    let sampleRate = formats.outputs[0].sampleRate
    var rendering =
      present.flatMap { $0.sampleRate == sampleRate ? $0 : nil }
      ?? Rendering(sampleRate: sampleRate, output: Box(MixerOutput(mixer, sampleRate: sampleRate)))
    let kept = zip(rendering.strips, inputs).prefix { $0.meter === $1.meter }.count
    let kernel: Kernel
    if let present = rendering.kernel, kept == rendering.strips.count, kept == inputs.count,
      rendering.sendCount == sends.count
    {
      kernel = present
    } else {
      rendering.strips.removeSubrange(kept...)
      for (strip, input) in zip(rendering.strips, inputs) { strip.memory.pointer.pointee.addSends(of: input, sends) }
      for input in inputs[kept...] {
        rendering.strips.append((input.meter, Box(MixerStrip(input, sends, of: mixer, sampleRate: sampleRate))))
      }
      rendering.sendCount = sends.count
      let strips = rendering.strips.map(\.memory)
      kernel = Kernel(
        MixerKernel(strips.map(\.pointer), output: rendering.output.pointer, sampleRate: sampleRate),
        retaining: strips + [rendering.output, mixer.outputGain, mixer.outputMeter, mixer.mixMeter]
          + [mixer.isMetered, mixer.measuresBeforeFaders] + sends.map(\.isEnabled)
          + inputs.flatMap(\.objects),
        sharing: rendering.output, entry: MixerKernel.entry)
      rendering.kernel = kernel
    }
    present = rendering
    return kernel
  }
}
