import Glibc
import SynthFiles
import SynthKit
import SynthMIDI

/// The songs that operands name: files, all MIDI files of folders, where they are played audio files too, those of
/// playlists, and what a list on standard input names.
struct SongList {
  /// A song, and where its rendering is to be.
  struct Entry {
    let path: String
    /// The directory of its rendering below the output directory, with / at its end.
    let place: String
    /// As a playlist has it.
    var title: String?

    /// What a person knows it by.
    var name: String { title ?? FilePath.name(of: path) }

    /// The song's own name below the output directory.
    var fileName: String { place + FilePath.name(of: path) }

    /// That of its rendering, without extension.
    var stem: String { place + FilePath.stem(of: path) }
  }

  private static let midiExtensions: Set<String> = ["mid", "midi", "kar", "rmi", "smf", "xmi", "mus"]
  private static let audioExtensions: Set<String> = [
    "wav", "wave", "flac", "ogg", "oga", "opus", "mp3", "aif", "aiff", "caf", "w64",
  ]

  /// Whether folders stand for their audio files too.
  let takesAudio: Bool
  /// One of the audio files for which folders do not stand.
  private(set) var audioFileLeftOut: String?
  private(set) var entries: [Entry] = []
  /// What cannot be looked into or named, one line each.
  private(set) var problems: [String] = []
  /// The playlists that an operand has led to.
  private var playlists: Set<FileIdentity> = []

  /// - Parameters:
  ///   - readsInput: whether `-` is a list on standard input.
  ///   - takesAudio: whether folders stand for their audio files too; where files are written there, these would be
  ///     the next time's songs.
  init(_ operands: [String], readsInput: Bool, takesAudio: Bool = false) {
    self.takesAudio = takesAudio
    for operand in operands {
      playlists = []
      if readsInput, operand == "-" {
        readList()
      } else {
        add(operand, place: "", folderPlace: operands.count > 1 ? Self.place(operand) : "")
      }
    }
  }

  /// Whether an operand may be several songs.
  static func isSeveral(_ operand: String) -> Bool {
    operand == "-" || isPlaylist(operand) || isDirectory(operand)
  }

  private static func isPlaylist(_ path: String) -> Bool { PlaylistFile.extensions.contains(extensionOf(path)) }

  /// - Parameters:
  ///   - place: of a file.
  ///   - folderPlace: of a folder.
  private mutating func add(_ path: String, place: String, folderPlace: String, title: String? = nil) {
    if Self.isDirectory(path) {
      var visited: Set<FileIdentity> = []
      walk(path, below: folderPlace, &visited)
    } else if Self.isPlaylist(path) {
      readPlaylist(path, place: place)
    } else {
      entries.append(Entry(path: path, place: place, title: title))
    }
  }

  /// One that names itself, or another that does, is read once.
  private mutating func readPlaylist(_ path: String, place: String) {
    if let identity = FileIdentity(path: path), !playlists.insert(identity).inserted { return }
    do throws(MIDIFileError) {
      let list = try PlaylistFile(path: path)
      problems += list.problems
      for entry in list.entries {
        let folderPlace = list.entries.count > 1 ? Self.place(entry.path) : place
        add(entry.path, place: place, folderPlace: folderPlace, title: entry.title)
      }
    } catch {
      problems.append("\(error)")
    }
  }

  /// A folder's own path below the output directory, with / at its end: nothing in it leads out.
  private static func place(_ folder: some StringProtocol) -> String {
    var names: [Substring] = []
    for name in Substring(folder).split(separator: "/") where name != "." {
      if name == ".." { _ = names.popLast() } else { names.append(name) }
    }
    return names.map { $0 + "/" }.joined()
  }

  /// One path a line, or with a NUL byte after each, as `find -print0` writes them.
  private mutating func readList() {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(STDIN_FILENO, &block, block.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += block.prefix(count)
    }
    let isText = !bytes.contains(0)
    for line in bytes.split(separator: isText ? UInt8(ascii: "\n") : 0) {
      // Lists from Windows have a carriage return before each line break.
      let path = String(path: isText && line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
      if !path.isEmpty {
        add(
          path, place: Self.place(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)),
          folderPlace: Self.place(path))
      }
    }
  }

  /// Adds the songs of a folder in the order of their names, first its own, then those of folders in it.
  ///
  /// - Parameters:
  ///   - place: of the folder below the output directory, with / at its end.
  ///   - visited: a folder that links lead to once more is passed over.
  private mutating func walk(_ folder: String, below place: String, _ visited: inout Set<FileIdentity>) {
    guard let identity = FileIdentity(path: folder), visited.insert(identity).inserted else { return }
    guard let stream = opendir(folder.cPath) else {
      return problems.append("reading \(folder): \(systemText(errno)); check the permissions")
    }
    var (songs, folders): ([String], [String]) = ([], [])
    while let entry = readdir(stream) {
      var status = stat()
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 1) { name in
          _ = fstatat(dirfd(stream), name, &status, 0)
          return String(path: name)
        }
      }
      // What is hidden is left alone, and what is no file.
      guard !name.hasPrefix(".") else { continue }
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      guard isFolder || status.st_mode & S_IFMT == S_IFREG && takes(name, of: folder) else { continue }
      if isFolder { folders.append(name) } else { songs.append(name) }
    }
    closedir(stream)
    let path = folder.hasSuffix("/") ? folder : folder + "/"
    for name in songs.sorted() { entries.append(Entry(path: path + name, place: place)) }
    for name in folders.sorted() { walk(path + name, below: "\(place)\(name)/", &visited) }
  }

  /// Whether a file of a folder is a song, by its name.
  private mutating func takes(_ name: String, of folder: String) -> Bool {
    let kind = Self.extensionOf(name)
    guard Self.audioExtensions.contains(kind) else { return Self.midiExtensions.contains(kind) }
    if !takesAudio { audioFileLeftOut = folder + (folder.hasSuffix("/") ? "" : "/") + name }
    return takesAudio
  }

  private static func isDirectory(_ path: String) -> Bool { FilePath.kind(of: path) == S_IFDIR }

  private static func extensionOf(_ name: String) -> String {
    name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
  }
}
