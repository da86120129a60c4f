import MIDI

/// A MIDI file named on the command line.
struct SongFile {
  let path: String
  let song: Song

  /// Reads the file; what is odd in it is told, one line each.
  init(path: String) throws {
    self.path = path
    let file = try MIDIFile(path: path)
    for warning in file.warnings { Terminal.note("warning: \(path): \(warning)") }
    song = Song(file)
  }

  /// The file's name without directory and extension.
  var stem: String {
    let name = self.name
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }

  var name: String { String(path.split(separator: "/").last ?? "song") }
}
