import MIDI
import TestSupport
import Testing

@testable import SynthKit

@Suite("MIDI bytes are read")
struct MIDIByteReaderTests {
  /// What the pieces give, one after the other.
  private func read(_ pieces: [UInt8]...) -> [MIDIByteReader.Item] {
    var reader = MIDIByteReader()
    var items: [MIDIByteReader.Item] = []
    for piece in pieces { piece.withUnsafeBufferPointer { reader.read($0) { items.append($0) } } }
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

  @Test("as System Exclusive, in however many pieces it comes, and with clocks within it")
  func systemExclusive() {
    let whole: [MIDIByteReader.Item] = [.systemExclusive([0x7E, 0x7F, 9, 1])]
    #expect(read([0xF0, 0x7E, 0x7F, 9, 1, 0xF7]) == whole)
    #expect(read([0xF0], [0x7E, 0xF8, 0x7F], [9, 1], [0xF7]) == whole)
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
      let bytes = (0..<Int.random(in: 0..<9, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator)
      }
      bytes.withUnsafeBufferPointer {
        reader.read($0) { item in
          if case .systemExclusive(let payload) = item { #expect(payload.allSatisfy { $0 < 0x80 }) }
        }
      }
    }
  }
}
