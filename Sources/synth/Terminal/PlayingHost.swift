import SynthALSA
import SynthKit
import SynthText

/// What the program adds to its control surface while it plays: its own commands, the list of songs, keyboards, and its
/// words for errors.
final class PlayingHost: SurfaceHost {
  let surface: ControlSurface
  let session: Session
  let recorder: SessionRecorder
  let playsSongs: Bool
  /// What plays the songs; nil until that is made, and where keyboards alone play.
  var player: SongPlayer?
  /// Where programs find the surface; empty where it is for the terminal alone.
  var addresses: [String] = []
  /// Whether a person types commands.
  var isTyped = false
  private let sequencer: SequencerSource?
  private var wish: Console.Wish?

  init(
    _ surface: ControlSurface, _ session: Session, _ recorder: SessionRecorder, playsSongs: Bool,
    _ sequencer: SequencerSource?
  ) {
    (self.surface, self.session, self.recorder) = (surface, session, recorder)
    (self.playsSongs, self.sequencer) = (playsSongs, sequencer)
    surface.host = self
    session.controls.programCommands = Self.rights(playsSongs: playsSongs)
    do {
      try surface.control.loadControls()
    } catch {
      tell(line(error), isError: true)
    }
  }

  func tell(_ text: String, isError: Bool) { if isError { Terminal.error(text) } else { Terminal.note(text) } }

  /// What was asked for since the last call.
  func takeWish() -> Console.Wish? {
    defer { wish = nil }
    return wish
  }

  var hasWish: Bool { wish != nil }

  var songs: SurfaceSongs? { player?.surfaceSongs }

  var keyboards: [String] { sequencer?.present.map(\.description) ?? [] }

  func perform(_ line: String) throws -> String? {
    let words = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    switch words {
    case "quit", "q": return wishing(.quit)
    case "help": return help
    case "presets": return presetList
    case "instruments": return instrumentList
    case "status": return status(song: player?.present.entry.name)
    case _ where words.hasPrefix("help "): return try help(for: String(words.dropFirst(5)))
    default: return playsSongs ? try performOnSongs(words) : nil
    }
  }

  private func performOnSongs(_ words: String) throws -> String? {
    switch words {
    case "next", "n": return wishing(.nextSong)
    case "previous", "p": return wishing(.previousSong)
    case "list": return player?.listing ?? ""
    case _ where words == "song" || words.hasPrefix("song "): return try wishing(.song(song(words)))
    case "shuffle on", "shuffle off":
      player?.isShuffled = words == "shuffle on"
      return "shuffle    \(words.dropFirst(8))"
    case "repeat on", "repeat off":
      player?.isRepeating = words == "repeat on"
      return "repeat     \(words.dropFirst(7))"
    default:
      guard let name = words.split(separator: " ").first, Self.switches.contains(String(name)) else { return nil }
      throw SynthesizerCommandError.refused("\(words): give \(name) on, or \(name) off")
    }
  }

  /// From 0, written from 1.
  private func song(_ words: String) throws(SynthesizerCommandError) -> Int {
    let count = player?.songCount ?? 0
    guard let number = Int(words.dropFirst(5)), (1...max(1, count)).contains(number) else {
      throw .refused("\(words): give \(count < 2 ? "1: there is one song" : "a number from 1 to \(count)")")
    }
    return number - 1
  }

  /// What is on or off.
  static let switches = ["shuffle", "repeat"]

  /// The loop does it, and nothing else is performed before.
  private func wishing(_ wish: Console.Wish) -> String {
    self.wish = wish
    return ""
  }

  /// With the list that has what was meant, where no name is near.
  func line(_ error: any Error) -> String {
    switch error {
    case SynthesizerCommandError.unknownCommand(let name, _):
      if let command = own.first(where: { $0.name == name }) {
        return "\(name): it takes no more words, or others: \(command.form)"
      }
      let error = SynthesizerCommandError.unknownCommand(name, nearest: EditDistance.nearest(to: name, among: names))
      if case .unknownCommand(_, nearest: nil) = error { return "\(error); help lists them" }
      return "\(error)"
    case SynthesizerCommandError.unknownName(_, kind: "command", _, nearest: nil, _): return "\(error); help lists them"
    case SynthesizerCommandError.unknownName(_, kind: "preset", _, nearest: nil, _):
      return "\(error); presets lists them"
    default: return errorLine(error)
    }
  }

  func completions(of text: String) -> [String] {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    let own =
      words.count == 1
      ? self.own.map(\.name)
      : words[0] == "help" && words.count == 2
        ? names : playsSongs && words.count == 2 && Self.switches.contains(String(words[0])) ? ["on", "off"] : []
    return surface.control.completions(of: text) + own.filter { $0.hasPrefix(words.last ?? "") }
  }
}
