import AudioGraph
import SynthKit
import Text

/// A command's words, told apart: options with their values, and the rest.
struct Arguments {
  private(set) var operands: [String] = []
  private var values: [Option: [String]] = [:]

  /// - Parameter allowed: the options this command knows.
  init(_ tokens: [String], allowed: [Option]) throws(UsageError) {
    var rest = tokens[...]
    while let token = rest.popFirst() {
      if token == "--" {
        operands += rest
        return
      }
      guard token.hasPrefix("-"), token != "-" else {
        operands.append(token)
        continue
      }
      let parts = token.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let known = Option(spelled: parts[0])
      if let known, !allowed.contains(known) { throw .misplacedOption(known) }
      guard let option = known else {
        throw .unknownOption(parts[0], nearest: EditDistance.nearest(to: parts[0], among: allowed.map(\.rawValue)))
      }
      values[option, default: []].append(try Self.value(of: option, given: parts.dropFirst().first, &rest))
    }
  }

  private static func value(
    of option: Option, given: String?, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    guard option.takesValue else {
      if given != nil { throw .unexpectedValue(option) }
      return ""
    }
    guard let value = given ?? rest.popFirst() else { throw .missingValue(option) }
    return value
  }

  func has(_ option: Option) -> Bool { values[option] != nil }

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
    }
  }
}

/// The options of the program, as they are spelled.
enum Option: String, CaseIterable {
  case soundFont = "--soundfont"
  case preload = "--preload"
  case preset = "--preset"
  case presetProgram = "--preset-program"
  case presetController = "--preset-controller"
  case instrument = "--instrument"
  case reverb = "--reverb"
  case chorus = "--chorus"
  case limiter = "--limiter"
  case device = "--out"
  case fallback = "--fallback"
  case map = "--map"
  case assign = "--assign"
  case channels = "--channels"
  case rate = "--rate"
  case latency = "--latency"
  case period = "--period"
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
  case mute = "--mute"
  case solo = "--solo"
  case json = "--json"
  case dot = "--dot"
  case watch = "--watch"
  case lyrics = "--lyrics"

  /// Whether a value follows.
  var takesValue: Bool {
    ![.raw, .dry, .notes, .resume, .noConnect, .json, .dot, .watch, .lyrics, .shuffle, .repeats].contains(self)
  }

  init?(spelled text: String) {
    self.init(rawValue: text == "--output" ? "-o" : text)
  }
}

/// The words of the command line, the program's name left out.
enum CommandLineWords {
  /// - Throws: `NotText` for what cannot be a Swift string.
  static func all() throws(NotText) -> [String] {
    var words: [String] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let bytes = CommandLine.unsafeArgv[index] else { continue }
      guard let word = String(validatingCString: bytes) else { throw NotText(bytes) }
      words.append(word)
    }
    return words
  }
}

/// A word that is no UTF-8, as a file name in an older encoding may be.
struct NotText: Error, CustomStringConvertible {
  /// What is beyond ASCII as in a shell: `caf\xE9.mid`.
  private let word: String

  init(_ bytes: UnsafePointer<CChar>) {
    let digits = Array("0123456789ABCDEF")
    var word = ""
    var next = bytes
    while next.pointee != 0 {
      let byte = UInt8(bitPattern: next.pointee)
      let isPlain = (0x20..<0x7F).contains(byte)
      word += isPlain ? String(UnicodeScalar(byte)) : "\\x\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      next += 1
    }
    self.word = word
  }

  var description: String { "reading the command line: \(word) is no UTF-8 text; rename the file, or link to it" }
}
