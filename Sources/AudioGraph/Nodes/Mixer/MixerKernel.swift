import DSP
import Realtime

/// The mixer's render side.
struct MixerKernel: ~Copyable {
  private let strips: UnsafeMutablePointer<MixerStrip>
  private let stripCount: Int
  private let rampBlocks: Int
  private let outputGain: ParameterReader
  private let outputMeter: MeterWriter
  private var outputRamp = Ramp()

  init(_ node: MixerNode, sampleRate: Double) {
    stripCount = node.inputs.count
    strips = .allocate(capacity: stripCount)
    for (bus, input) in node.inputs.enumerated() {
      (strips + bus).initialize(to: MixerStrip(input, sampleRate: sampleRate))
    }
    rampBlocks = max(1, Int((0.02 * sampleRate / Double(renderQuantum)).rounded(.up)))
    outputGain = node.outputGain.reader
    outputMeter = node.outputMeter.writer(sampleRate: sampleRate)
  }

  deinit { strips.deallocate() }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: MixerKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let mix = context.output(0)
    mix.silence()
    var isSilent = true
    let anySolo = anySolo()
    for bus in 0..<stripCount where (strips + bus).pointee.mix(context.input(bus), into: mix, anySolo, rampBlocks) {
      isSilent = false
    }
    let gain = outputRamp.next(toward: outputGain.renderValue, blocks: rampBlocks, blockSize: renderQuantum)
    mix.isSilent = isSilent
    applyOutputGain(gain, to: mix)
  }

  @_noLocks
  private func anySolo() -> Bool {
    for bus in 0..<stripCount where strips[bus].solo.isOn { return true }
    return false
  }

  @_noLocks
  private func applyOutputGain(_ gain: GainSegment, to mix: Bus) {
    for channel in 0..<2 {
      guard !mix.isSilent else {
        outputMeter.record(.silent, channel: channel)
        continue
      }
      let samples = mix[channel]
      let level = scaleBlock(samples, into: samples, gain: gain, count: renderQuantum)
      outputMeter.record(level, channel: channel)
      if level.peak > 1 { outputMeter.recordClips(clippedCount(samples, count: renderQuantum), channel: channel) }
    }
  }
}
