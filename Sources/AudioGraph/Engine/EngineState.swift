/// Where an engine is in its life.
public enum EngineState: String, Sendable {
  /// Nothing flows, and the next start begins at sample time 0 with nothing sounding.
  case stopped
  /// The output unit asks for audio.
  case running
  /// Nothing flows, and everything stands still until the next start.
  case paused
}

/// Who asks an engine for its audio.
public enum Puller: Int, Sendable, CustomStringConvertible {
  /// The engine is free: the first to ask gets it.
  case nobody
  /// A thread that renders by hand.
  case hand
  /// The engine's output unit.
  case outputUnit
  /// Another engine, of which this one is a node.
  case outerEngine

  public var description: String {
    switch self {
    case .nobody: "nobody"
    case .hand: "a thread that renders by hand"
    case .outputUnit: "its output unit"
    case .outerEngine: "the engine it is a node of"
    }
  }
}
