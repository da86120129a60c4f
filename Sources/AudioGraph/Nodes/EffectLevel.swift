import SynthDSP
import SynthRealtime

/// The level at which a send effect returns, times what MIDI makes of it; ramped over 20 ms or as scheduled. [audio
/// thread]
struct EffectLevel: ~Copyable {
  private let level: ParameterReader
  private let share: ParameterReader
  private let rampBlocks: Int
  private var ramp = Ramp()
  private let curves = CurveMemory(curveCount: 1)

  /// - Parameter share: of an amplitude, see `shareParameter`.
  init(_ level: Parameter, share: Parameter, sampleRate: Double) {
    self.level = level.reader
    self.share = share.reader
    rampBlocks = levelRampBlocks(sampleRate: sampleRate)
  }

  /// The parameter that MIDI sets: 1 returns all, 0 nothing, 2 twice as much.
  static func shareParameter() -> Parameter { Parameter("return", unit: .ratio, range: 0...2, default: 1) }

  @_noLocks
  @inline(__always)
  mutating func apply(to bus: Bus, in context: RenderContext) {
    if context.hasChanges, level.follows(context) { return follow(bus, context) }
    let gain = ramp.next(
      toward: level.renderValue * share.renderValue, blocks: rampBlocks, blockSize: renderQuantum)
    guard !bus.isSilent, gain.start != 1 || gain.step != 0 else { return }
    for channel in 0..<bus.channelCount {
      _ = scaleBlock(bus[channel], into: bus[channel], gain: gain, count: renderQuantum)
    }
  }

  @_noLocks
  @inline(never)
  private mutating func follow(_ bus: Bus, _ context: RenderContext) {
    let (start, share) = (level.fill(curves[0], in: context), share.renderValue)
    for frame in 0..<renderQuantum { curves[0][frame] *= share }
    ramp.follow(
      curves[0], from: CurveStart(value: start.value * share, restEnd: start.restEnd), blocks: rampBlocks)
    guard !bus.isSilent else { return }
    for channel in 0..<bus.channelCount {
      scaleBlock(bus[channel], into: bus[channel], gains: curves[0], count: renderQuantum)
    }
  }
}
