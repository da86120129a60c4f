import SynthInstruments
import SynthMIDI
import SynthText

/// What `synth info` prints about a file: a line for each fact, the channels as a table, in 80 columns.
struct InfoPage {
  let path: String
  let info: SongInfo
  let messages: SongMessages
  let fonts: InfoFonts
  var showsAllLyrics = false

  private static let mostLyricLines = 4
  private static let mostEntries = LabelledLines.mostEntries

  /// The page, ending in a line break.
  var text: String {
    ([visible(path)] + facts + channels + missing + ignored + places + lyrics + repairs).map { $0 + "\n" }.joined()
  }

  // MARK: - What it is

  private var facts: [String] {
    let performers = info.lyrics.titles.dropFirst() + (info.container?["IART"].map { [$0] } ?? [])
    return labelled("title", info.title) + labelled("by", performers.joined(separator: ", "))
      + labelled("copyright", info.copyright) + container
      + labelled("file", file) + labelled("bank", bank) + labelled("ports", info.song.portPlaces)
      + labelled("for", info.song.standards.map(\.rawValue).joined(separator: ", "))
      + labelled("tracks", tracks)
      + labelled("length", length) + labelled("tempo", tempo)
      + labelled("time", changes(info.timeSignatures) { $0.description })
      + labelled("key", changes(info.keySignatures) { $0.description })
      + labelled(
        "notes", "\(info.noteCount), at most \(NumberFormatting.count(info.polyphony, "key", "keys")) held at once")
      + labelled("encoding", info.song.textEncoding?.rawValue)
      + labelled("language", info.lyrics.language) + labelled("remarks", info.lyrics.notes.joined(separator: " "))
  }

  private var file: String {
    let count = NumberFormatting.count(info.tracks.count, "track", "tracks")
    let container = info.container == nil ? "" : ", in an RMID container"
    return switch info.kind {
    case .standard: "format \(info.format.rawValue), \(count), \(info.division)\(container)"
    case .xmidi: "XMIDI of the Miles Sound System, \(NumberFormatting.count(info.tracks.count, "song", "songs"))"
    case .mus: "MUS, the music of Doom"
    }
  }

  /// What a container says that has no other place.
  private var container: [String] {
    let labels = [("IPRD", "album"), ("IALB", "album"), ("ICRD", "date"), ("IGNR", "genre"), ("ICMT", "comment")]
    return labels.flatMap { tag, label in labelled(label, info.container?[tag]) }
  }

  /// "SoundFont "Pads", 512 kB, 3 presets from bank 1 on: 0 Warm Pad, …".
  private var bank: String? {
    guard let bank = info.container?.bank else { return nil }
    let name = bank.name.map { " \"\($0)\"" } ?? ""
    let size = "\(bank.kind.rawValue)\(name), \(byteCount(bank.byteCount))"
    guard let presets = fonts.bank?.all else { return "\(size), not played" }
    let rest = presets.count - Self.mostEntries
    let names = presets.prefix(Self.mostEntries).map { "\($0.bank):\($0.program) \($0.name)" }
    let list = names.joined(separator: ", ") + (rest > 0 ? ", and \(rest) more" : "")
    return "\(size), played, with \(NumberFormatting.count(presets.count, "preset", "presets")): \(list)"
  }

  /// Their numbers, as --route takes them, with their names, or the channels of those without: "2 Bass, 3 channel 10".
  private var tracks: String {
    let names = info.tracks.enumerated().compactMap { index, track -> String? in
      if let name = track.name.map(oneLine), name != info.title { return "\(index + 1) \(name)" }
      guard track.noteCount > 0, info.tracks.count > 1 else { return nil }
      let channels = track.channels.map { ChannelName.text(Int($0)) }.joined(separator: ", ")
      return "\(index + 1) channel\(track.channels.count == 1 ? "" : "s") \(channels)"
    }
    let rest = names.count - Self.mostEntries
    return names.prefix(Self.mostEntries).joined(separator: ", ") + (rest > 0 ? ", and \(rest) more" : "")
  }

  private var length: String {
    let end = info.moment(at: info.song.tempoMap.tick(at: info.song.duration)).position
    guard let end else { return clock(info.song.duration) }
    let bars = end.beat == 1 && end.ticks == 0 ? end.bar - 1 : end.bar
    return "\(clock(info.song.duration)), \(NumberFormatting.count(bars, "bar", "bars"))"
  }

  private var tempo: String? {
    guard let first = info.tempos.first else { return nil }
    let values = info.tempos.map(\.value)
    let range = "\(beats(values.min() ?? 0)) to \(beats(values.max() ?? 0))"
    switch values.count {
    case 1: return "\(beats(first.value)) quarter notes a minute"
    case ...4: return changes(info.tempos) { beats($0) + ($0 == first.value ? " quarter notes a minute" : "") }
    default: return "\(beats(first.value)) quarter notes a minute, then \(range) in \(values.count - 1) changes"
    }
  }

  private func beats(_ tempo: Double) -> String { NumberFormatting.text(tempo, decimals: 1, keepingZeros: false) }

  /// "4/4; 3/4 from bar 17".
  private func changes<Value>(_ changes: [SongInfo.Change<Value>], _ text: (Value) -> String) -> String {
    let rest = changes.count - Self.mostEntries
    let texts = changes.prefix(Self.mostEntries).map { change in
      return text(change.value)
        + (change.start.tick == 0 ? "" : " from \(change.start.position.map(place) ?? clock(change.start.seconds))")
    }
    return (texts + (rest > 0 ? ["\(rest) more changes"] : [])).joined(separator: "; ")
  }

  /// "bar 17", or "bar 17:3" amid it.
  private func place(_ position: BarPosition) -> String {
    "bar \(position.beat == 1 ? "\(position.bar)" : "\(position)")"
  }

  // MARK: - What sounds

  private var channels: [String] {
    guard !info.channels.isEmpty else { return [] }
    let rows = info.channels.flatMap { channel in
      channel.programs.enumerated().map { place, program in
        let isFirst = place == 0
        return row(
          isFirst ? ChannelName.text(Int(channel.number)) : "", name(of: program), "\(program.noteCount)",
          isFirst ? "\(keyName(channel.keys.lowerBound))–\(keyName(channel.keys.upperBound))" : "",
          isFirst ? "\(channel.polyphony)" : "")
      }
    }
    return ["", row("channel", "program", "notes", "keys", "at once")] + rows
  }

  private func row(_ channel: String, _ program: String, _ notes: String, _ keys: String, _ atOnce: String) -> String {
    let cells =
      padded(channel, 9, atEnd: false) + "  " + padded(program, 40)
      + padded(notes, 7, atEnd: false) + "  " + padded(keys, 9) + padded(atOnce, 9, atEnd: false)
    return trimmed(cells)
  }

  private func name(of program: SongInfo.Program) -> String {
    let number = program.number ?? 0
    if program.isDrums { return number == 0 ? "drums" : "drums, set \(number)" }
    let name = "\(number) \(GeneralMIDI.name(ofProgram: number))"
    return program.bank == 0 ? name : "\(name), bank \(program.bank)"
  }

  /// Middle C is C4.
  private func keyName(_ key: UInt8) -> String {
    let names = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
    return "\(names[Int(key) % 12])\(Int(key) / 12 - 1)"
  }

  private var missing: [String] {
    let lines = info.channels.flatMap { channel in
      channel.programs.compactMap { program in
        fonts.substitute(for: program).map {
          "channel \(ChannelName.text(Int(channel.number))): \(name(of: program)) is missing, \($0) plays"
        }
      }
    }
    return lines.isEmpty ? [] : [""] + labelled("soundfont", fonts.names) + labelled("", lines)
  }

  /// "GS 40 1x 14, assign mode: 3 times".
  private var ignored: [String] {
    let lines = messages.ignored.map { entry in
      let name = entry.kind.name.map { ", \($0)" } ?? ""
      return "\(entry.kind)\(name): \(entry.count == 1 ? "once" : "\(entry.count) times")"
    }
    return lines.isEmpty ? [] : [""] + labelled("ignored", lines)
  }

  // MARK: - What stands along the way

  private var places: [String] {
    let loops = info.loopPoints.map { loop in
      let times = loop.repeats.map { $0 == 1 ? "once" : "\($0) times" } ?? "for ever"
      let bars = [loop.start, loop.end].compactMap { info.moment(at: $0.tick).position.map(place) }
      let range = bars.isEmpty ? "" : "\(bars.joined(separator: " to ")), "
      return "\(range)\(clock(loop.start.seconds)) to \(clock(loop.end.seconds)), \(times) (\(loop.convention))"
    }
    let markers = info.markers.map { "\(padded(clock($0.seconds), 5, atEnd: false))  \(oneLine($0.string))" }
    let lines = labelled("loop", loops) + labelled("markers", markers)
    return lines.isEmpty ? [] : [""] + lines
  }

  private var lyrics: [String] {
    let lines = info.lyrics.lines.map { "\(padded(clock($0.seconds), 5, atEnd: false))  \(oneLine($0.text))" }
    guard !lines.isEmpty else { return [] }
    let most = showsAllLyrics ? Int.max : Self.mostLyricLines
    return [""] + labelled("lyrics", lines, most: most, remedy: "; --lyrics shows them")
  }

  private var repairs: [String] {
    guard info.warningCount > 0 else { return [] }
    let lines = labelled("repaired", info.warnings.map(\.description), most: 5, count: info.warningCount)
    return [""] + lines
  }
}
