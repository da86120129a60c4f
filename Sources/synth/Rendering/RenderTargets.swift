import Glibc
import SynthAudioFiles
import SynthFiles

/// A song and the file it becomes.
struct Rendering: Sendable {
  let song: String
  let target: String
}

/// Where songs are to be rendered to, checked before anything is lost.
struct RenderTargets {
  private(set) var renderings: [Rendering] = []
  /// Songs that would overwrite a song or another's rendering, one line each.
  private(set) var problems: [String] = []

  init(_ entries: [SongList.Entry], _ options: RenderOptions) {
    let songs = Self.once(entries)
    let files = Dictionary(
      songs.compactMap { song in FileIdentity(path: song.path).map { ($0, song.path) } }, uniquingKeysWith: { $1 })
    var owners: [String: String] = [:]
    for (song, stem) in zip(songs, Self.stems(of: songs)) {
      let target = options.target(stem)
      if let owner = owners[target] {
        problems.append("rendering \(song.path): \(owner) becomes \(target); render them into different directories")
      } else if let file = FileIdentity(path: target).flatMap({ files[$0] }) {
        problems.append(
          "rendering \(song.path): \(target) is \(file == song.path ? "the song itself" : "a song"); choose another -o")
      } else {
        owners[target] = song.path
        renderings.append(Rendering(song: song.path, target: target))
      }
    }
  }

  /// A song that is named twice for the same place counts once.
  private static func once(_ entries: [SongList.Entry]) -> [SongList.Entry] {
    struct Key: Hashable {
      let name: String
      let file: FileIdentity?
      let path: String?
    }
    var known: Set<Key> = []
    return entries.filter { entry in
      let file = FileIdentity(path: entry.path)
      return known.insert(Key(name: entry.fileName, file: file, path: file == nil ? entry.path : nil)).inserted
    }
  }

  /// The names of renderings below the output directory, without extension. Songs that differ by their extensions alone
  /// keep these.
  private static func stems(of songs: [SongList.Entry]) -> [String] {
    var stems = songs.map(\.stem)
    while true {
      var names: [String: Set<String>] = [:]
      for (song, stem) in zip(songs, stems) { names[stem, default: []].insert(song.fileName) }
      let twins = songs.indices.filter { names[stems[$0]]?.count != 1 && stems[$0] != songs[$0].fileName }
      if twins.isEmpty { return stems }
      for index in twins { stems[index] = songs[index].fileName }
    }
  }

  /// Removes what killed programs have left where files are to be: beside targets, and in those that are directories of
  /// stems.
  static func removeLeftovers(of renderings: [Rendering]) {
    let directories = Set(
      renderings.flatMap { rendering in
        [rendering.target.lastIndex(of: "/").map { String(rendering.target[...$0]) } ?? "", rendering.target]
      })
    for directory in directories { AudioFileWriter.removeLeftovers(in: directory) }
  }

  /// Makes the directory of a file, and those above it.
  static func makeDirectory(of path: String) throws(AudioFileError) {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
    let directory = String(path[..<slash])
    switch FilePath.kind(of: directory) {
    case S_IFDIR: return
    case 0: try makeDirectory(of: directory)
    default: throw .cannotCreate(path: directory, code: ENOTDIR)
    }
    if mkdir(directory.cPath, 0o777) != 0, errno != EEXIST { throw .cannotCreate(path: directory, code: errno) }
  }
}
