/// A song of phrases with silence between them, before each of which parts are told things by System Exclusive
/// messages, NRPN and controllers: those of GS, XG and General MIDI 2 that set one part or all.
///
/// Left out is what depends on notes that were played before: places at random, glides, pedals.
public struct PartSong {
  private var events: [UInt8] = []
  /// Ticks until the next event, at 480 in half a second.
  private var wait = 0
  private var random: SplitMix64

  /// Its bytes.
  public var file: [UInt8] { smf(format: 0, tracks: [events + end(after: wait)]) }

  /// - Parameter closes: whether parts are told to receive other channels, or not to receive kinds of messages.
  public init(seed: UInt64, closes: Bool = true) {
    random = SplitMix64(seed: seed)
    for phrase in 0..<14 {
      if phrase % 5 == 3 { addReset() }
      for _ in 0..<12 {
        addSetting(closes: closes)
        addControl()
      }
      addNotes()
    }
  }

  private mutating func addNotes() {
    var held: [(UInt8, UInt8)] = []
    for index in 0..<12 {
      let (channel, key) = (index < 2 ? 9 : byte(below: 6), 36 + byte(below: 48))
      add([0x90 | channel, key, 40 + byte(below: 88)])
      held.append((channel, key))
      wait += random.next(below: 30)
      if index % 3 == 0 { addControl() }
    }
    for (channel, key) in held { add([0x80 | channel, key, 64]) }
    wait += 240
    for channel in 0..<16 as Range<UInt8> { add([0xB0 | channel, 120, 0]) }
    wait += 300
  }

  private mutating func byte(below bound: Int = 128) -> UInt8 { UInt8(random.next(below: bound)) }

  private mutating func add(_ message: [UInt8]) {
    events += vlq(wait) + message
    wait = 0
  }

  private mutating func addExclusive(_ payload: [UInt8]) { add([0xF0] + vlq(payload.count + 1) + payload + [0xF7]) }

  private mutating func addGS(_ body: UInt8...) {
    let sum = body.reduce(0) { $0 + Int($1) }
    addExclusive([0x41, 0x10, 0x42, 0x12] + body + [UInt8((128 - sum % 128) % 128)])
  }

  private mutating func addXG(_ body: UInt8...) { addExclusive([0x43, 0x10, 0x4C] + body) }

  private mutating func addReset() {
    switch random.next(below: 4) {
    case 0: addGS(0x40, 0, 0x7F, 0)
    case 1: addXG(0, 0, 0x7E, 0)
    case 2: addExclusive([0x7E, 0x7F, 9, 3])
    default: addExclusive([0x7E, 0x7F, 9, 1])
    }
  }

  private mutating func addSetting(closes: Bool) {
    let part = byte(below: 6)
    switch random.next(below: 12) {
    case 0...3: addGSPart(part, closes: closes)
    case 4: addGS(0x40, 0x20 | part, byte(below: 6) << 4 | byte(below: 11), 40 + byte(below: 48))
    case 5: addGS(0x40, 0, 5, 0x34 + byte(below: 24))
    case 6...8: addXGPart(part, closes: closes)
    case 9: addXG(0, 0, 6, 0x34 + byte(below: 24))
    case 10:
      addExclusive([0x7F, 0x7F, 9, 1 + byte(below: 2), part, byte(below: 6), 40 + byte(below: 48)])
      addExclusive([0x7F, 0x7F, 9, 3, part, 1 + byte(below: 30), byte(below: 6), 40 + byte(below: 48)])
    default: addExclusive([0x7F, 0x7F, 4, 3 + byte(below: 2), 0, 0x38 + byte(below: 16)])
    }
    // A drum key: its level, pitch, place and sends.
    addGS(0x41, [1, 2, 4, 5, 6, 9][random.next(below: 6)], 36 + byte(below: 48), 1 + byte(below: 126))
  }

  private mutating func addGSPart(_ part: UInt8, closes: Bool) {
    let address = byte(below: 0x4C)
    switch address {
    // Where it listens; mono and key ranges would leave little to be heard.
    case 0x02: if closes { addGS(0x40, 0x10 | part, address, byte(below: 7)) }
    case 0x03...0x12, 0x23, 0x24: if closes { addGS(0x40, 0x10 | part, address, byte(below: 2)) }
    case 0x13, 0x1D, 0x1E: addGS(0x40, 0x10 | part, 0x16, 0x34 + byte(below: 24))
    case 0x15: addGS(0x40, 0x10 | part, address, byte(below: 3))
    case 0x17, 0x2A: addGS(0x40, 0x10 | part, address, byte(below: 16), byte(below: 16))
    default: addGS(0x40, 0x10 | part, address, 16 + byte(below: 100))
    }
  }

  private mutating func addXGPart(_ part: UInt8, closes: Bool) {
    let address = byte(below: 0x67)
    switch address {
    case 0x04: if closes { addXG(8, part, address, byte(below: 7)) }
    case 0x30...0x40: if closes { addXG(8, part, address, byte(below: 2)) }
    case 0x05, 0x0F, 0x10: addXG(8, part, 0x08, 0x34 + byte(below: 24))
    case 0x07: addXG(8, part, address, byte(below: 4))
    case 0x09: addXG(8, part, address, byte(below: 16), byte(below: 16))
    default: addXG(8, part, address, 16 + byte(below: 100))
    }
  }

  private mutating func addControl() {
    let channel = byte(below: 6)
    switch random.next(below: 7) {
    case 0: add([0xE0 | channel, byte(), byte()])
    case 1: add([0xD0 | channel, byte()])
    case 2: add([0xA0 | channel, 36 + byte(below: 48), byte()])
    case 3:
      add([0xB0 | channel, 0, byte(below: 9)])
      add([0xC0 | channel, byte()])
    case 4:
      let parameters: [UInt8] = [0x08, 0x09, 0x0A, 0x20, 0x21, 0x63, 0x64, 0x66]
      add([0xB0 | channel, 99, 1])
      add([0xB0 | channel, 98, parameters[random.next(below: 8)]])
      add([0xB0 | channel, 6, 30 + byte(below: 70)])
    case 5: add([0xB0 | channel, 71 + byte(below: 8), byte()])
    default: add([0xB0 | channel, [1, 7, 10, 11, 16, 17, 67, 121][random.next(below: 8)], 30 + byte(below: 98)])
    }
  }
}
