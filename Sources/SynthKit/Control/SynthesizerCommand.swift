import AudioGraph
import DSP

/// What a person, a script or a user interface asks of a synthesizer while it plays, in a line of words: "preset pop",
/// "reverb off", "level 3 -6".
public enum SynthesizerCommand: Sendable, Equatable {
  /// A preset's name, the path of its file, or "bands:" and its ten gains.
  case preset(String)
  /// The one after the present one in the list of presets, and after the last the first.
  case nextPreset
  case previousPreset
  /// What plays where, in place of what played there; what sounds is finished by that.
  case instrument(InstrumentChoice)
  /// The path of a soundfont, in place of those there are; what sounds is finished by them.
  case soundFont(String)
  /// Nil switches it off; what sounds in it rings out.
  case reverb(ReverbType?)
  case chorus(ChorusType?)
  /// The level of all, -120 dB (which is silence) to 24 dB.
  case gain(Decibels)
  /// The level of a channel, 0 to 15; nil is all of them. -120 dB (which is silence) to 24 dB.
  case level(channel: UInt8?, Decibels)
  case mute(channel: UInt8?, Bool)
  /// Where any channel is soloed, only soloed ones sound.
  case solo(channel: UInt8?, Bool)

  /// The first words of commands, and how each is written.
  public static let forms: KeyValuePairs<String, String> = [
    "preset": "preset NAME|next|previous|FILE|bands:…",
    "instrument": "instrument NAME|CHANNEL=NAME|CHANNEL:KEYS=NAME",
    "soundfont": "soundfont FILE",
    "reverb": "reverb ROOM|off",
    "chorus": "chorus TYPE|off",
    "gain": "gain DB",
    "level": "level CHANNEL|all DB",
    "mute": "mute CHANNEL|all",
    "unmute": "unmute CHANNEL|all",
    "solo": "solo CHANNEL|all",
    "unsolo": "unsolo CHANNEL|all",
  ]

  /// The first words of all commands.
  public static var names: [String] { forms.map(\.key) }

  /// Reads a command: words with blanks between them. [any thread]
  public init(parsing text: String) throws(SynthesizerCommandError) {
    var words = CommandWords(text)
    switch words.name {
    case "preset": self = try Self.preset(&words)
    case "instrument": self = .instrument(try words.instrument())
    case "soundfont": self = .soundFont(try words.path())
    case "reverb": self = .reverb(try words.choice("room", among: ReverbType.allCases, \.name))
    case "chorus": self = .chorus(try words.choice("chorus", among: ChorusType.allCases, \.name))
    case "gain": self = .gain(try words.level())
    case "level": self = .level(channel: try words.channel(), try words.level())
    case "mute", "unmute": self = .mute(channel: try words.channel(), words.name == "mute")
    case "solo", "unsolo": self = .solo(channel: try words.channel(), words.name == "solo")
    default:
      throw .unknownCommand(words.name, nearest: EditDistance.nearest(to: words.name, among: Self.names))
    }
    try words.end()
  }

  private static func preset(_ words: inout CommandWords) throws(SynthesizerCommandError) -> SynthesizerCommand {
    let reference = words.rest()
    switch reference {
    case "": throw .incomplete(form: words.form)
    case "next": return .nextPreset
    case "previous": return .previousPreset
    default: return .preset(reference)
    }
  }
}

/// Why a command is not obeyed.
public enum SynthesizerCommandError: Error, Sendable, Equatable, CustomStringConvertible {
  /// There is no such command; `nearest` is one that might be meant.
  case unknownCommand(String, nearest: String?)
  /// A word is missing.
  case incomplete(form: String)
  /// A word is one too many.
  case unexpectedWord(String, form: String)
  /// There is nothing of this kind and name; `nearest` might be meant, or one of `known` if these are few.
  case unknownName(String, kind: String, command: String, nearest: String?, known: [String])
  /// A word does not say what it should; the problem says what that is.
  case badValue(String, command: String, problem: String)
  /// The preset's or the instrument's file cannot be used.
  case preset(PresetError)
  /// There is no such soundfont, or it cannot be loaded.
  case soundFont(String)
  /// The graph, which somebody else has edited, has no place for it.
  case noPlace(String, reason: String)

  public var description: String {
    switch self {
    case .unknownCommand(let name, let nearest):
      "\(name): no such command" + (nearest.map { "; did you mean \($0)?" } ?? "")
    case .incomplete(let form): "a word is missing: \(form)"
    case .unexpectedWord(let word, let form): "\"\(word)\" is one word too many: \(form)"
    case .unknownName(let name, let kind, let command, let nearest, let known):
      "\(command) \(name): no such \(kind)"
        + (nearest.map { "; did you mean \($0)?" } ?? (known.isEmpty ? "" : "; give \(known.joined(separator: ", "))"))
    case .badValue(let text, let command, let problem): "\(command) \(text): \(problem)"
    case .preset(let error): "\(error)"
    case .soundFont(let problem): problem
    case .noPlace(let command, let reason): "\(command): \(reason)"
    }
  }
}
