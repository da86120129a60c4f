import Glibc

/// The soundfonts the benchmarks play.
enum SoundFont {
  /// The font of the table of costs, small so that callgrind loads it in seconds.
  static func small() throws -> String {
    let path = "/usr/share/sounds/sf2/TimGM6mb.sf2"
    guard access(path, R_OK) == 0 else { throw Missing(path: path) }
    return path
  }

  struct Missing: Error, CustomStringConvertible {
    let path: String
    var description: String { "loading soundfont \(path): it is missing; install timgm6mb-soundfont" }
  }
}
