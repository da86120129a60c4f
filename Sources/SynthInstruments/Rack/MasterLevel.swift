import AudioGraph
import SynthDSP
import SynthRealtime

/// Volume and balance of all channels, as System Exclusive sets them, on the buses of the instruments. [audio thread]
///
/// Volumes are squares, as channel volume is: 40·log₁₀ of their share in dB. Balance turns down the other side.
/// Sources: General MIDI 2, "Master Volume"; SC-88Pro owner's manual, 40 00 04 and 40 00 06; XG Specifications 1.26,
/// 00 00 04 and 00 00 05.
struct MasterLevel: BitwiseCopyable {
  private var volume: Float = 1
  private var attenuation: Float = 1
  /// −1 left, 1 right.
  private var balance: Float = 0
  private var left = Ramp()
  private var right = Ramp()
  private let rampBlocks: Int

  init(sampleRate: Double) { rampBlocks = levelRampBlocks(sampleRate: sampleRate) }

  /// Follows a message; others are ignored.
  @_noLocks
  mutating func follow(_ systemExclusive: SystemExclusive) {
    switch systemExclusive {
    case .master(.volume(let value)): volume = square(Float(value) / 16383)
    case .master(.balance(let value)): balance = max(-1, (Float(value) - 8192) / 8191)
    case .parts(let message): if let data = message.data { set(data) }
    case .parameters(let data): set(data)
    case .reset: (volume, attenuation, balance) = (1, 1, 0)
    case .part, .tuning, .effects, .keyBased, .other: break
    }
  }

  /// Takes everything to its initial value at once: nothing sounds.
  @_noLocks
  mutating func reset() {
    (volume, attenuation, balance) = (1, 1, 0)
    (left, right) = (Ramp(), Ramp())
  }

  @_noLocks
  private mutating func set(_ data: ParameterData) {
    for index in 0..<data.count { _ = follow(data, at: index) }
  }

  /// Follows one of the parameters; false for one that is not the master's.
  @_noLocks
  mutating func follow(_ data: ParameterData, at index: Int) -> Bool {
    let value = Float(data.value(index) & 0x7F)
    switch (data.model, data.address(of: index)) {
    case (.gs, 0x40_00_04), (.xg, 0x00_00_04): volume = square(value / 127)
    case (.gs, 0x40_00_06): balance = max(-1, (value - 64) / 63)
    case (.xg, 0x00_00_05): attenuation = square(1 - value / 127)
    default: return false
    }
    return true
  }

  @_noLocks
  private func square(_ share: Float) -> Float { share * share }

  /// Scales the buses of a quantum.
  @_noLocks
  mutating func apply(to context: RenderContext) {
    let level = volume * attenuation
    let left = left.next(toward: level * min(1, 1 - balance), blocks: rampBlocks, blockSize: renderQuantum)
    let right = right.next(toward: level * min(1, 1 + balance), blocks: rampBlocks, blockSize: renderQuantum)
    guard left.start != 1 || right.start != 1 || left.step != 0 || right.step != 0 else { return }
    for channel in 0..<context.outputBusCount where !context.output(channel).isSilent {
      let bus = context.output(channel)
      _ = scaleBlock(bus[0], into: bus[0], gain: left, count: renderQuantum)
      _ = scaleBlock(bus[1], into: bus[1], gain: right, count: renderQuantum)
      guard let corrections = bus.sendCorrections else { continue }
      for row in 0..<Bus.correctionRowCount {
        let samples = corrections + row &* renderQuantum
        _ = scaleBlock(samples, into: samples, gain: row % 2 == 0 ? left : right, count: renderQuantum)
      }
    }
  }
}
