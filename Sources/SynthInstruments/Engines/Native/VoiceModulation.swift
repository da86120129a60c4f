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
    let first = isLink(modulator.source) ? linked : mapped(modulator.source)
    if first == 0 { return 0 }
    let product: Double
    if modulator.isPitchBend {
      // The range's own scale ends at 127 semitones, for the amount of 12700 cents: so a full wheel reaches the range.
      let range = Double(performance.pointee.channels[Int(channel)].parameters.bendRange)
      product = Double(modulator.amount) * first * range / 127
    } else {
      product = Double(modulator.amount) * first * mapped(modulator.amountSource)
    }
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

  /// 0 to 1, or −1 to 1 for a bipolar source; 1 for no source.
  ///
  /// A source has 128 values (the wheel 16384), of which 64 is the middle and the last is 127/128, as is that of a
  /// falling or curved source; source: sections 8.4.1 and 9.5.3.
  @_noLocks
  private func mapped(_ source: ModulatorSource) -> Double {
    if source.rawValue & 0xFF == 0 { return 1 }
    let share = share(source)
    guard share >= 0 else { return 0 }
    let highest = source.rawValue & 0xFF == 14 ? 16383.0 / 16384 : 127.0 / 128
    let value = source.rawValue & 0x100 != 0 ? highest - share : share
    let curve = source.rawValue >> 10 & 3
    if source.rawValue & 0x200 == 0 {
      return curve == 3 ? (value >= 0.5 ? 1 : 0) : shaped(value, curve, highest)
    }
    let signed = value == highest ? highest : 2 * value - 1
    if curve == 3 { return signed >= 0 ? 1 : -1 }
    return signed >= 0 ? shaped(signed, curve, highest) : -shaped(-signed, curve, 1)
  }

  @_noLocks
  private func shaped(_ value: Double, _ curve: UInt16, _ highest: Double) -> Double {
    switch curve {
    case 1: min(conversions.concave(128 * value), highest)
    case 2: min(conversions.convex(128 * value), highest)
    default: value
    }
  }

  /// What a source has, 0 to 1; −1 for one that does not exist.
  @_noLocks
  private func share(_ source: ModulatorSource) -> Double {
    let index = UInt8(truncatingIfNeeded: source.rawValue & 0x7F)
    if source.rawValue & 0x80 != 0 { return sevenBits(performance.pointee.controller(index, channel)) / 128 }
    switch index {
    case 2: return sourceVelocity / 128
    case 3: return sourceKey / 128
    case 10: return sevenBits(performance.pointee.keyPressure(key, channel)) / 128
    case 13: return sevenBits(performance.pointee.channelPressure(channel)) / 128
    // Its ends are the ends of the wheel, and its middle the middle.
    case 14: return (1 + Double(performance.pointee.channels[Int(channel)].bend)) / 2
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
