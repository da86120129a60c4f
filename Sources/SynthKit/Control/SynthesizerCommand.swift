import AudioGraph
import SynthALSA
import SynthDSP
import SynthInstruments
import SynthMIDI
import SynthText

/// What a person, a script or a user interface asks of a synthesizer while it plays, in a line of words: "preset pop",
/// "reverb off", "level 3 -6".
public enum SynthesizerCommand: Sendable, Equatable {
  /// A preset's name, the path of its file, or "bands:" and its ten gains.
  case preset(String)
  /// The one after the present one in the list of presets, and after the last the first.
  case nextPreset
  /// The one before the present one, and before the first the last.
  case previousPreset
  /// What plays where, in place of what played there; what sounds is finished by that.
  case instrument(InstrumentChoice)
  /// The path of a soundfont, in place of those there are; what sounds is finished by them.
  case soundFont(String)
  /// Another program on a channel, 0 to 15, as a keyboard chooses it; the bank, 0 to 127, stays if it is nil.
  case program(channel: UInt8, bank: UInt8?, UInt8)
  /// Sets what a path of the control tree means to what a text says: "/channel/3/level" to "-6".
  case set(path: String, to: String)
  /// Plays a part of songs on a channel, 0 to 15; nil for its own.
  case route(SongRoutes.Part, UInt8?)
  /// Asks for all routes.
  case routes
  /// Sets what a node has of a name to what a text says; see `NodeControl`.
  case setNode(String, String, String)
  /// For each channel of the device the source that it plays.
  case map(ChannelMap)
  /// Plays on another output device.
  case move(String)
  /// Changes nothing, and tells how something is.
  case tell(SynthesizerSetting)
  /// Halts the song, or where sources play along only the song, until `play`.
  case pause
  /// Goes on after `pause`, or after the end from the beginning.
  case play
  /// Goes to a place in the song, in seconds, after the bars of `countIn`.
  case seek(Double)
  /// Goes forwards or backwards, in seconds.
  case skip(Double)
  /// Clicks on the beats of songs, or without songs at a tempo.
  case metronome(MetronomeSetting)
  /// Repeats a passage; nil for none.
  case loop(SongLoop?)
  /// Records into a file, which an extension chooses: the sound, or what keyboards play; nil ends all recordings.
  case record(String?)
  /// Records a part of the mix into a file.
  case recordStrip(String, from: Strip)
  /// Writes what keyboards have played so far: into a MIDI file, or as sound into an audio file.
  case save(String)
  /// Keeps and recalls how everything is set.
  case snapshot(SnapshotCommand)
  /// Puts effects into strips, moves them and takes them out.
  case inserts(InsertCommand)
  /// Makes buses, and lets strips lead to them.
  case buses(BusCommand)
  /// Keeps and loads buses and inserts.
  case scene(SceneCommand)
  /// Lets controls of keyboards turn parameters and call commands.
  case learn(LearnCommand)

  /// The first words of all commands.
  public static var names: [String] { CommandForm.all.map(\.name) }

  /// Reads a command: words with blanks between them, or a path of the control tree and a value. [any thread]
  public init(parsing text: String) throws(SynthesizerCommandError) {
    var words = CommandWords(text)
    if words.name.hasPrefix("/") {
      self = words.isAtEnd ? .tell(.values([words.name])) : .set(path: words.name, to: try words.rest())
      return
    }
    guard let row = words.row else {
      throw .unknownCommand(
        words.name, nearest: EditDistance.nearest(to: words.name, among: Self.names))
    }
    if words.isAtEnd, let setting = row.setting {
      self = .tell(setting)
    } else {
      self = try row.read(&words)
    }
    try words.end()
  }
}

/// What a synthesizer plays with once a command has been performed.
public enum SynthesizerAnswer: Sendable, Equatable {
  /// The name of the equalizer preset.
  case preset(String)
  /// Everything that plays, by channel and key.
  case instruments([InstrumentAssignment])
  /// The path of the soundfont.
  case soundFont(String)
  /// The paths of all soundfonts, and what the song's own bank is called, where it brings one.
  case soundFonts([String], bank: String?)
  /// What a channel, 0 to 15, was told to play.
  case program(channel: UInt8, bank: UInt8?, UInt8)
  /// What was set, or asked for, and how it is.
  case values([NodeValue])
  /// Which channel of the mix each channel of the output plays.
  case map(ChannelMap)
  /// What sound is played on.
  case output(String)
  /// The names of nodes.
  case nodes([String])
  /// What a node has.
  case settings([NodeSetting])
  /// A node's name, and what it has been set to.
  case setting(node: String, NodeSetting)
  /// What is played on other channels.
  case routes(SongRoutes)
  /// Where the song stands still, in seconds.
  case paused(Double)
  /// Where it goes on, in seconds.
  case playing(Double)
  /// The tempo is nil where the song has one.
  case metronome(isOn: Bool, Decibels, tempo: Double?)
  /// Nil for none.
  case loop(SongLoop?)
  /// What is recorded now.
  case recording([SessionRecorder.Recorded])
  /// What was recorded, or saved; empty where nothing was.
  case recorded([SessionRecorder.Recorded])
  /// The path of what is rendered in the background.
  case saving(String)
  /// What became of a snapshot.
  case snapshot(SnapshotAnswer)
  /// What is inserted now, in one strip or in all that have inserts.
  case inserts([InsertListing])
  /// The buses there are now.
  case buses([BusListing])
  /// What became of a scene.
  case scene(SceneAnswer)
  /// What is waited for, was learned or is forgotten, in lines.
  case learn(String)
}

/// Why a command is not performed.
public enum SynthesizerCommandError: Error, Sendable, Equatable, CustomStringConvertible {
  /// There is no such command; `nearest` is one that might be meant.
  case unknownCommand(String, nearest: String?)
  /// A word is missing.
  case incomplete(form: String)
  /// A word is one too many.
  case unexpectedWord(String, form: String)
  /// There is nothing of this kind and name; `nearest` might be meant, or one of `known` if these are few.
  case unknownName(String, kind: String, command: String, nearest: String?, known: [String])
  /// A word does not say what it should; the problem says what that is.
  case badValue(String, command: String, problem: String)
  /// The preset's or the instrument's file cannot be used.
  case preset(ResourceError)
  /// There is no such soundfont, or it cannot be loaded.
  case soundFont(String)
  /// The song cannot be played so.
  case song(SongError, command: String)
  /// It is not recorded.
  case recording(RecordingError)
  /// The output does not go on.
  case output(String)
  /// The device cannot be played on.
  case device(PCMError)
  /// The graph has been edited and has no place for it any more.
  case noPlace(String, reason: String)
  /// A node does not take it; why, in a line.
  case refused(String)

  public var description: String {
    switch self {
    case .unknownCommand(let name, let nearest):
      "\(name): no such command" + (nearest.map { "; did you mean \($0)?" } ?? "")
    case .incomplete(let form): "a word is missing: \(form)"
    case .unexpectedWord(let word, let form): "\"\(word)\" is one word too many: \(form)"
    case .unknownName(let name, let kind, let command, let nearest, let known):
      "\(command) \(name): no such \(kind)"
        + (nearest.map { "; did you mean \($0)?" }
          ?? (known.isEmpty ? "" : "; give \(known.joined(separator: ", "))"))
    case .badValue(let text, let command, let problem): "\(command) \(text): \(problem)"
    case .preset(let error): "\(error)"
    case .soundFont(let problem): problem
    case .song(let error, let command): "\(command): \(error)"
    case .recording(let error): "\(error)"
    case .output(let problem), .refused(let problem): problem
    case .device(let error): "\(error)"
    case .noPlace(let command, let reason): "\(command): \(reason)"
    }
  }
}
