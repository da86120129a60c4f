import SynthInstruments
import SynthMIDI
import TestSupport
import Testing

@Suite("An instrument's events after a reset")
struct EventInputTests {
  private let key = MIDIMessage.noteOn(channel: 0, note: 60, velocity7: 100)

  @Test("what was played live and has not sounded never will, and what is played then does at once")
  func live() throws {
    let rack = try PlayedRack(.bare())
    rack.play(key)
    rack.play(key, after: 10_000)
    rack.play(key, after: 1_000_000)
    try rack.reset()
    #expect(rack.render(12_000).allSatisfy { $0 == 0 })
    rack.play(key)
    #expect(rack.render(640).contains { $0 != 0 })
  }

  @Test("a timeline that has not begun never does")
  func timeline() throws {
    let rack = try PlayedRack(.bare())
    let song = Song(try MIDIFile(bytes: smf(tracks: [note(60) + end(after: 480)])))
    rack.rack.events.play(Timeline(song, sampleRate: 48000))
    try rack.reset()
    #expect(rack.render(12_000).allSatisfy { $0 == 0 })
    rack.rack.events.play(Timeline(song, sampleRate: 48000))
    #expect(rack.render(640).contains { $0 != 0 })
  }

  @Test("System Exclusive messages that were never played leave their room")
  func payloads() throws {
    let rack = try PlayedRack(.bare())
    let message: [UInt8] = [0x7E, 0x7F, 0x09, 0x01]
    for _ in 0..<2 {
      for _ in 0..<32 {
        let isSent = message.withUnsafeBufferPointer { rack.rack.events.send(systemExclusive: $0, time: 1000) }
        #expect(isSent)
      }
      try rack.reset()
      _ = rack.render(64)
    }
  }
}
