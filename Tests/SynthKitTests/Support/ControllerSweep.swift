import SynthMIDI
import TestSupport

/// A song that has nothing but controls: everything FluidSynth acts on, set to all sorts of values under sounding
/// notes.
///
/// What the library has of its own is left out: the vibrato of RPN 5, MPE zones, the banks of XG and General MIDI 2,
/// keys' tunings, the master volume, portamento, and modes for each channel by itself (controllers 124 to
/// 127).
struct ControllerSweep {
  private var events: [UInt8] = []
  /// Ticks until the next event, at 480 in half a second.
  private var wait = 0

  var file: [UInt8] { smf(format: 0, tracks: [events + end(after: wait)]) }

  /// Every control by turns.
  init() {
    for controller in 0..<124 as Range<UInt8> {
      for channel in [2, 9] as [UInt8] {
        strike(on: channel)
        for value in [0, 1, 32, 63, 64, 100, 127] as [UInt8] { add([0xB0 | channel, controller, value], after: 5) }
        add([0xB0 | channel, 121, 0], [0xB0 | channel, 123, 0], after: 7)
        add([0xB0 | channel, 0, 0], [0xB0 | channel, 32, 0], [0xC0 | channel, controller])
      }
    }
    for bend in stride(from: 0, to: 16384, by: 977) {
      strike(on: 1)
      add([0xE1, UInt8(bend & 0x7F), UInt8(bend >> 7)], after: 11)
      add([0xD1, UInt8(bend >> 7)], [0xA1, 60, UInt8(bend >> 7)], after: 11)
    }
    for number in [0, 1, 2, 127] as [UInt8] { parameter(101, 0, number) }
    for number in 0..<60 as Range<UInt8> { parameter(99, 120, number) }
    for bank in [0, 1, 8, 16, 120, 127] as [UInt8] {
      for program in stride(from: 0, to: 128, by: 9) as StrideTo<UInt8> {
        add([0xB4, 0, bank], [0xB4, 32, bank], [0xC4, program])
        strike(on: 4)
        add([0x84, 64, 0], after: 13)
      }
    }
    for message in Self.systemExclusive {
      strike(on: 9)
      add([0xF0, UInt8(message.count + 1)] + message + [0xF7], after: 30)
      strike(on: 5)
    }
  }

  /// Ten seconds of messages of every kind on all channels.
  static func random(seed: UInt64) -> [UInt8] {
    var random = SplitMix64(seed: seed)
    var sweep = ControllerSweep(events: [])
    func byte(below bound: Int = 128) -> UInt8 { UInt8(random.next(below: bound)) }
    for _ in 0..<2000 {
      let channel = byte(below: 16)
      switch random.next(below: 20) {
      case 0..<8: sweep.add([0x90 | channel, byte(), byte()])
      case 8..<12: sweep.add([0x80 | channel, byte(), byte()])
      case 12: sweep.add([0xA0 | channel, byte(), byte()])
      case 13: sweep.add([0xC0 | channel, byte()])
      case 14: sweep.add([0xD0 | channel, byte()])
      case 15: sweep.add([0xE0 | channel, byte(), byte()])
      case 16: sweep.add([0xF0, 5, 0x7E, 0x7F, 0x09, 1, 0xF7])
      default:
        let controller = byte(below: 124)
        // No data entry, and no parameter to enter it for; and no time of glides.
        let isLeftOut = [5, 6, 37, 38].contains(controller) || (96...101).contains(controller)
        sweep.add([0xB0 | channel, isLeftOut ? 7 : controller, byte()])
      }
      sweep.wait += random.next(below: 10)
    }
    return sweep.file
  }

  private init(events: [UInt8]) { self.events = events }

  /// Resets and part modes of GM, GM2, GS and XG, to all devices: those to device 16, which files speak to, FluidSynth
  /// does not hear and the library does.
  private static let systemExclusive: [[UInt8]] = [
    [0x41, 0x7F, 0x42, 0x12, 0x40, 0x16, 0x15, 0x02, 0x13], [0x43, 0x7F, 0x4C, 0x08, 0x05, 0x07, 0x02],
    [0x7E, 0x7F, 0x09, 0x01], [0x7E, 0x7F, 0x09, 0x03],
    [0x41, 0x7F, 0x42, 0x12, 0x40, 0x00, 0x7F, 0x00, 0x41], [0x43, 0x7F, 0x4C, 0x00, 0x00, 0x7E, 0x00],
    [0x7E, 0x7F, 0x09, 0x02],
  ]

  private mutating func add(_ messages: [UInt8]..., after ticks: Int = 0) {
    wait += ticks
    for message in messages {
      events += vlq(wait) + message
      wait = 0
    }
  }

  private mutating func strike(on channel: UInt8) {
    add([0x90 | channel, 48, 90], [0x90 | channel, 60, 100], [0x90 | channel, 64, 110], after: 5)
  }

  /// Selects a parameter, registered (101) or not (99), and sets it under sounding notes.
  private mutating func parameter(_ select: UInt8, _ group: UInt8, _ number: UInt8) {
    strike(on: 3)
    add([0xB3, select, group], [0xB3, select - 1, number], after: 5)
    for value in [0, 40, 64, 90] as [UInt8] { add([0xB3, 6, value], [0xB3, 38, 17], after: 7) }
    add([0xB3, 96, 1], [0xE3, 0, 100], [0xB3, 97, 1], [0xB3, 6, 64], [0xE3, 0, 64], [0xB3, 123, 0], after: 9)
  }
}
