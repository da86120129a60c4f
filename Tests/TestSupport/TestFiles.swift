import Glibc

/// Files of Debian packages the tests play with; `make deps` installs them.
public enum TestFiles {
  /// A General MIDI soundfont.
  public static var soundFont: String {
    get throws(Missing) { try soundFont("TimGM6mb") }
  }

  /// A soundfont by its file name: TimGM6mb or FluidR3_GM.
  public static func soundFont(_ name: String) throws(Missing) -> String {
    try find(
      "/usr/share/sounds/sf2/\(name).sf2", package: name == "TimGM6mb" ? "timgm6mb-soundfont" : "fluid-soundfont-gm")
  }

  /// A song with tempo changes, program changes, bends and all 16 channels' worth of notes.
  public static var song: String {
    get throws(Missing) {
      try find("/usr/share/games/openttd/baseset/openmsx/tttheme2.mid", package: "openttd-openmsx")
    }
  }

  /// A song of Debian's openttd-openmsx by its file name.
  public static func song(_ name: String) throws(Missing) -> String {
    try find("/usr/share/games/openttd/baseset/openmsx/\(name)", package: "openttd-openmsx")
  }

  /// Two spoken words, in mono at 48 kHz.
  static func word(_ name: String) throws(Missing) -> String {
    try find("/usr/share/sounds/alsa/\(name).wav", package: "alsa-utils")
  }

  private static func find(_ path: String, package: String) throws(Missing) -> String {
    guard access(path, R_OK) == 0 else { throw Missing(path: path, package: package) }
    return path
  }

  public struct Missing: Error, CustomStringConvertible {
    let path: String
    let package: String

    public var description: String { "reading \(path): it is missing; install the Debian package \(package)" }
  }
}
