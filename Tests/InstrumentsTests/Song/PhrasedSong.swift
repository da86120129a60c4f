import TestSupport

/// A song with phrases of notes and controls of every kind, and silence between them.
struct PhrasedSong {
  private var events: [UInt8] = []
  private var wait = 0
  private var random: SplitMix64

  var file: [UInt8] { smf(format: 0, tracks: [events + end(after: wait)]) }

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    for phrase in 0..<12 {
      if phrase % 4 == 1 { addSystemExclusive() }
      for _ in 0..<30 {
        addControl()
        wait += random.next(below: 6)
      }
      var held: [(UInt8, UInt8)] = []
      for _ in 0..<12 {
        let (channel, key) = (byte(below: 16), 36 + byte(below: 60))
        add([0x90 | channel, key, 1 + byte(below: 127)])
        held.append((channel, key))
        wait += random.next(below: 40)
        if random.next(below: 3) == 0 { addControl() }
      }
      for (channel, key) in held { add([0x80 | channel, key, 64]) }
      for channel in 0..<16 as Range<UInt8> {
        for pedal in [64, 66] as [UInt8] { add([0xB0 | channel, pedal, 0]) }
        // What is still ringing ends here.
        wait += channel == 15 ? 480 : 0
      }
      for channel in 0..<16 as Range<UInt8> { add([0xB0 | channel, 120, 0]) }
      wait += 480 + random.next(below: 480)
    }
  }

  private mutating func byte(below bound: Int = 128) -> UInt8 { UInt8(random.next(below: bound)) }

  private mutating func add(_ message: [UInt8]) {
    events += vlq(wait) + message
    wait = 0
  }

  private mutating func addControl() {
    let channel = byte(below: 16)
    switch random.next(below: 12) {
    case 0: add([0xE0 | channel, byte(), byte()])
    case 1: add([0xD0 | channel, byte()])
    case 2: add([0xA0 | channel, byte(), byte()])
    case 3: add([0xC0 | channel, byte()])
    case 4: for message in [[0xB0 | channel, 0, byte(below: 9)], [0xC0 | channel, byte()]] { add(message) }
    case 5:
      // Registered parameters: bend range, tunings, modulation depth; and none.
      add([0xB0 | channel, 101, 0])
      add([0xB0 | channel, 100, byte(below: 6)])
      add([0xB0 | channel, 6, byte(below: 4) + (random.next(below: 2) == 0 ? 0 : 62)])
      if random.next(below: 2) == 0 { add([0xB0 | channel, 96 + byte(below: 2), 1]) }
      if random.next(below: 2) == 0 { add([0xB0 | channel, 38, byte()]) }
    case 6:
      // SoundFont generators.
      add([0xB0 | channel, 99, 120])
      add([0xB0 | channel, 98, byte(below: 60)])
      add([0xB0 | channel, 38, byte()])
      add([0xB0 | channel, 6, 60 + byte(below: 8)])
    case 7: add([0xB0 | channel, 64 + byte(below: 4) & 2, byte()])
    case 8: add([0xB0 | channel, 121, 0])
    case 9: add([0xB0 | channel, [7, 10, 11, 1][random.next(below: 4)], 40 + byte(below: 88)])
    default:
      let controller = byte(below: 120)
      // Parameters and banks come above; glides begin at the key before, which is not chased.
      let isPlain = ![0, 6, 32, 38, 65, 84].contains(controller) && !(96...101).contains(controller)
      if isPlain { add([0xB0 | channel, controller, byte()]) }
    }
  }

  private mutating func addSystemExclusive() {
    let messages: [[UInt8]] = [
      [0x7E, 0x7F, 0x09, 0x01], [0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x7F, 0x00, 0x41],
      [0x43, 0x10, 0x4C, 0x00, 0x00, 0x7E, 0x00], [0x41, 0x10, 0x42, 0x12, 0x40, 0x16, 0x15, 0x02, 0x13],
      [0x41, 0x10, 0x42, 0x12, 0x40, 0x11, 0x15, 0x00, 0x1A],
      // Single note tuning change: key 60 of program 0 a quarter tone higher.
      [0x7F, 0x7F, 0x08, 0x02, 0, 1, 60, 60, 0x40, 0],
    ]
    let message = messages[random.next(below: messages.count)]
    add([0xF0, UInt8(message.count + 1)] + message + [0xF7])
  }
}
