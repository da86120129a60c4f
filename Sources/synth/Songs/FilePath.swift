import Glibc
import SynthFiles

/// What a path says, and what it leads to.
enum FilePath {
  /// Its last part, for people and for names of renderings.
  static func name(of path: String) -> String { String(path.split(separator: "/").last ?? "song") }

  /// The name without extension.
  static func stem(of path: String) -> String {
    let name = name(of: path)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }

  /// Of what is there, links followed: `S_IFREG`, `S_IFDIR` and others; 0 where nothing is.
  static func kind(of path: String) -> mode_t {
    var status = stat()
    return stat(path.cPath, &status) == 0 ? status.st_mode & S_IFMT : 0
  }
}

/// A file, by whatever names it has.
struct FileIdentity: Hashable {
  private let device: dev_t
  private let number: ino_t

  /// Nil where nothing is.
  init?(path: String) {
    var status = stat()
    guard stat(path.cPath, &status) == 0 else { return nil }
    (device, number) = (status.st_dev, status.st_ino)
  }
}
