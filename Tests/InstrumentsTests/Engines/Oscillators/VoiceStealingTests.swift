import SynthMIDI
import TestSupport
import Testing

@testable import SynthInstruments

@Suite("When there are more notes than voices")
struct VoiceStealingTests {
  /// Four voices, on every channel; voices are heard as soon as they are played.
  private func allocator(_ part: VoicePart = VoicePart()) -> PlayedAllocator {
    PlayedAllocator(polyphony: 4, parts: [part])
  }

  @Test("a released one yields first, the quietest of those")
  func released() {
    let allocator = allocator()
    for key in UInt8(60)..<64 { allocator.strike(key) }
    for key in [UInt8(61), 62] { allocator.play(.noteOff(channel: 0, note: key, velocity7: 0)) }
    allocator.setLevel(0.5, of: 61)
    allocator.setLevel(0.1, of: 62)
    allocator.strike(70)
    #expect(allocator.keys { $0.isFading } == [62])
    allocator.strike(71)
    #expect(allocator.keys { $0.isFading } == [61, 62])
    #expect(allocator.voiceCount == 4)
  }

  @Test("what only a pedal holds yields before what a key holds")
  func pedal() {
    let allocator = allocator()
    allocator.play(.controlChange(channel: 0, .sustain, value7: 127))
    for key in UInt8(60)..<64 { allocator.strike(key) }
    allocator.play(.noteOff(channel: 0, note: 63, velocity7: 0))
    allocator.strike(70)
    #expect(allocator.keys { $0.isFading } == [63])
  }

  @Test("the oldest of those that are equally loud yields, else the quietest")
  func age() {
    let allocator = allocator()
    for key in UInt8(60)..<64 { allocator.strike(key) }
    allocator.strike(70)
    #expect(allocator.keys { $0.isFading } == [60])
    allocator.setLevel(0.01, of: 63)
    allocator.strike(71)
    #expect(allocator.keys { $0.isFading } == [60, 63])
  }

  @Test("the same key yields before any other")
  func sameKey() {
    let allocator = allocator()
    for key in UInt8(60)..<64 { allocator.strike(key) }
    allocator.play(.noteOff(channel: 0, note: 60, velocity7: 0))
    allocator.strike(63)
    #expect(allocator.keys { $0.isFading } == [63])
  }

  @Test("a note in unison yields as a whole")
  func unison() {
    var part = VoicePart()
    part.unisonCount = 2
    let allocator = allocator(part)
    for key in [UInt8(60), 61, 62] { allocator.strike(key) }
    #expect(allocator.keys { $0.isFading } == [60, 60])
    #expect(allocator.keys { $0.isOn } == [61, 61, 62, 62])
  }

  @Test("a voice that was not heard yet is gone at once")
  func unheard() {
    let allocator = allocator()
    for key in UInt8(60)..<66 { allocator.play(.noteOn(channel: 0, note: key, velocity7: 100)) }
    #expect(allocator.keys { $0.isOn } == [62, 63, 64, 65])
    #expect(allocator.keys { $0.isFading } == [])
  }

  @Test("and still more are fading than there are places, voices are lost and counted")
  func loss() throws {
    let rack = try PlayedRack(.bare(), polyphony: 64)
    // 64 new ones a quantum, which fade for eight quanta.
    for quantum in 0..<10 {
      for key in UInt8(0)..<64 {
        let note = MIDIMessage.noteOn(channel: 0, note: key + 64 * UInt8(quantum % 2), velocity7: 100)
        rack.play(note, after: Int64(64 * quantum))
      }
    }
    _ = rack.render(640)
    print("lost \(rack.rack.lostVoiceCount) of 640 voices")
    #expect(rack.rack.lostVoiceCount > 0)
    let calm = try PlayedRack(.bare(), polyphony: 8)
    for key in UInt8(0)..<100 { calm.play(.noteOn(channel: 0, note: key, velocity7: 100), after: 128 * Int64(key)) }
    _ = calm.render(12800)
    #expect(calm.rack.lostVoiceCount == 0)
  }

  @Test("the count is kept and every slot found again, whatever is played", arguments: [UInt64(1), 2, 3])
  func property(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var mono = VoicePart()
    mono.mode = .legato
    mono.unisonCount = 3
    let allocator = PlayedAllocator(
      polyphony: 16, parts: [VoicePart(), mono],
      places: [InstrumentPlace(channels: 0xFFFF), InstrumentPlace(channels: 0x00F0)])
    for _ in 0..<20_000 {
      let word0 = 0x4000_0000 | UInt32(truncatingIfNeeded: random.next()) & 0x00FF_7F7F
      if let message = MIDIMessage(word0: word0, word1: UInt32(truncatingIfNeeded: random.next())) {
        allocator.play(message)
      }
      if random.next() % 4 == 0 { allocator.play(.noteOn(channel: UInt8(random.next() % 16), note: 60, velocity7: 1)) }
      if random.next() % 8 == 0 { allocator.hear() }
      if random.next() % 16 == 0, allocator.slotCount > 0 {
        allocator.finish(Int(random.next() % UInt64(allocator.slotCount)))
      }
      let sounding = (0..<allocator.slotCount).count { allocator.slots[$0].isOn }
      #expect(allocator.voiceCount == sounding && sounding <= 16)
    }
    for index in 0..<allocator.slotCount { allocator.finish(index) }
    #expect(allocator.voiceCount == 0 && allocator.groupCount == 0)
  }
}

extension PlayedAllocator {
  /// Plays a note, and hears it.
  func strike(_ key: UInt8) {
    play(.noteOn(channel: 0, note: key, velocity7: 100))
    hear()
  }

  /// What a renderer does with voices that are new.
  func hear() { for index in 0..<slotCount { slots[index].isNew = false } }

  func setLevel(_ level: Float, of key: UInt8) {
    for index in 0..<slotCount where slots[index].key == key { slots[index].level = level }
  }

  func keys(where isIncluded: (VoiceSlot) -> Bool) -> [UInt8] {
    (0..<slotCount).map { slots[$0] }.filter { !$0.isFree && isIncluded($0) }.map(\.key).sorted()
  }
}
