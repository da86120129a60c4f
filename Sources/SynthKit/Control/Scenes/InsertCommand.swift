import SynthText

/// What is asked of inserts. Numbers count from 1.
public enum InsertCommand: Sendable, Equatable {
  /// Puts an effect into a strip; the convolver's impulse response is the path of a file. Nil is behind the last.
  case insert(String, Strip, file: String?, number: Int?)
  /// Takes one out; nil for all of a strip.
  case remove(Strip, Int?)
  /// Moves one to another place in its strip.
  case move(Strip, from: Int, to: Int)
  /// Lets another strip say to one how loud it is; nil for its own sound.
  case hear(Strip, Int, from: Strip?)
}

/// The inserts of a strip, as lists show them.
public struct InsertListing: Sendable, Equatable {
  /// Where they are.
  public let strip: Strip
  /// What their nodes are called, in the order in which sound passes them.
  public let names: [String]
  /// The strips that say how loud they are; nil for their own sound.
  public let sideChains: [Strip?]

  /// "channel 3: 1 compressor by channel 10, 2 echo"
  var text: String {
    guard !names.isEmpty else { return "\(strip): none" }
    // Without the strip, of which the names speak too.
    let effects = zip(names, sideChains).enumerated().map { number, insert in
      "\(number + 1) \(insert.0.dropFirst("\(strip) ".count))" + (insert.1.map { " by \($0)" } ?? "")
    }
    return "\(strip): \(effects.joined(separator: ", "))"
  }
}

extension CommandWords {
  /// "3 compressor", "3 pitch shift 2", "main convolver hall.wav".
  mutating func insert() throws(SynthesizerCommandError) -> SynthesizerCommand {
    let strip = try strip(.strip)
    let rest = try all()
    guard let (kind, count) = Self.kind(rest) else {
      let name = rest.joined(separator: " ")
      throw .unknownName(
        name, kind: "effect", command: self.name,
        nearest: EditDistance.nearest(to: name, among: InsertKind.names, within: name.count / 2),
        known: InsertKind.names)
    }
    var words = rest.dropFirst(count)
    let number = words.last.flatMap { Int($0) }
    if let number, let word = words.popLast() { _ = try self.number(number, word) }
    if !words.isEmpty, !kind.takesFile { throw .unexpectedWord(words[words.startIndex], form: row?.form ?? self.name) }
    let file = words.isEmpty ? nil : words.joined(separator: " ")
    return .inserts(.insert(kind.name, strip, file: file, number: number))
  }

  /// The kind that words begin with, and how many of them it takes.
  private static func kind(_ words: [String]) -> (InsertKind, Int)? {
    (1...2).reversed().lazy.filter { $0 <= words.count }
      .compactMap { count in
        InsertKind.named(words.prefix(count).joined(separator: " ")).map { ($0, count) }
      }.first
  }

  /// "3 1", "main all".
  mutating func removal() throws(SynthesizerCommandError) -> SynthesizerCommand {
    let strip = try strip(.strip)
    guard upcoming == "all" else { return .inserts(.remove(strip, try insertNumber())) }
    _ = try next()
    return .inserts(.remove(strip, nil))
  }

  /// "3 2 1": the second becomes the first.
  mutating func insertMove() throws(SynthesizerCommandError) -> SynthesizerCommand {
    let strip = try strip(.strip)
    return .inserts(.move(strip, from: try insertNumber(), to: try insertNumber()))
  }

  /// "3 1 10", "3 1 off".
  mutating func sideChain() throws(SynthesizerCommandError) -> SynthesizerCommand {
    let (strip, number) = (try strip(.strip), try insertNumber())
    guard upcoming == "off" else { return .inserts(.hear(strip, number, from: try self.strip(.strip))) }
    _ = try next()
    return .inserts(.hear(strip, number, from: nil))
  }

  private mutating func insertNumber() throws(SynthesizerCommandError) -> Int {
    let word = try next()
    return try number(Int(word), word)
  }

  private func number(_ number: Int?, _ word: String) throws(SynthesizerCommandError) -> Int {
    guard let number, (1...Synthesizer.insertLimit).contains(number) else {
      throw .badValue(word, command: name, problem: "give \(TreeIndex.insert.expected)")
    }
    return number
  }
}
