import Glibc
import MIDI
import SynthKit

/// The songs that operands name: files, all MIDI files of folders, those of playlists, and what a list on standard
/// input names.
struct SongList {
  /// A song, and the name of its rendering below the output directory, without extension.
  struct Entry {
    let path: String
    let stem: String
    /// As a playlist has it.
    var title: String?

    /// What a person knows it by.
    var name: String { title ?? String(path.split(separator: "/").last ?? "song") }
  }

  private static let extensions: Set<String> = ["mid", "midi", "kar", "rmi", "smf"]

  private(set) var entries: [Entry] = []
  /// What cannot be looked into or named, one line each.
  private(set) var problems: [String] = []
  /// The playlists that an operand has led to.
  private var playlists: Set<FileIdentity> = []

  /// - Parameter readsInput: whether `-` is a list on standard input.
  init(_ operands: [String], readsInput: Bool) {
    for operand in operands {
      playlists = []
      if readsInput, operand == "-" { readList() } else { add(operand) }
    }
  }

  /// Whether an operand may be several songs.
  static func isSeveral(_ operand: String) -> Bool {
    operand == "-" || isPlaylist(operand) || isDirectory(operand)
  }

  private static func isPlaylist(_ path: String) -> Bool { PlaylistFile.extensions.contains(extensionOf(path)) }

  private mutating func add(_ path: String, title: String? = nil) {
    if Self.isDirectory(path) {
      var visited: Set<FileIdentity> = []
      walk(path, below: "", &visited)
    } else if Self.isPlaylist(path) {
      readPlaylist(path)
    } else {
      entries.append(Entry(path: path, stem: Self.stem(path), title: title))
    }
  }

  /// One that names itself, or another that does, is read once.
  private mutating func readPlaylist(_ path: String) {
    if let identity = FileIdentity(path: path), !playlists.insert(identity).inserted { return }
    do throws(MIDIFileError) {
      let list = try PlaylistFile(path: path)
      problems += list.problems
      for entry in list.entries { add(entry.path, title: entry.title) }
    } catch {
      problems.append("\(error)")
    }
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
    for line in bytes.split(separator: bytes.contains(0) ? 0 : UInt8(ascii: "\n")) {
      withPath(Array(line)) { $0.add($1) }
    }
  }

  /// Adds the songs of a folder in the order of their names, first its own, then those of folders in it.
  ///
  /// - Parameters:
  ///   - place: of the folder below the output directory, with / at its end.
  ///   - visited: a folder that links lead to once more is passed over.
  private mutating func walk(_ folder: String, below place: String, _ visited: inout Set<FileIdentity>) {
    guard let identity = FileIdentity(path: folder), visited.insert(identity).inserted else { return }
    guard let stream = opendir(folder) else {
      return problems.append("reading \(folder): \(systemText(errno)); check the permissions")
    }
    var (songs, folders): ([String], [String]) = ([], [])
    while let entry = readdir(stream) {
      // An entry has no more memory than its name needs.
      let bytes = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 1) { name in
          Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
        }
      }
      // What is hidden is left alone.
      guard bytes.first != UInt8(ascii: ".") else { continue }
      withPath(bytes) { list, name in
        if Self.isDirectory("\(folder)/\(name)") {
          folders.append(name)
        } else if Self.extensions.contains(Self.extensionOf(name)) {
          songs.append(name)
        }
      }
    }
    closedir(stream)
    // Songs that differ by their extensions alone keep them.
    let counts = Dictionary(songs.map { (Self.stem($0), 1) }, uniquingKeysWith: +)
    let path = folder.hasSuffix("/") ? folder : folder + "/"
    for name in songs.sorted() {
      let stem = Self.stem(name)
      entries.append(Entry(path: path + name, stem: place + (counts[stem] == 1 ? stem : name)))
    }
    for name in folders.sorted() { walk(path + name, below: "\(place)\(name)/", &visited) }
  }

  private mutating func withPath(_ bytes: [UInt8], _ use: (inout SongList, String) -> Void) {
    if let path = String(validating: bytes, as: UTF8.self) {
      use(&self, path)
    } else {
      problems.append(
        (bytes + [0]).withUnsafeBytes { "\(NotText($0.assumingMemoryBound(to: CChar.self).baseAddress!))" })
    }
  }

  private static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func extensionOf(_ name: String) -> String {
    name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
  }

  /// A file's name without directory and extension.
  private static func stem(_ path: String) -> String {
    let name = path.split(separator: "/").last ?? "song"
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return String(name) }
    return String(name[..<dot])
  }
}

/// What an errno value means, in the system's words.
func systemText(_ code: Int32) -> String { String(cString: strerror(code)).lowercased() }
