@preconcurrency import Glibc
import SynthALSA
import SynthFiles

/// Finds a soundfont where none is named, so that the first run has neither silence nor an error.
///
/// In this order: `$SYNTH_SOUNDFONT`; the user's data directory; the system's directories, the best known fonts first;
/// the built-in font.
public struct SoundFontLocator: Sendable {
  /// Where a font was found.
  public enum Origin: String, Sendable {
    /// The environment variable names it.
    case environment = "$SYNTH_SOUNDFONT"
    /// It lies in the user's data directory.
    case user = "your data directory"
    /// It lies in one of `systemDirectories`.
    case system = "the system"
    /// It comes with the program.
    case builtIn = "built in"
  }

  /// General MIDI fonts of Linux distributions, best first by size and completeness of their sample sets. FluidR3 goes
  /// before MuseScore_General, a compressed font whose loading takes over a second.
  public static let knownFonts = [
    "FluidR3_GM.sf2", "FluidR3_GS.sf2", "GeneralUser-GS.sf2", "GeneralUser_GS.sf2",
    "MuseScore_General_Full.sf2",
    "MuseScore_General_Lite.sf3", "MuseScore_General.sf3", "default-GM.sf2", "default-GM.sf3",
    "TimGM6mb.sf2",
  ]

  /// Where distributions put soundfonts; searched in this order.
  public static let systemDirectories = [
    "/usr/share/sounds/sf2", "/usr/share/sounds/sf3", "/usr/share/soundfonts",
  ]

  static let builtInFont = "synth-gm.sf2"

  private let environment: [String: String]
  private let resources: ResourceDirectories
  private let systemDirectories: [String]

  public init(
    environment: [String: String], resources: ResourceDirectories,
    systemDirectories: [String] = SoundFontLocator.systemDirectories
  ) {
    self.environment = environment
    self.resources = resources
    self.systemDirectories = systemDirectories
  }

  /// The locator of the running program.
  public static func standard() -> SoundFontLocator {
    SoundFontLocator(environment: processEnvironment(), resources: .current)
  }

  /// The first font found.
  public func locate() throws(SoundFontLocatorError) -> (path: String, origin: Origin) {
    if let path = environment["SYNTH_SOUNDFONT"], !path.isEmpty { return (path, .environment) }
    if let path = resources.user("soundfonts").lazy.compactMap(firstFont).first {
      return (path, .user)
    }
    if let path = systemFont() { return (path, .system) }
    let builtIn = resources.installed("soundfonts").map { "\($0)/\(Self.builtInFont)" }
    if let path = builtIn.first(where: isSoundFont) { return (path, .builtIn) }
    throw SoundFontLocatorError(searched: resources.user("soundfonts") + systemDirectories + builtIn)
  }

  /// The paths of all soundfonts in the user's, the system's and the program's directories, by file name; of two with
  /// one name the first found counts. Reads directories.
  package var listed: [String: String] {
    let directories = resources.user("soundfonts") + systemDirectories + resources.installed("soundfonts")
    let paths = directories.flatMap { directory in
      directoryEntries(directory).filter(Self.isNamedAsSoundFont).map { ($0, "\(directory)/\($0)") }
    }
    return Dictionary(paths) { first, _ in first }
  }

  private static func isNamedAsSoundFont(_ name: String) -> Bool {
    !name.hasPrefix(".") && [".sf2", ".sf3"].contains(name.suffix(4).lowercased())
  }

  private func systemFont() -> String? {
    for font in Self.knownFonts {
      for directory in systemDirectories where isSoundFont("\(directory)/\(font)") {
        return "\(directory)/\(font)"
      }
    }
    return systemDirectories.lazy.compactMap(firstFont).first
  }

  /// The alphabetically first font of a directory.
  private func firstFont(in directory: String) -> String? {
    directoryEntries(directory)
      .filter(Self.isNamedAsSoundFont)
      .sorted()
      .map { "\(directory)/\($0)" }
      .first(where: isSoundFont)
  }

  /// Whether the file can be read and begins as a soundfont does: RIFF, a length, sfbk.
  private func isSoundFont(_ path: String) -> Bool {
    guard let header = try? OutsideFile(path: path).head(12) else { return false }
    return header.starts(with: "RIFF".utf8) && header.dropFirst(8).elementsEqual("sfbk".utf8)
  }
}

/// No soundfont was found, not even the one that is installed with the program.
public struct SoundFontLocatorError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The directories that were looked into, and where the built-in font might be.
  public let searched: [String]

  /// What a person can do about it, for programs that word it themselves.
  public enum Remedy: Sendable, Equatable {
    /// Name a soundfont.
    case nameSoundFont
  }

  public var description: String { line { _ in "name one" } }

  /// The description with the remedy in the caller's words.
  public func line(_ words: (Remedy) -> String) -> String {
    "looking for a soundfont: none found, and the built-in one is not installed; "
      + "\(words(.nameSoundFont)), or install fluid-soundfont-gm"
  }
}
