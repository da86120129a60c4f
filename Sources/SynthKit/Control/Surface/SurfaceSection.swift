import AudioGraph
import SynthInstruments

/// A part of the state that clients see. A change has the sections that are different. Levels are in decibels, times in
/// seconds.
public enum SurfaceSection: Sendable, Equatable {
  /// The channels of all ports.
  case channels([SurfaceChannel])
  /// The soundfonts, their engine and their presets.
  case fonts(SurfaceFonts)
  /// Which instruments play which channels ("3=pad"), and the names of all.
  case instruments(assigned: [String], choices: [String])
  /// The preset of the equalizer and its bands.
  case equalizer(SurfaceEqualizer)
  /// The reverb, the chorus or the delay.
  case effect(Synthesizer.Effect, SurfaceEffect)
  /// Strip by strip, in the order in which sound passes them.
  case inserts([SurfaceInsert])
  /// In the order in which they were made.
  case buses([SurfaceBus])
  /// The level of everything.
  case gain(Double)
  /// The song; nil where none is played.
  case song(SurfaceSong?)
  /// The list that is played; nil for none.
  case songs(SurfaceSongs?)
  /// The microphone; nil without one.
  case microphone(SurfaceMicrophone?)
  /// The tempo in beats a minute.
  case metronome(isOn: Bool, level: Double, tempo: Double)
  /// What is being recorded, and what is rendered into a file meanwhile.
  case recordings([SurfaceRecording], saving: SurfaceSaving?)
  /// The snapshots that can be recalled.
  case snapshots([SnapshotStore.Entry])
  /// What controls turn, and what the next one that is moved will turn.
  case learned([SurfaceLearned], waiting: String?)
  /// The names of the ports that play along.
  case keyboards([String])
  /// Where the sound goes.
  case output(SurfaceOutput)
  /// In the song; nil without one. Not part of changes: meters have it.
  case position(Double?)
  /// What can be inserted; not part of changes either.
  case effects([String])
  /// The latest entries.
  case log([SurfaceEntry])
}

/// A channel and its strip of the mixer.
public struct SurfaceChannel: Sendable, Equatable {
  /// Among the channels of all ports, from 0.
  public let channel: Int
  /// The preset of the soundfonts; nil for none.
  public let preset: ChannelPreset?
  /// What plays it: "sampler", "pad", "pad+strings".
  public let instrument: String
  /// What the control tree has below the channel: "level", "pan", …
  public let settings: [SurfaceSetting]

  /// What the setting of this name is; nil where there is none.
  public subscript(name: String) -> PropertyValue? { settings.first { $0.name == name }?.value }
}

/// A name and what it is set to.
public struct SurfaceSetting: Sendable, Equatable {
  /// Its last word in the control tree: "level".
  public let name: String
  /// What it is set to.
  public let value: PropertyValue
}

/// The soundfonts that channels play, and what they have.
public struct SurfaceFonts: Sendable, Equatable {
  /// Those that are played; the last one is searched first.
  public let paths: [String]
  /// "native" or "fluidsynth".
  public let engine: String
  /// The file names that can be chosen.
  public let choices: [String]
  /// The name of the song's bank, empty where it has none; nil without a bank.
  public let bank: String?
  /// All presets, by bank and program.
  public let presets: [ChannelPreset]
}

/// The equalizer of everything.
public struct SurfaceEqualizer: Sendable, Equatable {
  /// The name of the present one.
  public let preset: String
  /// The names of all that can be chosen.
  public let presets: [String]
  /// Of each band, from the lowest, in decibels.
  public let gains: [Double]
  /// The response: hertz and decibels.
  public let curve: [SIMD2<Double>]
}

/// The reverb, the chorus or the delay.
public struct SurfaceEffect: Sendable, Equatable {
  /// Nil where it is off.
  public let type: String?
  /// The names that can be chosen.
  public let types: [String]
  /// "time", "level", …
  public let settings: [SurfaceSetting]
}

/// An effect on a strip.
public struct SurfaceInsert: Sendable, Equatable {
  /// Where it is.
  public let strip: Strip
  /// On its strip, from 0.
  public let place: Int
  /// What it is: "compressor".
  public let effect: String
  /// Its name in the audio graph.
  public let node: String
  /// In percent.
  public let mix: Double
  /// Whether sound passes it by.
  public let isBypassed: Bool
  /// The strip that says how loud it is; nil for its own sound.
  public let sideChain: Strip?
}

/// A bus of one's own and its fader.
public struct SurfaceBus: Sendable, Equatable {
  /// What it is called, where it leads, and what leads to it.
  public let listing: BusListing
  /// What the control tree has below the bus: "level", "pan", "mute".
  public let settings: [SurfaceSetting]
}

/// The song that plays or waits.
public struct SurfaceSong: Sendable, Equatable {
  /// What it is called.
  public let title: String
  /// In seconds, at the file's tempo.
  public let duration: Double
  /// Whether it waits.
  public let isPaused: Bool
  /// 1 is the file's.
  public let tempo: Double
  /// In semitones.
  public let transposition: Int
  /// Nil for none.
  public let loop: SongLoop?
  /// In bars.
  public let countIn: Int
}

/// The microphone that plays along.
public struct SurfaceMicrophone: Sendable, Equatable {
  /// The device's.
  public let name: String
  /// Whether the device is there.
  public let isPresent: Bool
  /// Whether it is silent.
  public let isMuted: Bool
  /// In decibels.
  public let level: Double
}

/// What is being recorded.
public struct SurfaceRecording: Sendable, Equatable {
  /// The file's.
  public let path: String
  /// Whose sound it is; `main` is all.
  public let strip: Strip
  /// Whole seconds so far.
  public let seconds: Int
}

/// What is rendered into a file while it plays.
public struct SurfaceSaving: Sendable, Equatable {
  /// The file's.
  public let path: String
  /// How much is done, 0 to 1.
  public let part: Double
}

/// A control of a keyboard, and what it turns.
public struct SurfaceLearned: Sendable, Equatable {
  /// "controller 20 on channel 1 of nanoKONTROL"
  public let trigger: String
  /// The words behind "learn" and "unlearn".
  public let target: String
  /// "−40 dB to 0 dB"; nil for commands and switches.
  public let range: String?
  /// Whether each press turns it on or off.
  public let isToggle: Bool
  /// Whether instruments get it too.
  public let isPassedOn: Bool
}

/// The device that plays, or the file.
public struct SurfaceOutput: Sendable, Equatable {
  /// The device's, or the file's.
  public let name: String
  /// Whether it asks for audio.
  public let isPlaying: Bool
  /// In hertz.
  public let sampleRate: Double
  /// How many channels it has.
  public let channelCount: Int
  /// In frames.
  public let period: Int
  /// In frames.
  public let buffer: Int
  /// From a key to its sound.
  public let latency: ClosedRange<Double>
  /// How often sound came too late.
  public let xruns: Int
  /// Those that can be chosen.
  public let devices: [String]
}
