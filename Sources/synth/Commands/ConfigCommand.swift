import SynthKit
import SynthText

/// `synth config`: tells what `synth` would play with, and where each value comes from.
struct ConfigCommand: Command {
  static let options = PlayCommand.options + [.json]

  private let arguments: Arguments
  private let configuration: Configuration

  init(_ tokens: [String]) throws(UsageError) {
    let given = try Arguments(tokens, allowed: Self.options)
    if let word = given.operands.first { throw .unexpectedOperand(word) }
    // What is wrong in it is told as `synth` would.
    _ = try PlayCommand(tokens.filter { $0 != Option.json.rawValue } + ["song.mid"])
    do throws(ConfigurationError) {
      configuration = try Configuration(given.last(.config))
    } catch {
      throw .configuration(error)
    }
    arguments = given.adding(configuration, Option.configurable)
  }

  func run() { if arguments.has(.json) { print(json) } else { StandardOutput.show(text) } }

  private var given: [Option] { Option.configurable.filter(arguments.mentions) }
  private var unset: [Option] { Option.configurable.filter { !arguments.mentions($0) } }

  private var profiles: [String] {
    configuration.files.flatMap { $0.profiles(for: arguments.output(configuration)).map(\.name) }
  }

  private var text: String {
    let read = configuration.files.map(\.path)
    let files = configuration.paths.map { $0 + (read.contains($0) ? "" : " (does not exist)") }
    let applying = profiles.map { "profile           \($0), for the output \(arguments.output(configuration))" }
    let values = given.map { option in
      let place = arguments.origin(of: option).map(Self.text) ?? "command line"
      return wrapped(padded(option.key, 17) + " \(texts(of: option).joined(separator: ", "))  (\(place))", 18)
    }
    let names = unset.map(\.key).joined(separator: ", ")
    return
      (files.map { "file              \($0)" } + applying + values
      + [wrapped("not set           \(names)", 18)]).joined(separator: "\n")
  }

  private static func text(_ origin: ConfiguredValue.Origin) -> String {
    "\(origin.path):\(origin.location)" + (origin.profile.map { ", profile \($0)" } ?? "")
  }

  private func texts(of option: Option) -> [String] {
    option.takesValue ? arguments.all(option) : [arguments.has(option) ? "on" : "off"]
  }

  private var json: JSONValue {
    let read = configuration.files.map(\.path)
    let values = given.map { option in
      let origin: [(String, JSONValue)] =
        arguments.origin(of: option).map { origin in
          [
            ("from", .string(origin.path)), ("line", .number(origin.location.line)),
            ("column", .number(origin.location.column)), ("profile", origin.profile.map { .string($0) } ?? .null),
          ]
        } ?? [("from", .string("command line"))]
      let texts = texts(of: option).map { JSONValue.string($0) }
      return JSONValue.object(
        [("key", .string(option.key)), ("value", option.isRepeatable ? .array(texts) : texts.last ?? .null)] + origin)
    }
    return .object([
      (
        "files",
        .array(configuration.paths.map { .object([("path", .string($0)), ("read", .bool(read.contains($0)))]) })
      ),
      ("output", .string(arguments.output(configuration))),
      ("profiles", .array(profiles.map { .string($0) })), ("values", .array(values)),
      ("unset", .array(unset.map { .string($0.key) })),
    ])
  }
}
