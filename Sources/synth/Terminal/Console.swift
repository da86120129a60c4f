import AudioGraph
import SynthKit

/// What is typed or piped while sound is played, and what is told of it: the last line of the terminal belongs to the meter,
/// or to what is being typed.
struct Console {
  /// What only the one who plays can do.
  enum Wish {
    case nextSong, quit
  }

  /// As many commands are obeyed between two looks at what plays.
  private static let commandsPerTurn = 16

  private let songCount: Int
  private var control: SynthesizerControl
  private var input = CommandInput()
  /// The preset that was told last, and the one there was a turn ago.
  private var told: String
  private var seen: String

  /// - Parameter songCount: how many songs are played, 0 for none.
  init(_ synthesizer: Synthesizer, _ sound: Sound, songCount: Int = 0) {
    control = SynthesizerControl(synthesizer, presetControl: sound.presetControl, preset: sound.preset.name)
    self.songCount = songCount
    told = control.preset
    seen = told
    if input.isTyped { Terminal.note("commands   type one, as in preset pop; help lists them") }
  }

  /// Waits for about 50 ms, does what was asked for meanwhile, and shows the last line.
  ///
  /// - Parameter meter: what the last line shows where nothing is being typed.
  mutating func turn(meter: () -> String) -> Wish? {
    input.wait { [self] in completions(of: $0) }
    for _ in 0..<Self.commandsPerTurn {
      guard let line = input.take() else { break }
      if let wish = obey(line) { return wish }
    }
    tellPreset()
    if let typed = input.typed { Terminal.prompt(typed) } else { Terminal.progress(meter()) }
    return nil
  }

  /// Leaves the terminal as it was.
  func end() {
    Terminal.endProgress()
    KeyMode.leave()
  }

  private mutating func obey(_ line: String) -> Wish? {
    switch line.split(whereSeparator: \.isWhitespace).joined(separator: " ") {
    case "": return nil
    case "quit", "stop": return .quit
    case "next" where songCount > 0: return .nextSong
    case "help": Terminal.note(help)
    default: obeyed(line)
    }
    return nil
  }

  private mutating func obeyed(_ line: String) {
    do throws(SynthesizerCommandError) {
      Terminal.note(try control.obey(SynthesizerCommand(parsing: line)))
      (told, seen) = (control.preset, control.preset)
    } catch .unknownCommand(let name, _) {
      let nearest = EditDistance.nearest(to: name, among: SynthesizerCommand.names + own)
      let error = SynthesizerCommandError.unknownCommand(name, nearest: nearest)
      Terminal.error(nearest == nil ? "\(error); help lists them" : "\(error)")
    } catch {
      Terminal.error("\(error)")
    }
  }

  /// Tells of a preset that MIDI has chosen, once it has stayed for a turn: a controller passes many.
  private mutating func tellPreset() {
    let preset = control.preset
    if preset != told, preset == seen {
      told = preset
      Terminal.note("preset     \(preset)")
    }
    seen = preset
  }

  private func completions(of text: String) -> [String] {
    control.completions(of: text) + (text.contains(" ") ? [] : own.filter { $0.hasPrefix(text) })
  }

  /// The commands that are not the synthesizer's.
  private var own: [String] { (songCount > 0 ? ["next"] : []) + ["quit", "help"] }

  private var help: String {
    """
    preset NAME|FILE    an equalizer preset, also bands:3,2,0,0,0,0,0,0,1,2
    preset next         one further in the list; or previous
    instrument 3=pad    what plays channel 3; 3:0-59=bass its lower keys, pad+bell
                        both at once; without a channel all; sampler is the font
    soundfont FILE      another soundfont
    reverb ROOM|off     small-room, medium-room, large-room, medium-hall,
                        large-hall, plate
    chorus TYPE|off     chorus-1 to chorus-4, feedback-chorus, flanger
    gain DB             the level of all
    level CHANNEL DB    the level of a channel, 1 to 16 or all
    mute CHANNEL        and unmute, solo, unsolo
    \(songCount > 0 ? "next                the next song\n" : "")quit
    """
  }
}
