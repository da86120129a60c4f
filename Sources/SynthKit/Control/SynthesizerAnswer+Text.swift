import SynthDSP
import SynthInstruments
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
    case .channels(let setting, let strips, let tracks): Self.line(setting, strips, tracks)
    case .program(let channel, let bank, let program):
      "program    \(Self.name(of: channel)): \(bank.map { "\($0):" } ?? "")\(program)"
    case .map(let map): "map        \(map)"
    case .output(let name): "output     \(name)"
    case .nodes(let names): "nodes      \(names.joined(separator: ", "))"
    case .settings(let settings): settings.map(Self.line).joined(separator: "\n")
    case .setting(let node, let setting): "\(Self.padded(node, 10)) \(setting.name) \(setting.value)"
    case .snapshot(let answer): answer.text
    case .learn(let text): text
    case .reverb(let type): "reverb     \(type?.name ?? "off")"
    case .chorus(let type): "chorus     \(type?.name ?? "off")"
    case .delay(let type): "delay      \(type?.name ?? "off")"
    case .gain(let level): "gain       \(level.figure(decimals: 1)) dB"
    case .level(let channel, let level):
      "level      \(Self.name(of: channel)) \(level.figure(decimals: 1)) dB"
    case .muted(let channel, let isOn):
      "\(isOn ? "muted  " : "unmuted")    \(Self.name(of: channel))"
    case .soloed(let channel, let isOn):
      "\(isOn ? "soloed  " : "unsoloed")   \(Self.name(of: channel))"
    case .mutedTrack(let track, let isOn):
      "\(isOn ? "muted  " : "unmuted")    \(Self.name(ofTrack: track))"
    case .soloedTrack(let track, let isOn):
      "\(isOn ? "soloed  " : "unsoloed")   \(Self.name(ofTrack: track))"
    case .routes(let routes):
      "route      \(routes.isEmpty ? "none: all play on their own channels" : routes.texts.joined(separator: " "))"
    case .paused(let place): "paused     at \(SongTime(place))"
    case .playing(let place): "playing    from \(SongTime(place))"
    case .tempo(let tempo): "tempo      \(Self.tenths(tempo * 100)) %"
    case .transposition(let semitones): "transpose  \(semitones) semitone\(abs(semitones) == 1 ? "" : "s")"
    case .recording(let path): "recording  \(path)"
    case .recorded(let files): files.isEmpty ? "recording  none" : files.map(Self.line).joined(separator: "\n")
    case .saving(let path): "saving     \(path), with the sound as it is now"
    case .metronome(let isOn, let level, let tempo):
      "metronome  "
        + (isOn
          ? "on, \(level.figure(decimals: 1)) dB, "
            + (tempo.map { "\(Self.tenths($0)) a minute" } ?? "at the song's tempo")
          : "off")
    case .countIn(let bars): "count-in   \(NumberFormatting.count(bars, "bar", "bars"))"
    case .loop(let loop): "loop       \(loop.map { "\(SongTime($0.start)) to \(SongTime($0.end))" } ?? "off")"
    }
  }

  private static func line(_ file: SessionRecorder.Recorded) -> String {
    "recorded   \(file.path), \(Self.clock(file.duration))"
      + (file.missing < 0.05
        ? "" : "; \(Self.tenths(file.missing)) s of it are silence, because sound came faster than the disk takes it")
  }

  private static func name(ofTrack track: Int?) -> String { track.map { "track \($0 + 1)" } ?? "all tracks" }

  private static func name(of channel: UInt8?) -> String {
    channel.map { "channel \($0 + 1)" } ?? "all channels"
  }

  /// What is behind the soundfonts where a song brings a bank; empty where it brings none.
  private static func bankNote(_ bank: String?) -> String {
    bank.map { "; above it the song's own bank\($0.isEmpty ? "" : " \"\($0)\"")" } ?? ""
  }
}

// What channels have.

extension SynthesizerAnswer {
  private static func line(_ setting: ChannelStrip.Setting, _ strips: [ChannelStrip], _ tracks: [Int]) -> String {
    switch setting {
    case .level: "level      " + list(strips) { "\($0.level.figure(decimals: 1)) dB" }
    case .pan: "pan        " + list(strips) { figure($0.pan) }
    case .sends:
      "send       "
        + list(strips) { strip in
          let delay = strip.delay == 0 ? "" : " delay \(figure(strip.delay))"
          return "reverb \(figure(strip.reverb)) chorus \(figure(strip.chorus))\(delay)"
        }
    case .mute: "muted      " + names(strips.filter(\.isMuted), tracks)
    case .solo: "soloed     " + names(strips.filter(\.isSoloed), tracks)
    }
  }

  /// "channel 3 −6.0 dB", or "3 −6.0 dB, 10 −3.0 dB, others 0.0 dB".
  private static func list(_ strips: [ChannelStrip], _ text: (ChannelStrip) -> String) -> String {
    let texts = strips.map(text)
    if strips.count == 1 { return "channel \(strips[0].channel + 1) \(texts[0])" }
    let counts = Dictionary(texts.map { ($0, 1) }, uniquingKeysWith: +)
    let usual = texts.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? ""
    let others = zip(strips, texts).filter { $1 != usual }.map { "\($0.channel + 1) \($1)" }
    return others.isEmpty ? "all channels \(usual)" : (others + ["others \(usual)"]).joined(separator: ", ")
  }

  private static func names(_ strips: [ChannelStrip], _ tracks: [Int]) -> String {
    let all = tracks.count == SongTracks.count ? ["all tracks"] : tracks.map { "track \($0 + 1)" }
    let names = strips.map { "\($0.channel + 1)" } + all
    return names.isEmpty ? "none" : names.joined(separator: ", ")
  }

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

  private static func figure(_ value: Float) -> String {
    NumberFormatting.text(Double(value), decimals: 2, keepingZeros: false)
  }

  private static func line(_ setting: NodeSetting) -> String {
    padded(setting.name, 31) + " " + setting.value + (setting.expected.map { "  (\($0))" } ?? "  (read only)")
  }
}
