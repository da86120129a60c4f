import SynthMIDI

/// A sequence of messages, and the notes that are held after each.
///
/// A line is a message, an arrow and the keys held, on channel 1 unless `2:` and so on stands before: `on 60`,
/// `off 60`, `cc 64 127`, `program 5`, `bend 16383`, `gm`. Where the sampler holds other keys, they follow a bar.
struct NoteSequence: Sendable, CustomStringConvertible {
  let description: String
  let steps: [Step]

  struct Step: Sendable {
    let text: String
    let messages: [MIDIMessage]
    let isSystemReset: Bool
    let held: Set<Note>
    let heldBySampler: Set<Note>
  }

  struct Note: Hashable, Sendable, Comparable, CustomStringConvertible {
    let channel: UInt8
    let key: UInt8

    var description: String { channel == 0 ? "\(key)" : "\(channel + 1):\(key)" }

    static func < (a: Note, b: Note) -> Bool { (a.channel, a.key) < (b.channel, b.key) }
  }

  init(_ description: String, _ lines: String...) {
    self.description = description
    steps = lines.map(Self.step)
  }

  /// How many of its steps differ between the two instruments.
  var differs: Bool { steps.contains { $0.held != $0.heldBySampler } }

  private static func step(_ line: String) -> Step {
    let sides = line.split(separator: "→", omittingEmptySubsequences: false)
    let results = sides[1].split(separator: "|", omittingEmptySubsequences: false)
    let held = Set(results[0].split(separator: " ").map(note))
    return Step(
      text: line,
      messages: sides[0].split(separator: ",").compactMap { message($0.split(separator: " ")[...]) },
      isSystemReset: sides[0].split(separator: " ") == ["gm"],
      held: held,
      heldBySampler: results.count > 1 ? Set(results[1].split(separator: " ").map(note)) : held)
  }

  private static func note(_ text: Substring) -> Note {
    let parts = text.split(separator: ":").map { UInt8($0)! }
    return parts.count == 2 ? Note(channel: parts[0] - 1, key: parts[1]) : Note(channel: 0, key: parts[0])
  }

  private static func message(_ words: ArraySlice<Substring>) -> MIDIMessage? {
    var words = words
    var channel: UInt8 = 0
    if let first = words.first, first.hasSuffix(":") {
      channel = UInt8(first.dropLast())! - 1
      words = words.dropFirst()
    }
    let numbers = words.dropFirst().map { UInt16($0)! }
    switch words.first {
    case "on": return .noteOn(channel: channel, note: UInt8(numbers[0]), velocity7: 100)
    case "off": return .noteOff(channel: channel, note: UInt8(numbers[0]), velocity7: 64)
    case "cc":
      let controller = Controller(rawValue: UInt8(numbers[0]))
      return .controlChange(channel: channel, controller, value7: UInt8(numbers[1]))
    case "program": return .programChange(channel: channel, program: UInt8(numbers[0]))
    case "bend": return .pitchBend(channel: channel, bend14: numbers[0])
    case "pressure": return .channelPressure(channel: channel, value7: UInt8(numbers[0]))
    case "gm": return nil
    default: preconditionFailure("\(words)")
    }
  }
}
