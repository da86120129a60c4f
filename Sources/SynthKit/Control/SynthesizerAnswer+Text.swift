import SynthDSP
import SynthInstruments
import SynthMIDI
import SynthText

extension SynthesizerAnswer {
  /// The answer as a person reads it, in lines of any length: "preset     pop".
  public var text: String {
    switch self {
    case .preset(let name): "preset     \(name)"
    case .instruments(let assignments):
      "instrument \(assignments.map(\.description).joined(separator: ", "))"
    case .soundFont(let path): "soundfont  \(path)"
    case .soundFonts(let paths, let bank):
      "soundfont  \(paths.isEmpty ? "none" : paths.joined(separator: ", "))\(Self.bankNote(bank))"
    case .values(let values): values.line
    case .program(let channel, let bank, let program):
      "program    channel \(channel + 1): \(bank.map { "\($0):" } ?? "")\(program)"
    case .map(let map): "map        \(map)"
    case .output(let name): "output     \(name)"
    case .nodes(let names): "nodes      \(names.joined(separator: ", "))"
    case .settings(let settings): settings.map(Self.line).joined(separator: "\n")
    case .setting(let node, let setting): "\(Self.padded(node, 10)) \(setting.name) \(setting.value)"
    case .snapshot(let answer): answer.text
    case .inserts(let listings):
      "insert     " + (listings.isEmpty ? "none; insert 3 compressor puts one in" : Self.line(listings))
    case .buses(let listings):
      "bus        "
        + (listings.isEmpty ? "none; bus drums main makes one" : listings.map(\.text).joined(separator: "; "))
    case .scene(let answer): answer.text
    case .learn(let text): text
    case .routes(let routes):
      "route      \(routes.isEmpty ? "none: all play on their own channels" : routes.texts.joined(separator: " "))"
    case .paused(let place): "paused     at \(SongTime(place))"
    case .playing(let place): "playing    from \(SongTime(place))"
    case .recording(let files):
      "recording  " + (files.isEmpty ? "none" : files.map(Self.place).joined(separator: ", "))
    case .recorded(let files): files.isEmpty ? "recording  none" : files.map(Self.line).joined(separator: "\n")
    case .saving(let path): "saving     \(path), with the sound as it is now"
    case .metronome(let isOn, let level, let tempo):
      "metronome  "
        + (isOn
          ? "on, \(level.figure(decimals: 1)) dB, "
            + (tempo.map { "\(Self.tenths($0)) a minute" } ?? "at the song's tempo")
          : "off")
    case .loop(let loop): "loop       \(loop.map { "\(SongTime($0.start)) to \(SongTime($0.end))" } ?? "off")"
    }
  }

  private static func line(_ listings: [InsertListing]) -> String {
    listings.map(\.text).joined(separator: "; ")
  }

  /// "take.flac", "drums.flac from drums"
  private static func place(_ file: SessionRecorder.Recorded) -> String {
    file.path + (file.strip == .main ? "" : " from \(file.strip)")
  }

  private static func line(_ file: SessionRecorder.Recorded) -> String {
    "recorded   \(place(file)), \(Self.clock(file.duration))"
      + (file.missing < 0.05
        ? "" : "; \(Self.tenths(file.missing)) s of it are silence, because sound came faster than the disk takes it")
  }

  /// What is behind the soundfonts where a song brings a bank; empty where it brings none.
  private static func bankNote(_ bank: String?) -> String {
    bank.map { "; above it the song's own bank\($0.isEmpty ? "" : " \"\($0)\"")" } ?? ""
  }
}

extension SynthesizerAnswer {
  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func tenths(_ value: Double) -> String {
    NumberFormatting.text(value, decimals: 1, keepingZeros: true)
  }

  private static func clock(_ seconds: Double) -> String {
    guard seconds < 1e15 else { return "∞" }
    let whole = Int(max(0, seconds))
    return "\(whole / 60):\(whole % 60 < 10 ? "0" : "")\(whole % 60)"
  }

  private static func line(_ setting: NodeSetting) -> String {
    padded(setting.name, 31) + " " + setting.value + (setting.expected.map { "  (\($0))" } ?? "  (read only)")
  }
}
