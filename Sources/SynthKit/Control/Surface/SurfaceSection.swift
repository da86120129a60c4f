import AudioGraph
import SynthInstruments

/// A part of the state that clients see. A change has the sections that are different. Levels are in decibels, times in
/// seconds.
public enum SurfaceSection: Sendable, Equatable {
  case channels([SurfaceChannel])
  case fonts(SurfaceFonts)
  /// Which instruments play which channels ("3=pad"), and the names of all.
  case instruments(assigned: [String], choices: [String])
  case equalizer(SurfaceEqualizer)
  case effect(Synthesizer.Effect, SurfaceEffect)
  /// Strip by strip, in the order in which sound passes them.
  case inserts([SurfaceInsert])
  /// In the order in which they were made.
  case buses([SurfaceBus])
  /// The level of everything.
  case gain(Double)
  /// Nil where none is played.
  case song(SurfaceSong?)
  case songs(SurfaceSongs?)
  /// Nil without one.
  case microphone(SurfaceMicrophone?)
  /// The tempo in beats a minute.
  case metronome(isOn: Bool, level: Double, tempo: Double)
  /// What is being recorded, and what is rendered into a file meanwhile.
  case recordings([SurfaceRecording], saving: SurfaceSaving?)
  case snapshots([SnapshotStore.Entry])
  /// What controls turn, and what the next one that is moved will turn.
  case learned([SurfaceLearned], waiting: String?)
  /// The names of the ports that play along.
  case keyboards([String])
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
  /// Nil for none.
  public let preset: ChannelPreset?
  public let instrument: String
  /// What the control tree has below the channel: "level", "pan", …
  public let settings: [SurfaceSetting]

  public subscript(name: String) -> PropertyValue? { settings.first { $0.name == name }?.value }
}

/// A name and what it is set to.
public struct SurfaceSetting: Sendable, Equatable {
  public let name: String
  public let value: PropertyValue
}

public struct SurfaceFonts: Sendable, Equatable {
  /// Those that are played; the last one is searched first.
  public let paths: [String]
  public let engine: String
  /// The file names that can be chosen.
  public let choices: [String]
  /// The name of the song's bank, empty where it has none; nil without a bank.
  public let bank: String?
  public let presets: [ChannelPreset]
}

public struct SurfaceEqualizer: Sendable, Equatable {
  public let preset: String
  public let presets: [String]
  public let gains: [Double]
  /// The response: hertz and decibels.
  public let curve: [SIMD2<Double>]
}

/// The reverb, the chorus or the delay.
public struct SurfaceEffect: Sendable, Equatable {
  /// Nil where it is off.
  public let type: String?
  public let types: [String]
  /// "time", "level", …
  public let settings: [SurfaceSetting]
}

public struct SurfaceInsert: Sendable, Equatable {
  public let strip: Strip
  /// On its strip, from 0.
  public let place: Int
  public let effect: String
  /// Its name in the audio graph.
  public let node: String
  /// In percent.
  public let mix: Double
  public let isBypassed: Bool
}

/// A bus of one's own and its fader.
public struct SurfaceBus: Sendable, Equatable {
  /// What it is called, where it leads, and what leads to it.
  public let listing: BusListing
  /// What the control tree has below the bus: "level", "pan", "mute".
  public let settings: [SurfaceSetting]
}

public struct SurfaceSong: Sendable, Equatable {
  public let title: String
  public let duration: Double
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

public struct SurfaceMicrophone: Sendable, Equatable {
  public let name: String
  public let isPresent: Bool
  public let isMuted: Bool
  public let level: Double
}

public struct SurfaceRecording: Sendable, Equatable {
  public let path: String
  /// Whole seconds so far.
  public let seconds: Int
}

public struct SurfaceSaving: Sendable, Equatable {
  public let path: String
  /// How much is done, 0 to 1.
  public let part: Double
}

public struct SurfaceLearned: Sendable, Equatable {
  /// "controller 20 on channel 1 of nanoKONTROL"
  public let trigger: String
  /// The words behind "learn" and "unlearn".
  public let target: String
  /// "−40 dB to 0 dB"; nil for commands and switches.
  public let range: String?
  public let isToggle: Bool
  /// Whether instruments get it too.
  public let isPassedOn: Bool
}

public struct SurfaceOutput: Sendable, Equatable {
  public let name: String
  public let isPlaying: Bool
  public let sampleRate: Double
  public let channelCount: Int
  /// In frames.
  public let period: Int
  public let buffer: Int
  /// From a key to its sound.
  public let latency: ClosedRange<Double>
  public let xruns: Int
  /// Those that can be chosen.
  public let devices: [String]
}
