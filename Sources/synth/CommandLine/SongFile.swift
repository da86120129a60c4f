import MIDI

/// A MIDI file named on the command line.
struct SongFile {
  let path: String
  let song: Song

  /// A hopeless file may have a warning for every other byte.
  private static let warningLimit = 5

  /// Reads the file; what is odd in it is told, one line each, but not without end.
  init(path: String) throws {
    self.path = path
    let file = try MIDIFile(path: path)
    for warning in file.warnings.prefix(Self.warningLimit) { Terminal.note("warning: \(path): \(warning)") }
    let rest = file.warnings.count - Self.warningLimit
    if rest > 0 { Terminal.note("warning: \(path): and \(rest) more places like these") }
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
