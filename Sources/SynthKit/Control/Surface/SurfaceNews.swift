import AudioGraph
import SynthMIDI

/// What a control surface tells a client.
public enum SurfaceNews: Sendable, Equatable {
  /// What comes first: the program's release.
  case greeting(release: String)
  /// The answer to the client's request of this identifier.
  case answer(SurfaceAnswer, id: SurfaceRequest.ID?)
  /// Everything, to those who subscribe to it.
  case state([SurfaceSection])
  /// The sections that have changed; of channels those that have.
  case change([SurfaceSection])
  /// The nodes that the client watches and that have changed.
  case changed([SurfaceNode])
  /// A new entry of the log.
  case entry(SurfaceEntry)
  /// The latest levels.
  case meters(SurfaceMeters)

  var isAnswer: Bool { if case .answer = self { true } else { false } }

  /// Whether it may be left out for a slow client, which is told the whole state later.
  var isChange: Bool {
    switch self {
    case .greeting, .answer, .meters: false
    case .state, .change, .changed, .entry: true
    }
  }
}

/// What a request is answered with.
public enum SurfaceAnswer: Sendable, Equatable {
  /// The lines that the terminal would show.
  case text(String)
  /// Why it was not done, in the line that a person would read.
  case refusal(String)
  /// The names of the audio graph's nodes.
  case names([String])
  /// Nodes as they are now.
  case nodes([SurfaceNode])
  /// The same, with what they are and who may set them.
  case list([SurfaceNode])
  /// Everything.
  case state([SurfaceSection])
}

/// A node of the control tree as it is at a moment.
public struct SurfaceNode: Sendable, Equatable {
  /// "/channel/3/level"
  public let path: String
  /// The node of the audio graph that it belongs to; nil for others.
  public let node: String?
  /// What it is called there; nil for others.
  public let name: String?
  /// What it may be set to.
  public let kind: PropertyKind
  /// What it is set to.
  public let value: PropertyValue
  /// The value as people read it.
  public let text: String
  /// What a number is at first; nil for others.
  public let initialValue: Double?
  /// Whether it can only be read.
  public let isFixed: Bool
  /// What it is, in a line; nil where its name says it all.
  public let summary: String?
  /// The least asker that may set it.
  public let by: Asker
}

/// An entry of the log.
public struct SurfaceEntry: Sendable, Equatable {
  /// From 1 on.
  public let number: Int
  /// In seconds since the surface was made.
  public let time: Double
  /// Whether something went wrong.
  public let isError: Bool
  /// A line.
  public let text: String
}

/// Levels and figures of a moment. Levels are in decibels, left and right; -120 is silence.
public struct SurfaceMeters: Sendable, Equatable {
  /// In seconds since the surface was made.
  public let time: Double
  /// Of the song, in seconds; nil without one.
  public let position: Double?
  /// How many sound.
  public let voices: Int
  /// The part of a period that the longest rendering since the last meters took; 0 without a device.
  public let load: Double
  /// How often sound came too late.
  public let xruns: Int
  /// The highest peak of all since the last meters.
  public let main: SIMD2<Double>
  /// The same of each channel.
  public let channels: [SIMD2<Double>]
  /// The peak of all that is held for a while.
  public let mainHeld: SIMD2<Double>
  /// The same of each channel.
  public let held: [SIMD2<Double>]
  /// How many samples were beyond full scale since the start.
  public let clips: Int
  /// For each channel how many MIDI messages have come.
  public let messageCounts: [Int]
  /// The last message; nil before the first.
  public let lastMessage: MIDIMonitor.Last?
}
