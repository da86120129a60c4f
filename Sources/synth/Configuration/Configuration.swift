import Glibc
import SynthALSA
import SynthFiles

/// What configuration files say: the user's above the system's.
struct Configuration {
  /// Where files are looked for, the strongest first; those that do not exist too.
  let paths: [String]
  let files: [ConfigurationFile]

  /// - Parameter choice: the value of `--config`: a file to read in place of those of user and system, or "none".
  init(_ choice: String?) throws(ConfigurationError) {
    let paths = choice == "none" ? [] : choice.map { [$0] } ?? Self.standardPaths
    try self.init(paths, isNamed: choice != nil)
  }

  /// - Parameters:
  ///   - paths: the strongest first.
  ///   - isNamed: whether they have to exist.
  init(_ paths: [String], isNamed: Bool) throws(ConfigurationError) {
    self.paths = paths
    files = try paths.filter { isNamed || access($0.cPath, F_OK) == 0 }.map { path throws(ConfigurationError) in
      try ConfigurationFile(path: path)
    }
  }

  /// `$XDG_CONFIG_HOME/synth/config.json`, or `~/.config/synth/config.json`; below it `/etc/synth/config.json`.
  static var standardPaths: [String] {
    let home = variable("XDG_CONFIG_HOME") ?? variable("HOME").map { "\($0)/.config" }
    return (home.map { ["\($0)/synth/config.json"] } ?? []) + ["/etc/synth/config.json"]
  }

  /// Relative paths are ignored, as the XDG base directory specification has it.
  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(path: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// The outputs that the files choose; "default" where they choose none.
  var outputs: [String] {
    files.lazy.flatMap(\.values).first { $0.option == .device }?.texts ?? ["default"]
  }

  /// Everything that applies where sound is played on an output, the strongest first: of each file its profiles for
  /// that output, the last one first, then the rest.
  func values(for output: String) -> [ConfiguredValue] {
    files.flatMap { file in file.profiles(for: output).reversed().flatMap(\.values) + file.values }
  }
}

extension ConfigurationFile {
  /// Those whose name is an output's: as it is written, its stable form (`hw:CARD=PCH,DEV=0`), or the card's id (PCH).
  func profiles(for output: String) -> [Profile] {
    let stable = PCMRequest.stableName(of: output)
    let card = stable.split(separator: ":").dropFirst().first?.split(separator: ",").first { $0.hasPrefix("CARD=") }
    let names = [output, stable] + (card.map { [String($0.dropFirst(5))] } ?? [])
    return profiles.filter { names.contains($0.name) || names.contains(PCMRequest.stableName(of: $0.name)) }
  }
}

extension Arguments {
  /// With what the configuration says of options that the command line leaves open.
  ///
  /// - Parameter keys: those that the command takes from it.
  func configured(_ keys: [Option]) throws(UsageError) -> Arguments {
    do throws(ConfigurationError) {
      return adding(try Configuration(last(.config)), keys)
    } catch {
      throw .configuration(error)
    }
  }

  /// The output whose profiles apply: the first that is chosen, which is the clock.
  func output(_ configuration: Configuration) -> String { all(.device).first ?? configuration.outputs[0] }

  func adding(_ configuration: Configuration, _ keys: [Option]) -> Arguments {
    var arguments = self
    for value in configuration.values(for: output(configuration)) where keys.contains(value.option) {
      if ([value.option] + value.option.excluded).allSatisfy({ !arguments.mentions($0) }) { arguments.take(value) }
    }
    return arguments
  }
}
