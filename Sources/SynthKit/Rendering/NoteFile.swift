import SynthAudioFiles
import SynthMIDI
import SynthText

/// The notes of a song in a file, which gets its name when it is complete.
final class NoteFile {
  private let sink: FileSink
  private let lines: NoteLines

  init(_ path: String, _ lines: NoteLines) throws(AudioFileError) {
    sink = try FileSink(path: path)
    self.lines = lines
  }

  /// `finish` tells a failure.
  ///
  /// - Parameter offset: what the file has in front of the song, in frames.
  func write(_ notes: [RenderedNote], after offset: Int) { sink.write(Array(lines.text(notes, after: offset).utf8)) }

  func finish() throws(AudioFileError) { try sink.commit() }
}

/// Notes as lines of JSON. Channels and tracks are counted from 1; samples are frames of the file, from 0.
struct NoteLines {
  let song: Song
  /// By which the name of a note's stem is found.
  let stems: [Stem]

  func text(_ notes: [RenderedNote], after offset: Int) -> String {
    notes.map { "\(line($0, after: offset))\n" }.joined()
  }

  private func line(_ note: RenderedNote, after offset: Int) -> JSONValue {
    let stem = stems.first { $0.has(note) }
    let played: [(String, JSONValue)] = [
      ("channel", .number(Int(note.channel) + 1)), ("key", .number(Int(note.key))),
      ("velocity", .number(Int(note.velocity))), ("track", .number(note.track + 1)),
      ("trackName", text(trackNames[note.track])), ("preset", text(note.preset?.name)),
      ("bank", number(note.preset?.bank)), ("program", number(note.preset?.program)),
    ]
    let times: [(String, JSONValue)] = [
      ("startTick", .number(Int(note.startTick))), ("endTick", .number(Int(note.endTick))),
      ("startSeconds", .number(song.tempoMap.seconds(at: note.startTick))),
      ("endSeconds", .number(song.tempoMap.seconds(at: note.endTick))),
      ("firstSample", number(note.frames.map { $0.lowerBound + offset })),
      ("lastSample", number(note.frames.map { $0.upperBound + offset - 1 })),
      ("stolen", .bool(note.isStolen)),
    ]
    return .object(played + times + (stem.map { [("stem", .string($0.name))] } ?? []))
  }

  private func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  private func number(_ number: Int?) -> JSONValue { number.map { .number($0) } ?? .null }

  private let trackNames: [Int: String]

  init(of song: Song, stems: [Stem]) {
    self.song = song
    self.stems = stems
    trackNames = song.trackNames
  }
}

extension Stem {
  fileprivate func has(_ note: RenderedNote) -> Bool {
    switch source {
    case .channels(let channels): channels.contains(Int(note.channel))
    case .track(let track): note.track == track
    case .reverb, .chorus, .delay: false
    }
  }
}
