import AudioGraph
import SynthDSP
import SynthInstruments
import SynthMIDI
import SynthText

/// The words of a command, taken one after the other.
struct CommandWords {
  /// The first word; empty if the text has no words.
  let name: String
  private var words: ArraySlice<String>

  init(_ text: String) {
    let words = Self.split(text)
    name = words.first ?? ""
    self.words = words.dropFirst()
  }

  /// The command's row of the table; nil if there is no such command.
  var row: CommandForm? { CommandForm.all.first { $0.name == name } }

  /// How the command is written.
  private var form: String { row?.form ?? name }

  /// The word that `next` gives; nil at the end.
  var upcoming: String? { words.first }

  /// Whether no word is left.
  var isAtEnd: Bool { words.isEmpty }

  mutating func next() throws(SynthesizerCommandError) -> String {
    guard let word = words.popFirst() else { throw .incomplete(form: form) }
    return word
  }

  /// All that is left, with one blank between words; at least one word.
  mutating func rest() throws(SynthesizerCommandError) -> String {
    guard !words.isEmpty else { throw .incomplete(form: form) }
    defer { words = [] }
    return words.joined(separator: " ")
  }

  /// All that is left, word by word; at least one.
  mutating func all() throws(SynthesizerCommandError) -> [String] {
    guard !words.isEmpty else { throw .incomplete(form: form) }
    defer { words = [] }
    return Array(words)
  }

  mutating func instrument() throws(SynthesizerCommandError) -> InstrumentChoice {
    let text = try rest()
    do throws(InstrumentChoiceError) {
      return try InstrumentChoice(parsing: text)
    } catch {
      throw .badValue(text, command: name, problem: "give \(error.expected)")
    }
  }

  func end() throws(SynthesizerCommandError) {
    if let word = words.first { throw .unexpectedWord(word, form: form) }
  }

  /// A strip: "3", "B1", "microphone", "drums".
  mutating func strip(_ index: TreeIndex) throws(SynthesizerCommandError) -> Strip {
    let word = try next()
    guard let place = index.place(of: word) else {
      throw .badValue(word, command: name, problem: "give \(index.expected)")
    }
    return place.strip
  }

  /// Among the channels of all ports, 0 to 63.
  mutating func channel() throws(SynthesizerCommandError) -> UInt8 {
    let word = try next()
    guard let channel = ChannelName.channel(word) else {
      throw .badValue(word, command: name, problem: "give \(TreeIndex.channel.expected)")
    }
    return channel
  }

  /// "3 48" or "3 8:48".
  mutating func program() throws(SynthesizerCommandError) -> SynthesizerCommand {
    let channel = try channel()
    let word = try next()
    let numbers = word.split(separator: ":", omittingEmptySubsequences: false).map {
      UInt8($0).flatMap { $0 < 128 ? $0 : nil }
    }
    guard (1...2).contains(numbers.count), let program = numbers[numbers.count - 1], let bank = numbers[0] else {
      throw .badValue(word, command: name, problem: "give a program from 0 to 127, or a bank and a program, as in 8:48")
    }
    return .program(channel: channel, bank: numbers.count == 2 ? bank : nil, program)
  }

  /// A number within a range.
  mutating func number(
    in range: ClosedRange<Float>, _ expected: String
  ) throws(SynthesizerCommandError) -> Float {
    let word = try next()
    guard let number = Float(word), range.contains(number) else {
      throw .badValue(word, command: name, problem: "give \(expected)")
    }
    return number
  }

  mutating func channelMap() throws(SynthesizerCommandError) -> ChannelMap {
    let text = try rest()
    do throws(ChannelMapError) {
      return try ChannelMap(parsing: text)
    } catch {
      throw .badValue(
        text, command: name, problem: "give a source channel or -1 for each device channel, as in 0,1,-1,-1")
    }
  }

  /// Takes the word "track", if it is next.
  mutating func isTrack() -> Bool {
    guard words.first == "track" else { return false }
    words.removeFirst()
    return true
  }

  /// "-6", "+3.5", "-6dB" or "-6 dB".
  mutating func level() throws(SynthesizerCommandError) -> Decibels {
    let word = try next()
    let isUnitAttached = word.lowercased().hasSuffix("db")
    if !isUnitAttached, words.first?.lowercased() == "db" { words.removeFirst() }
    guard let level = Double(isUnitAttached ? String(word.dropLast(2)) : word),
      (-120...24).contains(level)
    else {
      throw .badValue(word, command: name, problem: "give decibels from -120 to 24")
    }
    return Decibels(level)
  }
}
