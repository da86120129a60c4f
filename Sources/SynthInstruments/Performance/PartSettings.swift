import SynthMIDI

/// The tables of GS, XG and General MIDI 2: what an address sets, and in which unit. [any thread]
enum PartSettings {
  typealias Reading = PartMessage.Reading

  // MARK: - GS

  /// Source: Roland SC-88Pro owner's manual, "Parameter address map", 40 00 xx, 40 1x xx and 40 2x xx.
  @_noLocks
  static func gs(block: UInt8, _ address: UInt8, _ data: UnsafePointer<UInt8>, _ left: Int) -> Reading {
    switch block {
    case 0: gsSystem(address, data, left)
    case 1: gsPart(address, data, left)
    default:
      if let source = ControllerRoutes.Source(place: address >> 4) {
        gsRoute(source, address & 15, data[0])
      } else {
        Reading(nil)
      }
    }
  }

  @_noLocks
  private static func gsSystem(_ address: UInt8, _ data: UnsafePointer<UInt8>, _ left: Int) -> Reading {
    switch address {
    case 0x00 where left >= 4: Reading(.masterTuning(min(max(tuning(data), -1), 1)), size: 4)
    case 0x05: Reading(.masterKeyShift(shift(data[0])))
    default: Reading(nil)
    }
  }

  @_noLocks
  private static func gsPart(_ address: UInt8, _ data: UnsafePointer<UInt8>, _ left: Int) -> Reading {
    let value = data[0] & 127
    switch address {
    case 0x00: return Reading(.control(.bankSelect, value))
    case 0x01: return Reading(.program(value))
    case 0x02: return Reading(.receiveChannel(value < 16 ? value : nil))
    case 0x03...0x12: return receives(address &- 0x03, value)
    case 0x13: return mode(isMono: value == 0)
    case 0x14: return Reading(.assignMode(value == 0 ? .single : value == 1 ? .limited : .multi))
    case 0x15: return Reading(value <= 2 ? .drums(setup: value == 0 ? nil : value &- 1, .gs) : nil)
    case 0x16: return Reading(.keyShift(shift(value)))
    case 0x17: return left < 2 ? Reading(nil) : Reading(.detune(hertz(data)), size: 2)
    case 0x19: return Reading(.control(.volume, value))
    case 0x1A: return Reading(.velocityDepth(value))
    case 0x1B: return Reading(.velocityOffset(value))
    case 0x1C: return pan(value)
    case 0x1D: return Reading(.lowestKey(value))
    case 0x1E: return Reading(.highestKey(value))
    case 0x1F: return Reading(.assign(.first, value))
    case 0x20: return Reading(.assign(.second, value))
    case 0x21: return Reading(.control(.chorusSend, value))
    case 0x22: return Reading(.control(.reverbSend, value))
    case 0x23: return receives(16, value)
    case 0x24: return receives(17, value)
    case 0x2A:
      return left < 2 ? Reading(nil) : Reading(.registered(1, UInt16(value) << 7 | UInt16(data[1] & 127)), size: 2)
    case 0x2C: return Reading(.control(Controller(rawValue: 94), value))
    case 0x30...0x37: return Reading(offset(gsOffsets(address &- 0x30), min(max(value, 0x0E), 0x72)))
    case 0x40...0x4B: return Reading(.scale(address &- 0x40, cents(value)))
    default: return Reading(nil)
    }
  }

  @_noLocks
  private static func gsOffsets(_ place: UInt8) -> Controller {
    switch place {
    case 0: .vibratoRate
    case 1: .vibratoDepth
    case 2: .brightness
    case 3: .resonance
    case 4: .attackTime
    case 5: .decayTime
    case 6: .releaseTime
    default: .vibratoDelay
    }
  }

  /// The LFOs' rates, and the second LFO, have no counterpart here.
  @_noLocks
  private static func gsRoute(_ source: ControllerRoutes.Source, _ place: UInt8, _ value: UInt8) -> Reading {
    switch place {
    case 0: route(source, .pitch, value)
    case 1: route(source, .cutoff, value)
    case 2: route(source, .amplitude, value)
    case 4: route(source, .vibrato, value)
    case 5: route(source, .filterSwing, value)
    case 6: route(source, .tremolo, value)
    default: Reading(nil)
    }
  }

  // MARK: - XG

  /// Source: Yamaha XG specification 1.26, "XG parameter change tables", 00 00 xx and 08 nn xx.
  @_noLocks
  static func xg(isPart: Bool, _ address: UInt8, _ data: UnsafePointer<UInt8>, _ left: Int) -> Reading {
    if isPart { return xgPart(address, data, left) }
    switch address {
    case 0x00 where left >= 4: return Reading(.masterTuning(min(max(tuning(data), -1.024), 1.023)), size: 4)
    case 0x06: return Reading(.masterKeyShift(shift(data[0])))
    default: return Reading(nil)
    }
  }

  @_noLocks
  private static func xgPart(_ address: UInt8, _ data: UnsafePointer<UInt8>, _ left: Int) -> Reading {
    let value = data[0] & 127
    switch address {
    case 0x01: return Reading(.control(.bankSelect, value))
    case 0x02: return Reading(.control(.bankSelectLSB, value))
    case 0x03: return Reading(.program(value))
    case 0x04: return Reading(.receiveChannel(value < 16 ? value : nil))
    case 0x05: return mode(isMono: value == 0)
    // 2 leaves it to the keys of drums.
    case 0x06: return Reading(.assignMode(value == 0 ? .single : value == 1 ? .multi : .limited))
    // 1 is drums, 2 to 5 the setups.
    case 0x07: return Reading(value <= 5 ? .drums(setup: value == 0 ? nil : max(value, 2) &- 2, .xg) : nil)
    case 0x08: return Reading(.keyShift(shift(value)))
    case 0x09: return left < 2 ? Reading(nil) : Reading(.detune(hertz(data)), size: 2)
    case 0x0B: return Reading(.control(.volume, value))
    case 0x0C: return Reading(.velocityDepth(value))
    case 0x0D: return Reading(.velocityOffset(value))
    case 0x0E: return pan(value)
    case 0x0F: return Reading(.lowestKey(value))
    case 0x10: return Reading(.highestKey(value))
    case 0x12: return Reading(.control(.chorusSend, value))
    case 0x13: return Reading(.control(.reverbSend, value))
    case 0x14: return Reading(.control(Controller(rawValue: 94), value))
    case 0x15...0x1C: return Reading(offset(xgOffsets(address &- 0x15), value))
    case 0x30...0x40: return receives(address &- 0x30, value)
    case 0x41...0x4C: return Reading(.scale(address &- 0x41, cents(value)))
    case 0x67: return Reading(.control(.portamento, value == 0 ? 0 : 127))
    case 0x68: return Reading(.control(.portamentoTime, value))
    default: return xgRoute(address, value)
    }
  }

  @_noLocks
  private static func xgOffsets(_ place: UInt8) -> Controller {
    switch place {
    case 0: .vibratoRate
    case 1: .vibratoDepth
    case 2: .vibratoDelay
    case 3: .brightness
    case 4: .resonance
    case 5: .attackTime
    case 6: .decayTime
    default: .releaseTime
    }
  }

  /// Six addresses of each source, in one order.
  @_noLocks
  private static func xgRoute(_ address: UInt8, _ value: UInt8) -> Reading {
    switch address {
    case 0x1D...0x22: return xgRoute(.modulation, address &- 0x1D, value)
    case 0x23...0x28: return xgRoute(.bend, address &- 0x23, value)
    case 0x4D...0x52: return xgRoute(.channelPressure, address &- 0x4D, value)
    case 0x53...0x58: return xgRoute(.keyPressure, address &- 0x53, value)
    case 0x59: return Reading(.assign(.first, value))
    case 0x5A...0x5F: return xgRoute(.first, address &- 0x5A, value)
    case 0x60: return Reading(.assign(.second, value))
    case 0x61...0x66: return xgRoute(.second, address &- 0x61, value)
    default: return Reading(nil)
    }
  }

  @_noLocks
  private static func xgRoute(_ source: ControllerRoutes.Source, _ place: UInt8, _ value: UInt8) -> Reading {
    guard let target = ControllerRoutes.Target(place: place) else { return Reading(nil) }
    return route(source, target, value)
  }

  // MARK: - General MIDI 2

  /// Master fine and coarse tuning. Source: MMA CA-025.
  @_noLocks
  static func masterTuning(isCoarse: Bool, _ data: UnsafePointer<UInt8>, _ left: Int) -> Reading {
    guard left >= 2 else { return Reading(nil, size: left) }
    if isCoarse { return Reading(.masterKeyShift(Int8(data[1] & 127) &- 64), size: 2) }
    return Reading(.masterTuning(Float(Int32(data[1] & 127) << 7 | Int32(data[0] & 127)) / 8192 - 1), size: 2)
  }

  /// A pair of 09 01, 09 02 and 09 03. The amplitude's range is 0 to 200 %, 64 leaves it as it is.
  @_noLocks
  static func destination(_ source: ControllerRoutes.Source, _ data: UnsafePointer<UInt8>, _ left: Int) -> Reading {
    guard left >= 2, let target = ControllerRoutes.Target(place: data[0]) else { return Reading(nil, size: 2) }
    return Reading(route(source, target, data[1]).setting, size: 2)
  }

  // MARK: - Units

  /// What a source moves a target by, where it is at its end. The wheel's bend range is RPN 0, and the vibrato of the
  /// modulation wheel RPN 5.
  @_noLocks
  private static func route(
    _ source: ControllerRoutes.Source, _ target: ControllerRoutes.Target, _ value: UInt8
  ) -> Reading {
    let value = value & 127
    let amount = target.amount(value)
    switch (source, target) {
    case (.bend, .pitch): return Reading(.registered(0, UInt16(max(shift(value), 0)) << 7))
    case (.modulation, .vibrato): return Reading(.registered(5, UInt16(amount * 1.28 + 0.5)))
    default: return Reading(.route(source, target, amount))
    }
  }

  @_noLocks
  private static func receives(_ place: UInt8, _ value: UInt8) -> Reading {
    Reading(.receives(place, value != 0))
  }

  @_noLocks
  private static func mode(isMono: Bool) -> Reading { Reading(.control(isMono ? .monoOn : .polyOn, isMono ? 1 : 0)) }

  @_noLocks
  private static func pan(_ value: UInt8) -> Reading { Reading(value == 0 ? .randomPan : .control(.pan, value)) }

  @_noLocks
  private static func offset(_ controller: Controller, _ value: UInt8) -> PartChange.Setting {
    .control(controller, value)
  }

  /// 28 to 58 are −24 to 24 semitones.
  @_noLocks
  private static func shift(_ value: UInt8) -> Int8 { Int8(min(max(Int32(value & 127) &- 64, -24), 24)) }

  /// −64 to 63 cents, in semitones.
  @_noLocks
  private static func cents(_ value: UInt8) -> Float { Float(Int32(value) &- 64) / 100 }

  /// Four nibbles about 0400, in tenths of a cent; in semitones.
  @_noLocks
  private static func tuning(_ data: UnsafePointer<UInt8>) -> Float {
    var value: Int32 = 0
    for index in 0..<4 { value = value << 4 | Int32(data[index] & 15) }
    return Float(value &- 1024) / 1000
  }

  /// Two nibbles about 80, in tenths of a hertz.
  @_noLocks
  private static func hertz(_ data: UnsafePointer<UInt8>) -> Float {
    Float(Int32(data[0] & 15) << 4 | Int32(data[1] & 15)) / 10 - 12.8
  }

  /// The controller that an assignable parameter is the same as. Source: SC-88Pro owner's manual, "NRPN MSB/LSB"; XG
  /// specification 1.26, 3.1.4.
  @_noLocks
  static func controller(ofAssignable parameter: UInt16) -> Controller? {
    guard parameter >> 7 == 1 else { return nil }
    switch parameter & 127 {
    case 0x08: return .vibratoRate
    case 0x09: return .vibratoDepth
    case 0x0A: return .vibratoDelay
    case 0x20: return .brightness
    case 0x21: return .resonance
    case 0x63: return .attackTime
    case 0x64: return .decayTime
    case 0x66: return .releaseTime
    default: return nil
    }
  }
}
