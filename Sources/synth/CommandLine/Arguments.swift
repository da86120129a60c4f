import AudioGraph
import CSynthProgram
import Glibc
import SynthAudioFiles
import SynthDSP
import SynthFiles
import SynthKit
import SynthText

/// A command's words, told apart: options with their values, and the rest.
struct Arguments {
  private(set) var operands: [String] = []
  private var values: [Option: [String]] = [:]
  /// Where those come from that the command line does not give.
  private var origins: [Option: ConfiguredValue.Origin] = [:]

  /// - Parameter allowed: the options this command knows.
  init(_ tokens: [String], allowed: [Option]) throws(UsageError) {
    var rest = tokens[...]
    while let token = rest.popFirst() {
      if token == "--" {
        operands += rest
        break
      }
      guard token.hasPrefix("-"), token != "-" else {
        operands.append(token)
        continue
      }
      let parts = token.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let known = Option(spelled: parts[0])
      if let known, !allowed.contains(known) { throw .misplacedOption(known) }
      guard let option = known else {
        if parts[0] == "--web-token" { throw .tokenOnCommandLine }
        throw .unknownOption(parts[0], nearest: EditDistance.nearest(to: parts[0], among: allowed.map(\.rawValue)))
      }
      values[option, default: []].append(try Self.value(of: option, given: parts.dropFirst().first, &rest))
    }
  }

  private static func value(
    of option: Option, given: String?, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    guard option.takesValue else {
      guard ["on", "off"].contains(given ?? "on") else { throw .unexpectedValue(option) }
      return given ?? "on"
    }
    if option == .web { return given ?? (rest.first.map(WebOptions.isValue) == true ? rest.removeFirst() : "") }
    guard let value = given ?? rest.popFirst() else { throw .missingValue(option) }
    return value
  }

  /// Whether it is given, and no switch that is off.
  func has(_ option: Option) -> Bool { values[option].map { option.takesValue || $0.last != "off" } ?? false }

  /// Whether the command line or a configuration says something of it.
  func mentions(_ option: Option) -> Bool { values[option] != nil }

  /// Whether the command line itself asks for it.
  func isGiven(_ option: Option) -> Bool { has(option) && origins[option] == nil }

  /// Where it is configured; nil for what the command line gives, or nothing does.
  func origin(of option: Option) -> ConfiguredValue.Origin? { origins[option] }

  mutating func take(_ value: ConfiguredValue) {
    (values[value.option], origins[value.option]) = (value.texts, value.origin)
  }

  func all(_ option: Option) -> [String] { values[option] ?? [] }

  /// The last one wins, so that an alias can be overridden.
  func last(_ option: Option) -> String? { values[option]?.last }

  func number(_ option: Option, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = last(option) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw .badValue(option, text, expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// As the command "gain" takes it.
  func level(_ option: Option) throws(UsageError) -> Decibels? {
    guard let text = last(option) else { return nil }
    let kind = PropertyKind.number(-120...24, unit: .decibels)
    guard let level = kind.value(parsing: text)?.number else {
      throw .badValue(option, text, expected: "decibels from -120 to 24")
    }
    return Decibels(level)
  }

  /// Of audio files that are written.
  func samples() throws(UsageError) -> AudioFileSamples {
    switch last(.bits) {
    case "16": .int16
    case nil, "24": .int24
    case "float": .float32
    case .some(let text): throw .badValue(.bits, text, expected: "16, 24 or float")
    }
  }

  func channelMap() throws(UsageError) -> ChannelMap? {
    guard let text = last(.map) else { return nil }
    do {
      return try ChannelMap(parsing: text)
    } catch {
      throw .badValue(.map, text, expected: "a source channel or -1 for each device channel, as in 0,1,-1,-1")
    }
  }
}

/// A command line that means nothing. Exit status 2.
enum UsageError: Error, Equatable, CustomStringConvertible {
  case unknownOption(String, nearest: String?)
  case misplacedOption(Option)
  case missingValue(Option)
  case unexpectedValue(Option)
  case badValue(Option, String, expected: String)
  case unexpectedOperand(String)
  case unknownCommand(String, nearest: String?)
  case missing(String)
  case tokenOnCommandLine
  case configuration(ConfigurationError)

  var description: String {
    switch self {
    case .unknownOption(let text, let nearest):
      "unknown option \(text)" + (nearest.map { "; did you mean \($0)?" } ?? "")
    case .misplacedOption(let option): "\(option.rawValue) is no option of this command"
    case .missingValue(let option): "\(option.rawValue) needs a value"
    case .unexpectedValue(let option): "\(option.rawValue) takes no value"
    case .badValue(let option, let text, let expected): "\(option.rawValue) \(text): give \(expected)"
    case .unexpectedOperand(let text): "\"\(text)\" is one word too many"
    case .unknownCommand(let text, let nearest):
      "\"\(text)\" is neither a command nor a file" + (nearest.map { "; did you mean \($0)?" } ?? "")
    case .missing(let what): what
    case .tokenOnCommandLine:
      "--web-token is not taken, because all users of a machine see each other's command lines; write the token into a "
        + "file of mode 600 and give --web-token-file, or set \(RemoteToken.variable)"
    case .configuration(let error): "\(error)"
    }
  }
}

/// The options of the program, as they are spelled.
enum Option: String, CaseIterable {
  case soundFont = "--soundfont"
  case preload = "--preload"
  case engine = "--engine"
  case quality = "--quality"
  case polyphony = "--polyphony"
  case cores = "--cores"
  case preset = "--preset"
  case presetProgram = "--preset-program"
  case presetController = "--preset-controller"
  case instrument = "--instrument"
  case reverb = "--reverb"
  case chorus = "--chorus"
  case delay = "--delay"
  case limiter = "--limiter"
  case device = "--out"
  case input = "--in"
  case inputAssign = "--in-assign"
  case inputGain = "--in-gain"
  case inputUnplug = "--in-unplug"
  case seconds = "--seconds"
  case gain = "--gain"
  case fallback = "--fallback"
  case map = "--map"
  case assign = "--assign"
  case channels = "--channels"
  case rate = "--rate"
  case latency = "--latency"
  case onUnplug = "--on-unplug"
  case period = "--period"
  case wait = "--wait"
  case releaseAfter = "--release-after"
  case output = "-o"
  case bits = "--bits"
  case raw = "--raw"
  case start = "--start"
  case end = "--end"
  case loop = "--loop"
  case shuffle = "--shuffle"
  case repeats = "--repeat"
  case tempo = "--tempo"
  case transpose = "--transpose"
  case metronome = "--metronome"
  case countIn = "--count-in"
  case format = "--format"
  case jobs = "--jobs"
  case stems = "--stems"
  case dry = "--dry"
  case notes = "--notes"
  case longest = "--longest"
  case shard = "--shard"
  case manifest = "--manifest"
  case resume = "--resume"
  case loudness = "--loudness"
  case dither = "--dither"
  case tag = "--tag"
  case silence = "--silence"
  case tail = "--tail"
  case connect = "--connect"
  case noConnect = "--no-connect"
  case timing = "--timing"
  case record = "--record"
  case mute = "--mute"
  case solo = "--solo"
  case route = "--route"
  case json = "--json"
  case dot = "--dot"
  case watch = "--watch"
  case lyrics = "--lyrics"
  case encoding = "--encoding"
  case mapMT32 = "--map-mt32"
  case view = "--view"
  case wave = "--wave"
  case frequency = "--frequency"
  case level = "--level"
  case config = "--config"
  case socket = "--socket"
  case scene = "--scene"
  case snapshot = "--snapshot"
  case snapshotChannel = "--snapshot-channel"
  case osc = "--osc"
  case web = "--web"
  case webTokenFile = "--web-token-file"
  case open = "--open"
  case to = "--to"
  case clock = "--clock"

  /// Whether a value follows.
  var takesValue: Bool {
    ![
      .raw, .dry, .notes, .resume, .noConnect, .json, .dot, .watch, .lyrics, .view, .shuffle, .repeats, .wait, .clock,
      .open,
    ].contains(self)
  }

  /// How it may be typed.
  var spellings: [String] {
    switch self {
    case .output: ["-o", "--output"]
    case .view: ["-v", "--view"]
    default: [rawValue]
    }
  }

  init?(spelled text: String) {
    guard let option = Self.allCases.first(where: { $0.spellings.contains(text) }) else { return nil }
    self = option
  }
}

/// The words of the command line, the program's name left out.
enum CommandLineWords {
  static func all() -> [String] {
    (1..<max(1, program_word_count())).compactMap { index in
      program_word(index).map { String(path: $0) }
    }
  }
}
