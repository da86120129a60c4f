import SynthDSP
import SynthRealtime

/// Mixes the output of an effect with its input: input 0 is dry, input 1 wet. The plan delays the dry sound by the
/// latency of the effect, so that both are aligned to the sample.
///
///     source ─┬──────────► dry ─┐
///             └► effect ─► wet ─┴► mix
///
/// At 100 % the effect passes bit for bit, at 0 % and bypassed the dry sound does. Changes are ramped over 20 ms.
package final class DryWetNode: AligningNode {
  package let name: String
  package let inputBusCount = 2
  package let outputBusCount = 1
  package let alignsInputs = true
  /// 0 % is dry, 100 % the effect alone; between them amplitudes go in straight lines.
  package let mix: Parameter
  /// Whether only the dry sound is heard. The effect goes on rendering.
  package let bypass = Parameter(ramped: "bypass", unit: .toggle, range: 0...1, default: 0)
  /// Of both inputs, in hertz.
  private let sampleRate: Double
  private let slot = KernelSlot<AudioFormat>()

  /// - Parameters:
  ///   - mix: at first, in percent.
  ///   - sampleRate: of the dry sound, in hertz. An effect that gives another rate is converted.
  package init(name: String = "dry and wet", mix: Float = 100, sampleRate: Double) {
    self.name = name
    self.mix = Parameter(ramped: "mix", unit: .percent, range: 0...100, default: mix)
    self.sampleRate = sampleRate
  }

  package var parameters: [Parameter] { [mix, bypass] }

  package func inputFormat(bus: Int, offered: AudioFormat, sampleRate: Double) -> AudioFormat {
    AudioFormat(sampleRate: self.sampleRate, channelCount: min(offered.channelCount, 2))
  }

  /// Stereo where either is, or nothing is connected.
  package func outputFormats(inputs: [AudioFormat?], sampleRate: Double) -> [AudioFormat] {
    [AudioFormat(sampleRate: self.sampleRate, channelCount: inputs.compactMap { $0?.channelCount }.max() ?? 2)]
  }

  package func kernel(for formats: BusFormats) -> Kernel {
    let format = formats.outputs[0]
    return slot.kernel(for: format) {
      Kernel(
        DryWetKernel(self, sampleRate: format.sampleRate), retaining: parameters, entry: DryWetKernel.entry)
    }
  }

  package func reset() { slot.reset() }
}

private struct DryWetKernel: ~Copyable {
  private let mix: ParameterReader
  private let bypass: ParameterReader
  private var mixRamp = Ramp()
  private var bypassRamp = Ramp()
  private let rampBlocks: Int
  /// Shares of the wet sound, and how far it is bypassed.
  private let curves = CurveMemory(curveCount: 2)

  init(_ node: DryWetNode, sampleRate: Double) {
    (mix, bypass) = (node.mix.reader, node.bypass.reader)
    rampBlocks = levelRampBlocks(sampleRate: sampleRate)
  }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: DryWetKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let (dry, wet, output) = (context.input(0), context.input(1), context.output(0))
    if dry.isSilent, wet.isSilent {
      // What is silent cannot click: the next sound finds everything as it is set then.
      (mixRamp, bypassRamp) = (Ramp(), Ramp())
      return output.silence()
    }
    let (mixStart, bypassStart) = (mixRamp.value, bypassRamp.value)
    mixRamp.draw(curves[0], toward: mix, blocks: rampBlocks, context)
    bypassRamp.draw(curves[1], toward: bypass, blocks: rampBlocks, context)
    if !context.hasChanges, mixRamp.value == mixStart, bypassRamp.value == bypassStart {
      if bypassStart == 1 || mixStart == 0 { return pass(dry, to: output) }
      if bypassStart == 0, mixStart == 1 { return pass(wet, to: output) }
    }
    for frame in 0..<renderQuantum { curves[0][frame] *= 1 - curves[1][frame] }
    for channel in 0..<output.channelCount {
      let (dry, wet, target) = (Self.side(channel, of: dry), Self.side(channel, of: wet), output[channel])
      // Where both are the same, so is the mix, bit for bit.
      for frame in 0..<renderQuantum { target[frame] = dry[frame] + (wet[frame] - dry[frame]) * curves[0][frame] }
    }
  }

  @_noLocks
  private func pass(_ input: Bus, to output: Bus) {
    if input.isSilent { return output.silence() }
    for channel in 0..<output.channelCount {
      copySamples(from: Self.side(channel, of: input), to: output[channel], count: renderQuantum)
    }
  }

  /// Mono is on both sides; where nothing is connected, the shared silence serves as both.
  @_noLocks
  @inline(__always)
  private static func side(_ channel: Int, of bus: Bus) -> UnsafeMutablePointer<Float> {
    bus[min(channel, max(0, bus.channelCount &- 1))]
  }
}
