import SynthMIDI
import TestSupport
import Testing

@Suite("MIDI bytes are read")
struct MIDIByteReaderTests {
  /// What the pieces give, one after the other.
  private func read(_ pieces: [UInt8]...) -> [MIDISourceEvent.Content] {
    var reader = MIDIByteReader()
    var items: [MIDISourceEvent.Content] = []
    for piece in pieces { reader.read(piece) { items.append($0) } }
    return items
  }

  @Test("as messages of one and of two data bytes")
  func messages() {
    #expect(
      read([0x90, 60, 100, 0xC1, 5, 0xE2, 0, 64]) == [
        .message(.noteOn(channel: 0, note: 60, velocity7: 100)), .message(.programChange(channel: 1, program: 5)),
        .message(.pitchBend(channel: 2, bend14: 8192)),
      ])
  }

  @Test("with running status, in however many pieces they come, and with clocks within them")
  func runningStatus() {
    let notes: [MIDISourceEvent.Content] = [60, 62, 64].map {
      .message(.noteOn(channel: 0, note: $0, velocity7: 100))
    }
    #expect(read([0x90, 60, 100, 62, 100, 64, 100]) == notes)
    #expect(read([0x90], [60], [0xF8, 100, 62], [0xFE], [100, 64], [100]) == [.clock(.clock)] + notes)
    #expect(read([0xD0, 1, 2]).count == 2)
  }

  @Test("and data bytes without a status are ignored", arguments: [0xF1, 0xF3, 0xF6, 0xF7, 0xFF] as [UInt8])
  func noStatus(ending: UInt8) {
    #expect(read([60, 100]).isEmpty)
    #expect(read([0x90, ending, 60, 100]).allSatisfy { $0 == .reset })
  }

  @Test("as System Exclusive, in however many pieces it comes, and with clocks within it")
  func systemExclusive() {
    let whole: [MIDISourceEvent.Content] = [.systemExclusive([0x7E, 0x7F, 9, 1])]
    #expect(read([0xF0, 0x7E, 0x7F, 9, 1, 0xF7]) == whole)
    #expect(read([0xF0], [0x7E, 0xF8, 0x7F], [9, 1], [0xF7]) == [.clock(.clock)] + whole)
  }

  @Test("as clock and transport; a song position ends running status")
  func transport() {
    let messages: [MIDIClockMessage] = [.start, .clock, .stop, .songPosition(0x3FFF), .songPosition(129), .continue]
    #expect(read(messages.flatMap(\.bytes)) == messages.map { .clock($0) })
    #expect(read([0x90, 60, 100, 0xF2, 1, 1, 62, 100]).last == .clock(.songPosition(129)))
  }

  @Test("that content becomes is that content again")
  func codec() throws {
    let contents: [MIDISourceEvent.Content] = [
      .message(.noteOn(channel: 15, note: 127, velocity7: 1)), .message(.programChange(channel: 3, program: 9)),
      .message(.pitchBend(channel: 1, bend14: 12345)), .systemExclusive([0x7E, 0x7F, 9, 1]), .reset,
      .clock(.songPosition(300)),
    ]
    #expect(read(try contents.flatMap { try #require($0.bytes) }) == contents)
    #expect(MIDIMessage.perNotePitchBend(channel: 0, note: 60, value32: 0).bytes == nil)
  }

  @Test("and a System Exclusive that another status breaks off is passed over")
  func brokenOff() {
    #expect(read([0xF0, 1, 2], [0x90, 60, 1], [3, 0xF7]) == [.message(.noteOn(channel: 0, note: 60, velocity7: 1))])
    #expect(read([0xF0, 1], [0xFF], [0xF7]) == [.reset])
  }

  @Test("up to 1024 bytes of System Exclusive, and no longer", arguments: [1023, 1024, 1025, 100_000])
  func longest(count: Int) {
    let items = read([0xF0] + Array(repeating: 1, count: count) + [0xF7])
    #expect(items == (count <= 1024 ? [.systemExclusive(Array(repeating: 1, count: count))] : []))
  }

  @Test("whatever they are")
  func random() {
    var generator = SplitMix64(seed: 2)
    var reader = MIDIByteReader()
    for _ in 0..<10_000 {
      let count = Int.random(in: 0..<9, using: &generator)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      reader.read(bytes) { item in
        if case .systemExclusive(let payload) = item { #expect(payload.allSatisfy { $0 < 0x80 }) }
      }
    }
  }
}
