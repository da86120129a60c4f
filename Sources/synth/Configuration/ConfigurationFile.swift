import SynthKit
import SynthText

/// A configuration file as it was read: what it gives the options of `synth play`, and what it gives them where sound
/// is played on certain devices. `docs/configuration.md` describes the format.
struct ConfigurationFile {
  /// Values for outputs of one name.
  struct Profile {
    let name: String
    let values: [ConfiguredValue]
  }

  private static let profilesKey = "profiles"

  let path: String
  let values: [ConfiguredValue]
  /// In the order of the file.
  let profiles: [Profile]

  /// - Throws: where it cannot be read, or says something that no option takes.
  init(path: String) throws(ConfigurationError) {
    let bytes: [UInt8]
    do throws(ResourceError) {
      bytes = try ResourceFile.bytes(at: path, pipes: .ofTheProgram)
    } catch {
      let reason = if case .unreadable(_, let reason) = error { reason } else { "\(error)" }
      throw ConfigurationError(path: path, problem: "\(reason); give another file with --config, or --config none")
    }
    try self.init(bytes, path: path)
  }

  init(_ bytes: [UInt8], path: String) throws(ConfigurationError) {
    let reader = Reader(path: path, bytes: bytes)
    let members = try reader.members(of: reader.root(), "the configuration")
    self.path = path
    values = try reader.values(members.filter { $0.key != Self.profilesKey }, others: [Self.profilesKey], profile: nil)
    profiles =
      try members.first { $0.key == Self.profilesKey }.map { member throws(ConfigurationError) in
        try reader.members(of: member.value, "profiles").map { profile throws(ConfigurationError) in
          try reader.profile(profile)
        }
      } ?? []
    for value in values + profiles.flatMap(\.values) { try reader.check(value, outputs: outputs) }
  }

  /// What it names as outputs, for options that have a value for each of these.
  private var outputs: [String] { values.first { $0.option == .device }?.texts ?? [] }

  private struct Reader {
    let path: String
    let bytes: [UInt8]

    func error(_ offset: Int, _ problem: String) -> ConfigurationError {
      ConfigurationError(path: path, location: TextLocation(offset: offset, in: bytes), problem: problem)
    }

    func root() throws(ConfigurationError) -> JSONValue {
      do {
        return try JSONValue(parsing: bytes)
      } catch {
        throw self.error(error.offset, "\(error.problem); correct the file there")
      }
    }

    func members(of value: JSONValue, _ name: String) throws(ConfigurationError) -> [JSONValue.Member] {
      guard case .object(let members) = value.content else {
        throw error(value.offset, "\(name): expected an object, found \(value.kind)")
      }
      return members
    }

    func profile(_ member: JSONValue.Member) throws(ConfigurationError) -> Profile {
      let members = try members(of: member.value, "profile \(member.key)")
      if let member = members.first(where: { $0.key == Option.device.key }) {
        throw error(member.offset, "a profile cannot choose the output it is for; give \"out\" outside of profiles")
      }
      return Profile(name: member.key, values: try values(members, others: [], profile: member.key))
    }

    /// - Parameter others: keys that would be known too.
    func values(
      _ members: [JSONValue.Member], others: [String], profile: String?
    ) throws(ConfigurationError) -> [ConfiguredValue] {
      var values: [ConfiguredValue] = []
      for member in members {
        guard let option = Option.configurable.first(where: { $0.key == member.key }) else {
          throw error(member.offset, unknown(member.key, among: Option.configurable.map(\.key) + others))
        }
        if let other = values.first(where: { option.excluded.contains($0.option) }) {
          throw error(member.offset, "\"\(other.option.key)\" and \"\(option.key)\" exclude each other; give one")
        }
        let location = TextLocation(offset: member.value.offset, in: bytes)
        values.append(
          ConfiguredValue(
            option: option, texts: try texts(of: member, for: option),
            origin: ConfiguredValue.Origin(path: path, location: location, profile: profile)))
      }
      return values
    }

    private func unknown(_ key: String, among known: [String]) -> String {
      if Option.allCases.contains(where: { $0.key == key }) {
        return "\"\(key)\" is for the command line alone; leave it out"
      }
      let nearest = EditDistance.nearest(to: key, among: known).map { "did you mean \"\($0)\"?" }
      return "unknown key \"\(key)\"; " + (nearest ?? "`synth config` lists the keys")
    }

    /// The words that would be typed for a value.
    private func texts(of member: JSONValue.Member, for option: Option) throws(ConfigurationError) -> [String] {
      let value = member.value
      switch value.content {
      case .bool(let isOn): return [isOn ? "on" : "off"]
      case _ where !option.takesValue:
        throw error(value.offset, "\(option.key): expected true or false, found \(value.kind)")
      case .number, .string: return [text(of: value) ?? ""]
      case .array(let elements) where !elements.isEmpty:
        let texts = elements.compactMap(text)
        guard texts.count == elements.count else {
          throw error(value.offset, "\(option.key): expected a list of texts or numbers")
        }
        // As the command line has several of an option that is given once: "0,1,-1,-1".
        return option.isRepeatable ? texts : [texts.joined(separator: ",")]
      case .array, .object, .null:
        throw error(value.offset, "\(option.key): expected a text, a number or a list of them, found \(value.kind)")
      }
    }

    private func text(of value: JSONValue) -> String? {
      switch value.content {
      case .number: value.description
      case .string(let text): TypedPath.expanded(text)
      default: nil
      }
    }

    /// Reads a value as the command line would, so that a wrong one is told with its place, whatever is played.
    func check(_ value: ConfiguredValue, outputs: [String]) throws(ConfigurationError) {
      let input = MicrophoneOptions.dependent.contains(value.option) ? ["--in=default"] : []
      let devices = value.option == .device ? [] : outputs.map { "\(Option.device.rawValue)=\($0)" }
      do throws(UsageError) {
        _ = try PlayCommand(["--config=none"] + devices + input + value.tokens + ["song.mid"])
      } catch {
        let problem =
          if case .badValue(let option, let text, let expected) = error {
            "\(option.key) \"\(text)\": give \(expected)"
          } else {
            "\(error)"
          }
        throw ConfigurationError(path: path, location: value.origin.location, problem: problem)
      }
    }
  }
}

/// What a file gives an option.
struct ConfiguredValue {
  struct Origin: Equatable {
    let path: String
    let location: TextLocation
    /// Nil outside of profiles.
    let profile: String?
  }

  let option: Option
  /// As they would be typed; "on" or "off" for a switch.
  let texts: [String]
  let origin: Origin

  var tokens: [String] { texts.map { "\(option.rawValue)=\($0)" } }
}

/// A configuration that cannot be used.
struct ConfigurationError: Error, Equatable, CustomStringConvertible {
  let path: String
  var location: TextLocation?
  let problem: String

  var description: String { "reading configuration \(path)\(location.map { ":\($0)" } ?? ""): \(problem)" }
}

extension Option {
  /// Those that a configuration file may give: all of `synth play` but what names new files or the configuration.
  static let configurable = allCases.filter {
    PlayCommand.options.contains($0) && ![.record, .config].contains($0)
  }

  /// Its name in a configuration file: "in-gain".
  var key: String { String(rawValue.drop { $0 == "-" }) }

  /// Whether it may be given again for more.
  var isRepeatable: Bool {
    [.soundFont, .instrument, .device, .fallback, .assign, .connect, .mute, .solo, .route].contains(self)
  }

  /// Those that cannot be given beside it.
  var excluded: [Option] {
    switch self {
    case .connect: [.noConnect]
    case .noConnect: [.connect]
    case .map: [.assign]
    case .assign: [.map]
    default: []
    }
  }
}
