import SynthInstruments
import SynthMIDI
import SynthText

/// What `synth info --json` prints about a file: an object with everything that the page has, and all tracks, tempos,
/// texts and lyrics. Channels are counted from 1, those of the second port from 17, bars and beats too; times are
/// seconds.
struct InfoJSON {
  let path: String
  let info: SongInfo
  let messages: SongMessages
  let fonts: InfoFonts

  private typealias Members = [(String, JSONValue)]

  var value: JSONValue {
    let file: Members = [
      ("file", .string(path)), ("title", optional(info.title)), ("copyright", optional(info.copyright)),
      ("kind", .string(info.kind.rawValue)), ("format", .number(Int(info.format.rawValue))),
      ("division", .string(info.division.description)),
      ("ports", .array(info.song.ports.map { .number(Int($0) + 1) })),
      ("portNames", .array(info.song.portNames.map(optional))),
      ("container", info.container.map(container) ?? .null), ("duration", .number(info.song.duration)),
      ("noteCount", .number(info.noteCount)), ("polyphony", .number(info.polyphony)),
      ("standards", .array(info.song.standards.map { .string($0.rawValue) })),
      ("textEncoding", optional(info.song.textEncoding?.rawValue)),
    ]
    let lists: Members = [
      ("tracks", .array(info.tracks.map(track))),
      ("tempos", .array(info.tempos.map { change($0, "quarterNotesPerMinute", .number($0.value)) })),
      ("timeSignatures", .array(info.timeSignatures.map { change($0, "signature", .string("\($0.value)")) })),
      ("keys", .array(info.keySignatures.map { change($0, "key", .string("\($0.value)")) })),
      ("channels", .array(info.channels.map(channel))),
      ("messages", .array(messages.entries.map(message))),
      ("markers", .array(info.markers.map(marker))), ("loops", .array(info.loopPoints.map(loop))),
      ("lyrics", lyrics), ("warningCount", .number(info.warningCount)),
      (
        "warnings",
        .array(info.warnings.map { .object([("byte", .number($0.byteOffset)), ("defect", .string("\($0.defect)"))]) })
      ),
    ]
    return .object(file + lists)
  }

  private func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

  private func container(_ container: MIDIFile.Container) -> JSONValue {
    let bank = container.bank.map {
      JSONValue.object([
        ("kind", .string($0.kind.rawValue)), ("byteCount", .number($0.byteCount)), ("name", optional($0.name)),
        ("offset", .number($0.offset)), ("isPlayed", .bool(fonts.bank != nil)), ("presets", presets),
      ])
    }
    let entries = container.info.map { JSONValue.object([("tag", .string($0.tag)), ("text", .string($0.text))]) }
    return .object([("info", .array(entries)), ("bank", bank ?? .null)])
  }

  /// Of the bank in the song's file.
  private var presets: JSONValue {
    .array(
      (fonts.bank?.all ?? []).map {
        .object([("bank", .number($0.bank)), ("program", .number($0.program)), ("name", .string($0.name))])
      })
  }

  private func track(_ track: SongInfo.Track) -> JSONValue {
    .object([
      ("name", optional(track.name)), ("instruments", .array(track.instrumentNames.map(JSONValue.string))),
      ("channels", .array(track.channels.map { .number(Int($0) + 1) })), ("eventCount", .number(track.eventCount)),
      ("noteCount", .number(track.noteCount)),
    ])
  }

  private func change<Value>(_ change: SongInfo.Change<Value>, _ key: String, _ value: JSONValue) -> JSONValue {
    let position = change.start.position.map { place -> Members in
      [("bar", .number(place.bar)), ("beat", .number(place.beat))]
    }
    return .object([("seconds", .number(change.start.seconds))] + (position ?? []) + [(key, value)])
  }

  private func channel(_ channel: SongInfo.Channel) -> JSONValue {
    .object([
      ("channel", .number(Int(channel.number) + 1)), ("noteCount", .number(channel.noteCount)),
      ("lowestKey", .number(Int(channel.keys.lowerBound))), ("highestKey", .number(Int(channel.keys.upperBound))),
      ("polyphony", .number(channel.polyphony)), ("programs", .array(channel.programs.map(program))),
    ])
  }

  private func program(_ program: SongInfo.Program) -> JSONValue {
    let name = program.isDrums ? nil : program.number.map { GeneralMIDI.name(ofProgram: $0) }
    return .object([
      ("program", program.number.map { .number(Int($0)) } ?? .null), ("bank", .number(Int(program.bank))),
      ("isDrums", .bool(program.isDrums)), ("name", optional(name)), ("noteCount", .number(program.noteCount)),
      ("missingInSoundFont", .bool(fonts.substitute(for: program) != nil)),
    ])
  }

  private func message(_ entry: SongMessages.Entry) -> JSONValue {
    .object([
      ("kind", .string("\(entry.kind)")), ("name", optional(entry.kind.name)), ("count", .number(entry.count)),
      ("isIgnored", .bool(entry.isIgnored)),
    ])
  }

  private func marker(_ text: Song.Text) -> JSONValue {
    .object([
      ("seconds", .number(text.seconds)), ("kind", .string(text.type == .marker ? "marker" : "cue point")),
      ("text", .string(text.string)),
    ])
  }

  private func loop(_ loop: LoopPoints) -> JSONValue {
    .object([
      ("start", .number(loop.start.seconds)), ("end", .number(loop.end.seconds)),
      ("repeats", loop.repeats.map { .number($0) } ?? .null), ("convention", .string(loop.convention.rawValue)),
    ])
  }

  private var lyrics: JSONValue {
    let lines = info.lyrics.lines.map { line in
      JSONValue.object([
        ("seconds", .number(line.seconds)), ("text", .string(line.text)),
        (
          "syllables",
          .array(line.syllables.map { .object([("seconds", .number($0.seconds)), ("text", .string($0.text))]) })
        ),
      ])
    }
    return .object([
      ("titles", .array(info.lyrics.titles.map(JSONValue.string))), ("language", optional(info.lyrics.language)),
      ("notes", .array(info.lyrics.notes.map(JSONValue.string))), ("lines", .array(lines)),
    ])
  }
}
