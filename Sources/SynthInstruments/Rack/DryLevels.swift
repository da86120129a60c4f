import AudioGraph
import SynthDSP
import SynthRealtime

/// XG's dry level: how much of a part is in the mix, while effects get all of it. What the bus is turned down by is
/// added again on the way to each send. [audio thread]
///
/// Source: XG Specifications 1.26, 08 nn 11.
struct DryLevels: BitwiseCopyable {
  private var levels = InlineArray<16, Float>(repeating: 1)
  private var ramps = InlineArray<16, Ramp>(repeating: Ramp())
  /// The channels that are turned down, or on their way, a bit each.
  private var active: UInt16 = 0
  private let rampBlocks: Int

  init(sampleRate: Double) { rampBlocks = levelRampBlocks(sampleRate: sampleRate) }

  /// Takes everything to its initial value at once: nothing sounds.
  @_noLocks
  mutating func reset() {
    levels = InlineArray(repeating: 1)
    active = 0
  }

  /// Follows a message; others are ignored.
  @_noLocks
  mutating func follow(_ systemExclusive: SystemExclusive) {
    switch systemExclusive {
    case .parts(let message): if let data = message.data { set(data) }
    case .parameters(let data): set(data)
    case .reset: levels = InlineArray(repeating: 1)
    case .part, .tuning, .effects, .master, .keyBased, .other: break
    }
  }

  @_noLocks
  private mutating func set(_ data: ParameterData) {
    for index in 0..<data.count { _ = follow(data, at: index) }
  }

  /// Follows one of the parameters; false for one that is no dry level.
  @_noLocks
  mutating func follow(_ data: ParameterData, at index: Int) -> Bool {
    let address = data.address(of: index)
    guard case .xg = data.model, address >> 12 == 0x80, address & 0xFF == 0x11 else { return false }
    let channel = Int(address >> 8 & 15)
    levels[channel] = Float(data.value(index) & 0x7F) / 127
    if active & bit(channel) == 0 { ramps[channel] = Ramp(at: 1) }
    active |= bit(channel)
    return true
  }

  /// Scales the buses of a quantum.
  @_noLocks
  mutating func apply(to context: RenderContext, _ corrections: UnsafeMutablePointer<SendCorrections>) {
    guard active != 0 else { return }
    for channel in 0..<min(midiChannelCount, context.outputBusCount) where active & bit(channel) != 0 {
      // What is silent cannot click: the next sound has the level at once.
      if context.output(channel).isSilent { ramps[channel] = Ramp() }
      let gain = ramps[channel].next(toward: levels[channel], blocks: rampBlocks, blockSize: renderQuantum)
      if levels[channel] == 1, ramps[channel].hasArrived { active &= ~bit(channel) }
      turnDown(context.output(channel), gain, corrections)
    }
  }

  @_noLocks
  private func turnDown(
    _ bus: Bus, _ gain: GainSegment, _ corrections: UnsafeMutablePointer<SendCorrections>
  ) {
    guard !bus.isSilent, let rows = corrections.pointee.corrections(of: bus) else { return }
    let missing = GainSegment(start: 1 - gain.start, step: -gain.step)
    for row in 0..<Bus.correctionRowCount {
      addBlock(bus[row % 2], into: rows + row &* renderQuantum, gain: missing, count: renderQuantum)
    }
    _ = scaleBlock(bus[0], into: bus[0], gain: gain, count: renderQuantum)
    _ = scaleBlock(bus[1], into: bus[1], gain: gain, count: renderQuantum)
  }

  @_noLocks
  private func bit(_ channel: Int) -> UInt16 { 1 &<< UInt16(truncatingIfNeeded: channel) }
}
