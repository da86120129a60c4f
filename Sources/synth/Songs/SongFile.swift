import AudioFiles
import Instruments
import MIDI

/// A MIDI file named on the command line.
struct SongFile {
  let path: String
  let song: Song
  /// What was repaired, one line each, but not without end.
  let warnings: [String]
  /// What will sound otherwise than the file asks for, one line each.
  let notices: [String]
  /// A hopeless file may have a warning for every other byte.
  private static let warningLimit = 5
  /// A day. A damaged file of forty bytes may claim a century.
  private static let longest: Double = 24 * 3600

  /// Reads a file to be played.
  ///
  /// - Parameter playsBank: whether it is played with the bank in its file, if there is one.
  init(path: String, playsBank: Bool) throws {
    try self.init(path: path, bytes: MIDIFile.bytes(ofFile: path), playsBank: playsBank)
    guard song.duration <= Self.longest else { throw SongFileError.tooLong(path, hours: song.duration / 3600) }
  }

  init(path: String, bytes: [UInt8], playsBank: Bool) throws {
    self.path = path
    let file = try MIDIFile(bytes: bytes, name: path)
    let rest = file.warningCount - Self.warningLimit
    warnings =
      file.warnings.prefix(Self.warningLimit).map { "\(path): \($0)" }
      + (rest > 0 ? ["\(path): and \(rest) more places like these"] : [])
    var notices: [String] = []
    var song = Song(file)
    if !playsBank { song.container?.bank = nil }
    do throws(InstrumentError) {
      try song.container?.bank?.check()
    } catch {
      song.container?.bank = nil
      notices.append("\(path): \(error.bankReason); played without its own instruments")
    }
    if let sharing = song.portSharing { notices.append("\(path): it is for ports \(sharing)") }
    (self.song, self.notices) = (song, notices)
    guard !song.events.isEmpty else { throw SongFileError.nothingToPlay(path) }
  }

  /// Those with notes, 0 to 15, in order.
  func channels(by routes: SongRoutes) -> [UInt8] {
    Set(song.routed(by: routes).events.lazy.map(\.message).filter { $0.kind == .noteOn }.map(\.channel)).sorted()
  }

  /// What the file says about itself: karaoke files have title and performer, containers what is known of sound files.
  var title: String? { text(.title) }
  var artist: String? { text(.artist) }
  var album: String? { text(.album) }
  var genre: String? { text(.genre) }
  var comment: String? { text(.comment) }

  private func text(_ tag: AudioFileTag) -> String? { song.tags[tag] }
}

extension Song {
  /// What the file says about the song, in one line each.
  var tags: [AudioFileTag: String] {
    let words = lyrics
    let texts: [AudioFileTag: String?] = [
      .title: words.titles.first ?? container?["INAM"] ?? title,
      .artist: words.titles.dropFirst().first ?? container?["IART"],
      .album: container?["IPRD"] ?? container?["IALB"], .date: container?["ICRD"], .genre: container?["IGNR"],
      .copyright: container?["ICOP"], .comment: container?["ICMT"] ?? words.notes.first,
    ]
    return texts.compactMapValues { $0.map(oneLine) }.filter { !$0.value.isEmpty }
  }
}

extension Song {
  /// The ports of a song for more than 16 channels, and what becomes of them; nil for one port.
  var portSharing: String? {
    guard ports.count > 1 else { return nil }
    let numbers = ports.map { "\(Int($0) + 1)" }.joined(separator: ", ")
    return "\(numbers); their channels of the same number are played as one"
  }
}

extension InstrumentError {
  /// What is wrong with the bank of a song.
  var bankReason: String { if case .songBank(let reason) = self { "its bank: \(reason)" } else { "its bank: \(self)" } }
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
