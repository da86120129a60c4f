import Glibc

/// Where songs are to be rendered to, checked before anything is lost.
enum RenderTargets {
  /// Refuses two songs for one file, and a file that is one of the songs.
  static func check(_ renderings: [(song: String, target: String)]) throws(RenderTargetError) {
    var songs: [String: String] = [:]
    for (song, target) in renderings {
      if let other = songs.updateValue(song, forKey: target) { throw .sameTarget(other, song, target: target) }
    }
    for (_, target) in renderings {
      if let song = renderings.first(where: { isSameFile($0.song, target) })?.song {
        throw .isTheSong(song, target: target)
      }
    }
  }

  private static func isSameFile(_ one: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    return stat(one, &first) == 0 && stat(other, &second) == 0
      && first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }
}

/// Rendering would lose something.
enum RenderTargetError: Error, CustomStringConvertible {
  case sameTarget(String, String, target: String)
  case isTheSong(String, target: String)

  var description: String {
    switch self {
    case .sameTarget(let one, let other, let target):
      "rendering \(one) and \(other): both would become \(target); render them into different directories"
    case .isTheSong(let song, let target):
      "rendering \(song): \(target) is the song itself; choose another -o"
    }
  }
}
