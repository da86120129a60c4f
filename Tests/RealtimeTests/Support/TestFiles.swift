import Glibc

/// Files of Debian packages the tests play with; `make deps` installs them.
enum TestFiles {
  /// A General MIDI soundfont.
  static var soundFont: String {
    get throws(Missing) { try find("/usr/share/sounds/sf2/TimGM6mb.sf2", package: "timgm6mb-soundfont") }
  }

  /// A song with tempo changes, program changes, bends and all 16 channels' worth of notes.
  static var song: String {
    get throws(Missing) {
      try find("/usr/share/games/openttd/baseset/openmsx/tttheme2.mid", package: "openttd-openmsx")
    }
  }

  private static func find(_ path: String, package: String) throws(Missing) -> String {
    guard access(path, R_OK) == 0 else { throw Missing(path: path, package: package) }
    return path
  }

  struct Missing: Error, CustomStringConvertible {
    let path: String
    let package: String

    var description: String { "reading \(path): it is missing; install the Debian package \(package)" }
  }
}
