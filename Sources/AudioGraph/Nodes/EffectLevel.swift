import DSP
import Realtime

/// The level at which a send effect returns, ramped over 20 ms. [audio thread]
struct EffectLevel {
  private let level: ParameterReader
  private let rampBlocks: Int
  private var ramp = Ramp()

  init(_ level: Parameter, sampleRate: Double) {
    self.level = level.reader
    rampBlocks = levelRampBlocks(sampleRate: sampleRate)
  }

  @_noLocks
  mutating func apply(to bus: Bus) {
    let gain = ramp.next(toward: level.renderValue, blocks: rampBlocks, blockSize: renderQuantum)
    guard !bus.isSilent, gain.start != 1 || gain.step != 0 else { return }
    _ = scaleBlock(bus[0], into: bus[0], gain: gain, count: renderQuantum)
    _ = scaleBlock(bus[1], into: bus[1], gain: gain, count: renderQuantum)
  }
}
