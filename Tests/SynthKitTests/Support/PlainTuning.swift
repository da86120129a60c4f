/// The registered parameters of a channel that tune it, as General MIDI 2 has them, and which one data entry is for.
struct PlainTuning {
  private enum Selection { case none, registered, assignable }

  private var selection = Selection.none
  private var number: UInt16 = 0x3FFF
  /// Semitones and cents of the bend range, fine and coarse tuning; seven bits and seven bits.
  private var values: [UInt16] = [2 << 7, 0x2000, 0x2000]
  /// What NRPN 120 has set FluidSynth's fine tuning to, and what it was set to last.
  private var told: Float = 0
  private var sent: Float = 0

  var range: UInt16 { values[0] }

  /// In semitones.
  ///
  /// - Parameter bend: −1 to 1.
  func semitones(bend: Float) -> Float {
    let range = Float(values[0] >> 7) + Float(values[0] & 127) / 100
    return bend * range + (Float(values[1]) / 8192 + Float(values[2] >> 7) - 65)
  }

  /// FluidSynth has followed data entry.
  mutating func noteGenerator(_ value: Float) { if value != sent { told = value } }

  mutating func setGenerator(adding cents: Float) -> Float {
    sent = told + cents
    return sent
  }

  /// Follows a controller.
  ///
  /// - Returns: whether it is data of a registered parameter, which FluidSynth is not to see.
  mutating func follow(_ controller: Int32, _ value: UInt16) -> Bool {
    switch controller {
    case 98, 99: selection = .assignable
    case 100: select(number & 0x3F80 | value)
    case 101: select(number & 127 | value << 7)
    case 6, 38, 96, 97:
      guard selection != .assignable else { return false }
      if selection == .registered, number < 3 { enter(controller, value) }
      return true
    case 121: (selection, number, told) = (.none, 0x3FFF, 0)
    default: break
    }
    return false
  }

  private mutating func select(_ parameter: UInt16) { (selection, number) = (.registered, parameter) }

  private mutating func enter(_ controller: Int32, _ value: UInt16) {
    let (place, old) = (Int(number), values[Int(number)])
    switch controller {
    case 6: values[place] = value << 7
    case 38: values[place] = old & 0x3F80 | value
    default:
      let step = (controller == 96 ? 1 : -1) * (place == 2 ? 128 : 1)
      let cents = place == 0 ? Int(old >> 7) * 100 + Int(old & 127) : Int(old)
      let new = min(max(cents + step, 0), place == 0 ? 12700 : place == 1 ? 0x3FFF : 0x3F80)
      values[place] = place == 0 ? UInt16(new / 100) << 7 | UInt16(new % 100) : UInt16(new)
    }
  }
}
