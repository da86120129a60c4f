import SynthMIDI
import SynthSoundFonts

/// What the sources of a voice's modulators read. [audio thread]
struct ModulatorInputs {
  let performance: UnsafePointer<Performance>
  let conversions: Conversions
  let channel: UInt8
  /// The note's, for its pressure.
  let key: UInt8
  /// What modulators take for the key and the velocity, 0 to 127: a zone may override the note's.
  let sourceKey: Double
  let sourceVelocity: Double

  @_noLocks
  init(_ voice: borrowing SampleVoice, _ context: VoiceContext) {
    performance = context.performance
    conversions = context.conversions
    channel = voice.channel
    key = voice.key
    sourceKey = voice.sourceKey
    sourceVelocity = voice.sourceVelocity
  }

  /// A modulator's output, in the unit of its destination.
  ///
  /// - Parameter linked: the sum of the outputs that are linked to it.
  @_noLocks
  func output(_ modulator: ZoneModulator, linked: Double) -> Double {
    if turnsFilterByVelocity(modulator) { return 0 }
    guard modulator.source.rawValue & 0xFF != 0 else { return 0 }
    let first = isLink(modulator.source) ? linked : mapped(modulator.source)
    if first == 0 { return 0 }
    let second = modulator.amountSource.rawValue & 0xFF == 0 ? 1 : mapped(modulator.amountSource)
    let product = Double(modulator.amount) * first * second
    return modulator.isAbsolute ? abs(product) : product
  }

  /// Whether it is the one by which velocity would move the filter: FluidSynth computes none, because section 8.4.2
  /// lets the filter jump at velocity 64.
  @_noLocks
  private func turnsFilterByVelocity(_ modulator: ZoneModulator) -> Bool {
    modulator.destination == 8 && modulator.source.rawValue == 0x0102 && modulator.amountSource.rawValue == 0x0C02
  }

  @_noLocks
  private func isLink(_ source: ModulatorSource) -> Bool { source.rawValue & 0xFF == 127 }

  /// 0 to 1, or −1 to 1 for a bipolar source. The range is 128, so that 64 is the middle; source: section 9.5.3.
  @_noLocks
  private func mapped(_ source: ModulatorSource) -> Double {
    let value = share(source)
    guard value >= 0 else { return 0 }
    let isNegative = source.rawValue & 0x100 != 0
    let curve = source.rawValue >> 10 & 3
    if source.rawValue & 0x200 == 0 {
      if curve == 3 { return (value >= 0.5) != isNegative ? 1 : 0 }
      return shaped(isNegative ? 1 - value : value, curve)
    }
    if curve == 0 { return isNegative ? 1 - 2 * value : 2 * value - 1 }
    let isUpper = curve == 3 ? value >= 0.5 : value > 0.5
    let distance = value > 0.5 ? 2 * value - 1 : 1 - 2 * value
    let amount = curve == 3 ? 1 : shaped(distance, curve)
    return isUpper != isNegative ? amount : -amount
  }

  @_noLocks
  private func shaped(_ value: Double, _ curve: UInt16) -> Double {
    switch curve {
    case 1: conversions.concave(127 * value)
    case 2: conversions.convex(127 * value)
    default: value
    }
  }

  /// What a source has, 0 to 1; −1 for one that does not exist.
  @_noLocks
  private func share(_ source: ModulatorSource) -> Double {
    let index = UInt8(truncatingIfNeeded: source.rawValue & 0x7F)
    if source.rawValue & 0x80 != 0 { return sevenBits(performance.pointee.controller(index, channel)) / 128 }
    switch index {
    case 0: return 1
    case 2: return sourceVelocity / 128
    case 3: return sourceKey / 128
    case 10: return sevenBits(performance.pointee.keyPressure(key, channel)) / 128
    case 13: return sevenBits(performance.pointee.channelPressure(channel)) / 128
    case 14: return bend14(performance.pointee.channels[Int(channel)].bend) / 16384
    case 16: return Double(performance.pointee.channels[Int(channel)].parameters.bendRange) / 128
    default: return -1
    }
  }
}

/// A value of 32 bits on the scale of seven, 0 to 127. What was widened from seven bits comes back as it was.
@_noLocks
func sevenBits(_ value: UInt32) -> Double { sevenBits(value, tolerance: 1e-4) }

/// The same for a velocity of 16 bits.
@_noLocks
func sevenBits(_ velocity: UInt16) -> Double {
  sevenBits(UInt32(velocity) << 16 | UInt32(velocity), tolerance: 2e-3)
}

@_noLocks
private func sevenBits(_ value: UInt32, tolerance: Double) -> Double {
  let centre: UInt32 = 0x8000_0000
  let exact =
    value <= centre
    ? Double(value) / 33_554_432
    : 64 + Double(value &- centre) * 63 / 2_147_483_647
  let whole = Double(Int32(exact + 0.5))
  return abs(exact - whole) < tolerance ? whole : exact
}

/// A bend from −1 to 1 on the scale of 14 bits, 0 to 16383. What was widened from these comes back as it was.
@_noLocks
private func bend14(_ bend: Float) -> Double {
  let exact = 8192 + Double(bend) * (bend < 0 ? 8192 : 8191)
  let whole = Double(Int32(exact + 0.5))
  return abs(exact - whole) < 0.01 ? whole : exact
}
