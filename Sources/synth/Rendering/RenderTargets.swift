import Glibc

/// A song and the file it becomes.
struct Rendering: Sendable {
  let song: String
  let target: String
}

/// Where songs are to be rendered to, checked before anything is lost.
enum RenderTargets {
  /// Refuses two songs for one file, and a file that is one of the songs.
  static func check(_ renderings: [Rendering]) throws(RenderTargetError) {
    var songs: [String: String] = [:]
    var songFiles: [FileIdentity: String] = [:]
    for rendering in renderings {
      if let other = songs.updateValue(rendering.song, forKey: rendering.target) {
        throw .sameTarget(other, rendering.song, target: rendering.target)
      }
      if let file = FileIdentity(path: rendering.song) { songFiles[file] = rendering.song }
    }
    for rendering in renderings {
      if let file = FileIdentity(path: rendering.target), let song = songFiles[file] {
        throw .isTheSong(song, target: rendering.target)
      }
    }
  }

  /// Makes the directory of a file, and those above it.
  static func makeDirectory(of path: String) {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
    let directory = String(path[..<slash])
    guard mkdir(directory, 0o777) != 0, errno == ENOENT else { return }
    makeDirectory(of: directory)
    mkdir(directory, 0o777)
  }
}

/// A file, by whatever names it has.
struct FileIdentity: Hashable {
  private let device: dev_t
  private let number: ino_t

  /// Nil where nothing is.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, number) = (status.st_dev, status.st_ino)
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
