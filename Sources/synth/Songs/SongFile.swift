import Glibc
import SynthAudioFiles
import SynthInstruments
import SynthKit
import SynthMIDI
import SynthText

/// A MIDI file or audio file named on the command line.
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
  /// - Parameters:
  ///   - playsBank: whether it is played with the bank in its file, if there is one.
  ///   - reading: how its texts and its programs are read.
  init(path: String, playsBank: Bool, _ reading: SongReading = SongReading()) throws {
    try self.init(path: path, Content(path: path), playsBank: playsBank, reading)
    guard song.duration <= Self.longest else { throw SongFileError.tooLong(path, hours: song.duration / 3600) }
  }

  init(path: String, _ content: Content, playsBank: Bool, _ reading: SongReading) throws {
    self.path = path
    let file: MIDIFile
    switch content {
    case .audio(let sound):
      (song, warnings, notices) = (Song(sound: sound), Self.warnings(of: sound), [])
      return
    case .midi(let bytes, let refusal): file = try Self.midiFile(bytes, path, refusal, reading.encoding)
    }
    let rest = file.warningCount - Self.warningLimit
    warnings =
      file.warnings.prefix(Self.warningLimit).map { "\(path): \($0)" }
      + (rest > 0 ? ["\(path): and \(rest) more places like these"] : [])
    var notices: [String] = []
    var song = reading.mt32.applied(to: Song(file))
    if !playsBank { song.container?.bank = nil }
    do throws(InstrumentError) {
      try song.container?.bank?.check()
    } catch {
      song.container?.bank = nil
      notices.append("\(path): \(error.bankReason); played without its own instruments")
    }
    if song.ports.count > MIDIPorts.count, let ports = song.portPlaces {
      notices.append("\(path): it has more ports than the \(MIDIPorts.count) that are played: \(ports)")
    }
    (self.song, self.notices) = (song, notices)
    guard !song.events.isEmpty || song.duration > 0 else { throw SongFileError.nothingToPlay(path) }
  }

  private static func warnings(of sound: FileSound) -> [String] {
    guard sound.missingByteCount > 0 else { return [] }
    let missing = NumberFormatting.count(sound.missingByteCount, "byte is", "bytes are")
    return ["\(sound.path): it was cut off: its last \(missing) missing; what is there is played"]
  }

  /// A damaged audio file is told of as such.
  private static func midiFile(
    _ bytes: [UInt8], _ path: String, _ refusal: AudioFileError?, _ encoding: TextEncoding?
  ) throws -> MIDIFile {
    do throws(MIDIFileError) {
      return try MIDIFile(bytes: bytes, name: path, textEncoding: encoding)
    } catch {
      if case .anotherFile(let kind) = error.cause, kind.hasSuffix("audio file"), let refusal { throw refusal }
      throw error
    }
  }

  /// Why an audio file could not be read on, once. What is missing is silent.
  var failure: AudioFileError? { (song.sound as? FileSound)?.takeFailure() }

  /// Those with notes, of all ports, 0 to 63, in order.
  func channels(by routes: SongRoutes) -> [UInt8] {
    let notes = song.routed(by: routes).events.lazy.map(\.message).filter { $0.kind == .noteOn }
    return Set(notes.map { UInt8($0.channelIndex) }).sorted()
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
    if let sound = sound as? FileSound { return sound.tags.mapValues(withoutControls) }
    let words = lyrics
    let texts: [AudioFileTag: String?] = [
      .title: words.titles.first ?? container?["INAM"] ?? title,
      .artist: words.titles.dropFirst().first ?? container?["IART"],
      .album: container?["IPRD"] ?? container?["IALB"], .date: container?["ICRD"], .genre: container?["IGNR"],
      .copyright: container?["ICOP"], .comment: container?["ICMT"] ?? words.notes.first,
    ]
    return texts.compactMapValues { $0.map(withoutControls) }.filter { !$0.value.isEmpty }
  }
}

extension SongFile {
  /// What a file is: MIDI files are read whole, audio files while they play.
  enum Content {
    /// With what libsndfile says about it.
    case midi([UInt8], AudioFileError?)
    case audio(FileSound)

    init(path: String) throws {
      // What begins a pipe would be gone, so pipes are for MIDI files.
      guard FilePath.kind(of: path) == S_IFREG else {
        self = .midi(try MIDIFile.bytes(ofFile: path), nil)
        return
      }
      do throws(AudioFileError) {
        self = .audio(try FileSound(path: path))
      } catch {
        self = .midi(try MIDIFile.bytes(ofFile: path), error)
      }
    }
  }
}

extension Song {
  /// Where the ports of a song for more than 16 channels are played, "1 is A, 2 is B", or `"SC-88" is A`; nil for one.
  var portPlaces: String? {
    guard ports.count > 1 else { return nil }
    return zip(ports, portNames).enumerated().map { place, port in
      let name = port.1.map { "\"\(withoutControls($0))\"" } ?? "\(Int(port.0) + 1)"
      return "\(name) is \(ChannelName.port(place % MIDIPorts.count))\(place < MIDIPorts.count ? "" : " too")"
    }.joined(separator: ", ")
  }
}

extension InstrumentError {
  /// What is wrong with the bank of a song.
  var bankReason: String { if case .songBank(let reason) = self { "its bank: \(reason)" } else { "its bank: \(self)" } }
}

/// How a MIDI file is read where that is not decided by what is in it.
struct SongReading {
  /// Of its texts; nil decides it from them.
  var encoding: TextEncoding?
  var mt32 = MT32Mapping.off
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
