/// A kind of message that songs say more than notes, programs, bends and pressures with: what a person finds in a
/// synthesizer's manual by it.
package enum MessageKind: Hashable, Sendable {
  /// A controller by its number.
  case controller(UInt8)
  /// Polyphonic key pressure.
  case keyPressure
  /// A registered parameter, 14 bits.
  case registered(UInt16)
  /// An assignable parameter, 14 bits.
  case assignable(UInt16)
  /// An address of GS; each byte counts to 127. FF stands for all of a block.
  case gs(UInt32)
  /// An address of XG, likewise.
  case xg(UInt32)
  /// The bytes that tell other System Exclusive messages apart: maker, model, and what it sets of it.
  case exclusive([UInt8])
  /// A message of GS whose checksum is wrong, or that ends before its data.
  case damagedGS

  /// A parameter that GS or XG set, whichever part or key it is for. Names, voice reserves, displays and insertion
  /// effects are one kind each.
  init(_ model: ParameterData.Model, _ address: UInt32) {
    let high = address >> 16
    switch model {
    case .gs where 0x40_01_00..<0x40_01_20 ~= address: self = .gs(address & 0x7F_7F_10)
    case .gs where address >> 8 == 0x40_03: self = .gs(address | 0xFF)
    // Parts stand in the lower half of the second byte, the keys of drum maps in the third.
    case .gs where high == 0x40 && address >> 12 & 0xF > 0: self = .gs(address & 0x7F_F0_7F)
    case .gs where high == 0x50: self = .gs(address & 0x7F_F0_7F)
    case .gs where high == 0x41: self = .gs(address & 0x7F_0F_00)
    // Parts are the second byte; drum setups are the first one, and their keys the second.
    case .xg where high == 0x08: self = .xg(address & 0x7F_00_7F)
    case .xg where high >> 4 == 3: self = .xg(0x30_00_00 | address & 0x7F)
    case .xg where high == 0x03: self = .xg(0x03_00_FF)
    case .xg where high == 0x06 || high == 0x07: self = .xg(high << 16 | 0xFF)
    case .gs: self = .gs(address)
    case .xg: self = .xg(address)
    }
  }

  /// An assignable parameter. The lower byte of those of drum keys is the key, which makes no kind.
  init(assignable parameter: UInt16) {
    let isDrumKey = Self.drumKeys.contains(UInt32(parameter >> 7))
    self = .assignable(isDrumKey ? parameter & 0x3F80 : parameter)
  }

  /// The upper bytes of drum keys' assignable parameters, in XG to that of the treble's frequency.
  private static let drumKeys: ClosedRange<UInt32> = 0x14...0x35

  /// A reset, which is one also where the checksum of GS is wrong.
  init(ofReset payload: UnsafeBufferPointer<UInt8>) {
    func address(at place: Int) -> UInt32 { payload[place..<place + 3].reduce(0) { $0 << 8 | UInt32($1) } }
    switch payload[0] {
    case 0x41: self = .gs(address(at: 4))
    case 0x43: self = .xg(address(at: 3))
    default: self.init(payload)
    }
  }

  /// A System Exclusive message that is read as a whole.
  init(_ payload: some Collection<UInt8>) {
    let bytes = Array(payload.prefix(10))
    func byte(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }
    switch byte(0) {
    // Without the device. What 04 05, 09 and 0A set is told apart by their pairs.
    case 0x7E, 0x7F: self = .exclusive([byte(0), byte(2), byte(3)])
    case 0x41 where byte(2) == 0x42 && byte(3) == 0x12: self = .damagedGS
    // The model, and the first byte of the address, which is the area.
    case 0x41: self = .exclusive([0x41, byte(2), byte(3), byte(4)])
    // The high half of the second byte is the kind of message, 0 a bulk dump, whose length precedes the address.
    case 0x43 where byte(2) == 0x4C:
      let kind = byte(1) & 0x70
      self = .exclusive([0x43, kind, 0x4C, byte(kind == 0 ? 5 : 3)])
    case 0x43: self = .exclusive([0x43, byte(2)])
    case 0 where bytes.count > 2: self = .exclusive(Array(bytes.prefix(3)))
    default: self = .exclusive(Array(bytes.prefix(1)))
    }
  }
}

extension MessageKind: CustomStringConvertible {
  /// "CC 2", "NRPN 01 2A", "GS 40 1x 14", "SysEx of maker 7D", with the name of what is known by one.
  package var description: String {
    switch self {
    case .controller(let number): "CC \(number)"
    case .keyPressure: "key pressure"
    case .registered(let number): "RPN \(hexadecimal(UInt32(number >> 7), UInt32(number & 0x7F)))"
    case .assignable(let number): assignable(UInt32(number >> 7), UInt32(number & 0x7F))
    case .gs(let address): gs(address >> 16, address >> 8 & 0x7F, address & 0xFF)
    case .xg(let address): xg(address >> 16, address >> 8 & 0x7F, address & 0xFF)
    case .exclusive(let bytes): exclusive(bytes)
    case .damagedGS: "GS, damaged"
    }
  }

  private func assignable(_ high: UInt32, _ low: UInt32) -> String {
    Self.drumKeys.contains(high) ? "NRPN \(hexadecimal(high)) rr" : "NRPN \(hexadecimal(high, low))"
  }

  private func gs(_ high: UInt32, _ middle: UInt32, _ low: UInt32) -> String {
    switch high {
    case 0x41: "GS 41 m\(hexadecimal(middle).suffix(1)) rr"
    case 0x40 where middle > 0x0F, 0x50: "GS \(hexadecimal(high)) \(hexadecimal(middle).prefix(1))x \(hexadecimal(low))"
    default: "GS \(hexadecimal(high, middle)) \(lowest(low))"
    }
  }

  private func xg(_ high: UInt32, _ middle: UInt32, _ low: UInt32) -> String {
    switch high {
    case 0x08: "XG 08 nn \(hexadecimal(low))"
    case 0x03: "XG 03 nn xx"
    case 0x30: "XG 3n rr \(hexadecimal(low))"
    default: "XG \(hexadecimal(high, middle)) \(lowest(low))"
    }
  }

  private func lowest(_ byte: UInt32) -> String { byte == 0xFF ? "xx" : hexadecimal(byte) }

  private func exclusive(_ bytes: [UInt8]) -> String {
    let numbers = bytes.map(UInt32.init)
    switch bytes.first {
    case nil: return "SysEx without bytes"
    case 0x7E, 0x7F: return "universal \(hexadecimal(numbers))"
    case 0x41 where bytes.count > 1: return "Roland \(hexadecimal(Array(numbers.dropFirst())))"
    case 0x43 where bytes.count > 3:
      return numbers[1] == 0 ? "XG bulk dump \(hexadecimal(numbers[3]))" : "XG request \(hexadecimal(numbers[3]))"
    case 0x43 where bytes.count > 1: return "Yamaha \(hexadecimal(numbers[1]))"
    default: return "SysEx of maker \(hexadecimal(numbers))"
    }
  }

  private func hexadecimal(_ numbers: UInt32...) -> String { hexadecimal(numbers) }

  private func hexadecimal(_ numbers: [UInt32]) -> String {
    numbers.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: " ")
  }
}
