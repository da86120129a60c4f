import TestSupport
import Testing

@testable import SynthInstruments

@Suite("A tuning table")
struct TuningTableTests {
  @Test("is equal-tempered until a message tunes it, and again after a reset")
  func reset() {
    var table = TuningTable()
    #expect(table.isEqualTempered && table.pitch(60) == 60)
    #expect(table.receive(noteTuning([(60, 60.5)])) != nil)
    #expect(!table.isEqualTempered && table.pitch(60) == 60.5 && table.pitch(61) == 61)
    table.reset()
    #expect(table.isEqualTempered && table.pitch(60) == 60)
    // A program that is used again has nothing left of what it was.
    #expect(table.receive(noteTuning([(61, 61.25)])) != nil)
    #expect(table.pitch(60) == 60 && table.pitch(61) == 61.25)
  }

  @Test("holds every pitch of the standard exactly")
  func exactness() {
    var table = TuningTable()
    for value in stride(from: 0, to: 128 * 16384 - 1, by: 8191) {
      let pitch = Double(value) / 16384
      #expect(table.receive(noteTuning([(7, pitch)])) != nil)
      #expect(Double(table.pitch(7)) == pitch)
    }
  }

  @Test("leaves a key as it is that a message says so of")
  func unchanged() {
    var table = TuningTable()
    _ = table.receive(noteTuning([(60, 60.5)]))
    let change = table.receive([0x7F, 0x7F, 8, 2, 0, 2, 60, 0x7F, 0x7F, 0x7F, 61, 61, 0x40, 0])
    #expect(table.pitch(60) == 60.5 && table.pitch(61) == 61.5)
    #expect(change?.retunes(61, channel: 0, address: 0) == true)
    #expect(change?.retunes(60, channel: 0, address: 0) == false)
  }

  @Test("keeps programs and banks apart")
  func programs() {
    var table = TuningTable()
    _ = table.receive(noteTuning([(60, 61)], program: 5))
    _ = table.receive(noteTuning([(60, 62)], bank: 3, program: 5))
    _ = table.receive(tuningDump((0..<128).map { Double($0) / 2 }, program: 6))
    _ = table.receive(tuningDump((0..<128).map { Double($0) / 4 }, bank: 2, program: 6))
    _ = table.receive(octaveDump((0..<12).map { Double($0) }, bank: 1, program: 1, isFine: false))
    _ = table.receive(octaveDump((0..<12).map { Double($0) * -8 }, bank: 1, program: 2))
    #expect(table.pitch(60) == 60)
    #expect(table.pitch(60, address: 5) == 61)
    #expect(table.pitch(60, address: 3 << 7 | 5) == 62)
    #expect((0..<128).allSatisfy { table.pitch(UInt8($0), address: 6) == Float($0) / 2 })
    #expect((0..<128).allSatisfy { table.pitch(UInt8($0), address: 2 << 7 | 6) == Float($0) / 4 })
    #expect(abs(table.pitch(71, address: 1 << 7 | 1) - 71.11) < 1e-5)
    #expect(abs(table.pitch(71, address: 1 << 7 | 2) - 70.12) < 1e-4)
  }

  @Test("tunes the channels of a message's mask", arguments: [UInt16(0x0001), 0x0040, 0x0080, 0x2000, 0x4000, 0x8000])
  func mask(_ channels: UInt16) {
    for isFine in [false, true] {
      var table = TuningTable()
      _ = table.receive(scaleTuning([50] + Array(repeating: 0, count: 11), channels: channels, isFine: isFine))
      for channel in UInt8(0)..<16 {
        let isTuned = channels & 1 << UInt16(channel) != 0
        #expect(table.pitch(60, channel: channel, address: 0) == (isTuned ? 60.5 : 60))
        #expect(table.pitch(61, channel: channel, address: 0) == 61)
      }
    }
  }

  @Test("offsets the program that is selected, and a later scale takes the place of an earlier one")
  func scale() {
    var table = TuningTable()
    _ = table.receive(noteTuning([(60, 60.5)]))
    for _ in 0..<2 { _ = table.receive(scaleTuning(Array(repeating: 25, count: 12))) }
    #expect(table.pitch(60) == 60.75)
  }

  @Test("passes over and counts what is damaged, at every byte of a dump's data")
  func damage() {
    var table = TuningTable()
    let dump = tuningDump((0..<128).map { Double($0) / 2 })
    for index in 4..<dump.count {
      var damaged = dump
      damaged[index] ^= 1
      #expect(table.receive(damaged) == nil)
    }
    #expect(table.receive(dump.dropLast()) == nil && table.receive(dump + [0]) == nil)
    #expect(table.receive(noteTuning([(60, 61), (61, 62)]).dropLast()) == nil)
    #expect(table.receive(scaleTuning(Array(repeating: 9, count: 12)) + [0]) == nil)
    #expect(table.isEqualTempered && table.refusedCount == dump.count - 4 + 4)
    #expect(table.receive(dump) != nil)
  }

  @Test("leaves requests and what is none of it alone, however short")
  func others() {
    var table = TuningTable()
    for message in [
      [], [0x7E], [0x7E, 0x7F, 8], [0x7E, 0, 8, 0, 1], [0x7E, 0x7F, 9, 1], [0x41, 0, 8, 2, 0, 0, 0, 0, 0],
    ] {
      #expect(table.receive(message.map { UInt8($0) }) == nil)
    }
    #expect(table.refusedCount == 0)
  }

  @Test("has room for 128 programs, and counts what goes beyond")
  func capacity() {
    var table = TuningTable()
    for program in 0..<130 {
      let message = noteTuning([(60, 60.5)], bank: UInt8(program / 128 + 1), program: UInt8(program % 128))
      #expect((table.receive(message) != nil) == (program < 128))
    }
    #expect(table.refusedCount == 2)
    // Those that are there can still be tuned.
    #expect(table.receive(noteTuning([(60, 61)], bank: 1, program: 127)) != nil)
    #expect(table.pitch(60, address: 1 << 7 | 127) == 61)
  }

  @Test("survives any bytes", arguments: [UInt64(1), 2])
  func random(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var table = TuningTable()
    for _ in 0..<20_000 {
      let head: [UInt8] = [0x7E | UInt8(random.next(below: 2)), 0x7F, 8, UInt8(random.next(below: 11))]
      let body = (0..<random.next(below: 40)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      _ = table.receive(head + body)
      let pitch = table.pitch(UInt8(random.next(below: 128)), address: UInt16(random.next(below: 16384)))
      #expect(pitch > -2 && pitch < 130)
    }
  }
}

extension TuningTable {
  mutating func receive(_ bytes: some Collection<UInt8>) -> TuningChange? {
    Array(bytes).withUnsafeBufferPointer { bytes in
      guard case .tuning(let message) = SystemExclusive(bytes) else { return nil }
      return receive(message)
    }
  }

  func pitch(_ key: UInt8, address: UInt16 = 0) -> Float { pitch(key, channel: 0, address: address) }
}
