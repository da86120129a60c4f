import SynthDSP
import SynthText

/// What people ask of a tone while it sounds, in a line of words: "wave saw", "frequency 220". [control thread]
public struct ToneControl: Sendable {
  /// What the words change.
  public let tone: ToneGenerator
  /// What "set" changes.
  public let nodes: NodeControl

  /// The first words of all commands.
  public static let names = ["wave", "frequency", "level", "start", "stop", "set"]

  public init(_ tone: ToneGenerator) {
    self.tone = tone
    nodes = NodeControl(tone.engine)
  }

  /// What was asked for.
  public enum Answer: Sendable, Equatable {
    /// How the tone is now.
    case tone(ToneGenerator.State)
    /// Of "set".
    case nodes(SynthesizerAnswer)
  }

  /// Does what a line says; a command without its value changes nothing.
  public func perform(_ text: String) throws(SynthesizerCommandError) -> Answer {
    var words = CommandWords(text)
    switch words.name {
    case "wave" where !words.isAtEnd: tone.waveform = try words.waveform()
    case "frequency" where !words.isAtEnd:
      tone.frequency = Double(try words.number(in: 0...192_000, "hertz from 0 to 192000"))
    case "level" where !words.isAtEnd: tone.level = try words.level()
    case "wave", "frequency", "level": break
    case "start": try start()
    case "stop": tone.stop()
    case "set": return .nodes(try nodes.perform(try SynthesizerCommand(parsing: text)))
    default: throw .unknownCommand(words.name, nearest: EditDistance.nearest(to: words.name, among: Self.names))
    }
    try words.end()
    return .tone(tone.state)
  }

  private func start() throws(SynthesizerCommandError) {
    do {
      try tone.start()
    } catch {
      throw .output("\(error)")
    }
  }

  /// What the last word of a command that has been begun can become.
  public func completions(of text: String) -> [String] {
    let (words, begun) = CommandWords.begun(text)
    let candidates: [String] =
      switch (words.first, words.count) {
      case (nil, _): Self.names
      case ("wave", 1): Waveform.allCases.map(\.rawValue)
      case ("set", 1): nodes.nodes
      case ("set", 2): nodes.names(of: words[1])
      case ("set", 3): nodes.values(of: words[2], of: words[1])
      default: []
      }
    return candidates.compactMap { CommandWords.completion($0, of: begun) }
  }
}

extension Waveform {
  /// By its name, or the beginning of it that no other has: "saw".
  public init?(named text: String) {
    let matching = Self.allCases.filter { !text.isEmpty && $0.rawValue.hasPrefix(text) }
    guard let found = matching.first, matching.count == 1 else { return nil }
    self = found
  }

  public static let expected = allCases.map(\.rawValue).joined(separator: ", ")
}

extension CommandWords {
  fileprivate mutating func waveform() throws(SynthesizerCommandError) -> Waveform {
    let word = try next()
    guard let waveform = Waveform(named: word) else {
      throw .badValue(word, command: name, problem: "give \(Waveform.expected)")
    }
    return waveform
  }
}
