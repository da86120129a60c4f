import SynthDSP
import SynthRealtime

/// The level at which a send effect returns, ramped over 20 ms or as scheduled. [audio thread]
struct EffectLevel: ~Copyable {
  private let level: ParameterReader
  private let rampBlocks: Int
  private var ramp = Ramp()
  private let curves = CurveMemory(curveCount: 1)

  init(_ level: Parameter, sampleRate: Double) {
    self.level = level.reader
    rampBlocks = levelRampBlocks(sampleRate: sampleRate)
  }

  @_noLocks
  @inline(__always)
  mutating func apply(to bus: Bus, in context: RenderContext) {
    if context.hasChanges, level.follows(context) { return follow(bus, context) }
    let gain = ramp.next(toward: level.renderValue, blocks: rampBlocks, blockSize: renderQuantum)
    guard !bus.isSilent, gain.start != 1 || gain.step != 0 else { return }
    _ = scaleBlock(bus[0], into: bus[0], gain: gain, count: renderQuantum)
    _ = scaleBlock(bus[1], into: bus[1], gain: gain, count: renderQuantum)
  }

  @_noLocks
  @inline(never)
  private mutating func follow(_ bus: Bus, _ context: RenderContext) {
    ramp.follow(curves[0], from: level.fill(curves[0], in: context), blocks: rampBlocks)
    guard !bus.isSilent else { return }
    for channel in 0..<2 { scaleBlock(bus[channel], into: bus[channel], gains: curves[0], count: renderQuantum) }
  }
}
