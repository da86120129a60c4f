import MIDI

/// A MIDI file named on the command line.
struct SongFile {
  let path: String
  let song: Song
  /// What is odd in the file, one line each, but not without end.
  let warnings: [String]
  private let container: MIDIFile.Container?

  /// A hopeless file may have a warning for every other byte.
  private static let warningLimit = 5
  /// A day. A damaged file of forty bytes may claim a century.
  private static let longest: Double = 24 * 3600

  /// Reads a file to be played.
  init(path: String) throws {
    try self.init(path: path, bytes: MIDIFile.bytes(ofFile: path))
    guard song.duration <= Self.longest else { throw SongFileError.tooLong(path, hours: song.duration / 3600) }
  }

  init(path: String, bytes: [UInt8]) throws {
    self.path = path
    let file = try MIDIFile(bytes: bytes, name: path)
    let rest = file.warningCount - Self.warningLimit
    warnings =
      file.warnings.prefix(Self.warningLimit).map { "\(path): \($0)" }
      + (rest > 0 ? ["\(path): and \(rest) more places like these"] : [])
    song = Song(file)
    container = file.container
    guard !song.events.isEmpty else { throw SongFileError.nothingToPlay(path) }
  }

  /// Those with notes, 0 to 15, in order.
  func channels(by routes: SongRoutes) -> [UInt8] {
    Set(song.routed(by: routes).events.lazy.map(\.message).filter { $0.kind == .noteOn }.map(\.channel)).sorted()
  }

  /// What the file says about itself: karaoke files have title and performer, containers what is known of sound files.
  var title: String? { song.lyrics.titles.first ?? container?["INAM"] ?? song.title }
  var artist: String? { song.lyrics.titles.dropFirst().first ?? container?["IART"] }
  var comment: String? { container?["ICMT"] ?? song.lyrics.notes.first }
}

/// A MIDI file that can be read, but not sensibly played.
enum SongFileError: Error, CustomStringConvertible {
  case tooLong(String, hours: Double)
  case nothingToPlay(String)

  var description: String {
    switch self {
    case .tooLong(let path, let hours):
      "reading \(path): it would last \(tenths(hours)) hours, so it is damaged; give another"
    case .nothingToPlay(let path):
      "reading \(path): there is nothing to play in it; give another"
    }
  }
}
