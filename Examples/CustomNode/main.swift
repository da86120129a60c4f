// A node of one's own: a tremolo. What is held and what renders are two types.

import AudioGraph

/// Lets a signal swell and fade, any number of channels.
final class TremoloNode: AudioNode {
  let name = "tremolo"
  let inputBusCount = 1
  let outputBusCount = 1
  /// Swells per second.
  let rate = Parameter("rate", unit: .hertz, range: 0...20, default: 5)
  private let slot = KernelSlot<Double>()

  var parameters: [Parameter] { [rate] }

  /// What comes in goes out.
  func outputFormats(inputs: [AudioFormat?], sampleRate: Double) -> [AudioFormat] {
    [inputs[0] ?? .stereo(sampleRate)]
  }

  /// The kernel outlives edits of the graph, so that its phase goes on; another sample rate makes a new one.
  func kernel(for formats: BusFormats) -> Kernel {
    slot.kernel(for: formats.sampleRate) {
      Kernel(
        TremoloKernel(rate: rate.reader, sampleRate: Float(formats.sampleRate)), retaining: [rate],
        entry: TremoloKernel.entry)
    }
  }

  func reset() { slot.reset() }
}

/// Lives in memory of its own and is entered through a C function pointer: the audio thread retains and releases
/// nothing.
struct TremoloKernel {
  let rate: ParameterReader
  let sampleRate: Float
  /// In periods.
  var phase: Float = 0
  var ramp = Ramp()

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: TremoloKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  /// One quantum. `@_noLocks` has the compiler refuse whatever could allocate, lock or wait.
  @_noLocks
  mutating func render(_ context: RenderContext) {
    let input = context.input(0)
    let output = context.output(0)
    phase += rate.renderValue * Float(Int32(renderQuantum)) / sampleRate
    if phase >= 1 { phase -= 1 }
    // Once a quantum is often enough: the gain between is a straight line. 1, down to 0 and back.
    let gain = ramp.next(toward: abs(1 - 2 * phase), blocks: 1, blockSize: renderQuantum)
    guard !input.isSilent else { return output.silence() }
    for channel in 0..<output.channelCount {
      _ = scaleBlock(input[channel], into: output[channel], gain: gain, count: renderQuantum)
    }
  }
}

let engine = AudioEngine(sampleRate: 48000)
let tone = SignalGeneratorNode(frequency: 1000, level: 0)
let tremolo = TremoloNode()
let output = try OutputNode(channelCount: 1, sourceCount: 1)
try engine.edit { graph in
  for node in [tone, tremolo, output] as [any AudioNode] { try graph.attach(node) }
  try graph.connect(tone, to: tremolo)
  try graph.connect(tremolo, to: output)
}
for _ in 0..<20 {
  let peak = try engine.render(frameCount: 960).peak
  print(String(repeating: "#", count: Int(peak * 60)))
}
