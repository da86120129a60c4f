import Glibc
import SynthMIDI
import TestSupport
import Testing

@testable import SynthInstruments

@Suite("In an MPE zone")
struct MPEPlayingTests {
  private static let configuration: [MIDIMessage] = [
    .controlChange(channel: 0, .registeredParameter, value7: 0),
    .controlChange(channel: 0, .registeredParameterLSB, value7: 6),
    .controlChange(channel: 0, .dataEntry, value7: 15),
  ]

  private func allocator() -> PlayedAllocator {
    let allocator = PlayedAllocator(polyphony: 16, places: [InstrumentPlace(channels: 0b1)])
    for message in Self.configuration { allocator.play(message) }
    return allocator
  }

  @Test("a member's bend reaches 48 semitones, the master's 2, and both add up")
  func bends() {
    let allocator = allocator()
    allocator.play(.pitchBend(channel: 3, value32: 0xC000_0000))
    allocator.play(.pitchBend(channel: 0, bend14: 0))
    #expect(allocator.channels[3].pitchOffset == 24)
    #expect(allocator.channels[0].pitchOffset == -2)
    #expect(allocator.channels[4].pitchOffset == 0)
  }

  @Test("one member's bend range is that of all members")
  func bendRange() {
    let allocator = allocator()
    allocator.play(.registeredController(channel: 5, parameter: 0, value32: 12 << 25))
    #expect(allocator.channels[1].parameters.bendRange == 12)
    #expect(allocator.channels[15].parameters.bendRange == 12)
    #expect(allocator.channels[0].parameters.bendRange == 2)
  }

  @Test("members play the master's instrument, and its pedal holds their notes")
  func master() {
    let allocator = allocator()
    allocator.play(.noteOn(channel: 3, note: 60, velocity7: 100))
    allocator.play(.controlChange(channel: 0, .sustain, value7: 127))
    allocator.play(.noteOff(channel: 3, note: 60, velocity7: 0))
    #expect(allocator.heldNotes.map(\.description) == ["4:60"])
    allocator.play(.controlChange(channel: 0, .sustain, value7: 0))
    #expect(allocator.heldNotes.isEmpty)
    allocator.play(.noteOn(channel: 3, note: 60, velocity7: 100))
    allocator.play(.controlChange(channel: 0, .allNotesOff, value7: 0))
    #expect(allocator.heldNotes.isEmpty)
  }

  @Test("pressure and CC 74 are each note's own")
  func expression() {
    let allocator = allocator()
    allocator.play(.channelPressure(channel: 3, value7: 127))
    allocator.play(.controlChange(channel: 4, .brightness, value32: 0))
    #expect(allocator.channels[3].pressure == 1 && allocator.channels[4].pressure == 0)
    #expect(allocator.channels[3].brightness == 0 && allocator.channels[4].brightness == -1)
  }

  @Test("CC 74 of a member is heard in its note alone, and the master's in all")
  func brightness() throws {
    var patch = Patch.bare(.saw)
    patch.filter = Patch.Filter(cutoff: 500)
    // The tenth partials of two notes, 57 and 62, before and after.
    func partials(_ messages: MIDIMessage...) throws -> [Double] {
      let rack = try PlayedRack(patch)
      for message in Self.configuration + messages { rack.play(message) }
      rack.play(.noteOn(channel: 1, note: 57, velocity7: 127), .noteOn(channel: 2, note: 62, velocity7: 127))
      _ = rack.render(2400)
      let samples = rack.render(9600)
      return [57, 62].map { 20 * log10(amplitude(samples, 10 * frequency($0))) }
    }
    let plain = try partials()
    let one = try partials(.controlChange(channel: 2, .brightness, value7: 96))
    let all = try partials(.controlChange(channel: 0, .brightness, value7: 96))
    #expect(abs(one[0] - plain[0]) < 0.1)
    // Two octaves of cutoff, at up to 12 dB each.
    #expect(one[1] - plain[1] > 18 && all[0] - plain[0] > 18 && abs(all[1] - one[1]) < 0.1)
  }

  @Test("a note ends at any release velocity, and no other with it", arguments: [UInt8(0), 1, 64, 127])
  func release(_ velocity: UInt8) {
    let allocator = allocator()
    for channel in UInt8(1)..<3 { allocator.play(.noteOn(channel: channel, note: 60, velocity7: 100)) }
    allocator.play(.noteOff(channel: 1, note: 60, velocity7: velocity))
    #expect(allocator.heldNotes.map(\.description) == ["3:60"])
  }

  @Test("the sampler bends each member by its own and the master's bend")
  func samplerBends() throws {
    let sampler = try PlayedSampler(TestFiles.soundFont)
    for message in Self.configuration { sampler.play(message) }
    sampler.play(.pitchBend(channel: 9, value32: 0xC000_0000))
    sampler.play(.pitchBend(channel: 0, bend14: 0))
    // 24 - 2 semitones of 50, and -2.
    #expect(sampler.bend(of: 9) == 8192 + Int32(0.44 * 8192 + 0.5))
    #expect(sampler.bend(of: 8) == 8192 - Int32(0.04 * 8192 + 0.5))
    #expect(sampler.bendRange(of: 9) == 50)
  }

  @Test("the sampler's drum channel plays the master's program, and its drums again afterwards")
  func drums() throws {
    let sampler = try PlayedSampler(TestFiles.soundFont)
    sampler.play(.programChange(channel: 0, program: 40))
    #expect(sampler.program(of: 9) == [128, 0])
    for message in Self.configuration { sampler.play(message) }
    #expect(sampler.program(of: 9) == [0, 40])
    sampler.play(.programChange(channel: 0, program: 56))
    #expect(sampler.program(of: 9) == [0, 56])
    sampler.play(.registeredController(channel: 0, parameter: 6, value32: 0))
    #expect(sampler.program(of: 9) == [128, 0])
    #expect(sampler.bendRange(of: 9) == 2 && sampler.bendRange(of: 0) == 2)
  }
}
