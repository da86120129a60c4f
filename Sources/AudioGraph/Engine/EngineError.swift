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

/// Why an engine refused to do something. It is then unchanged.
public enum EngineError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The life cycle has no such step from here.
  case wrongState(operation: String, state: EngineState)
  /// It was made without an output unit.
  case noOutputUnit
  /// An engine is pulled by one at a time.
  case pulled(operation: String, by: Puller)
  /// The graph and its player have different channel counts.
  case channelCount(outputNode: Int, player: String, channels: Int)
  /// The engine renders at another rate than its new output unit plays. In hertz.
  case sampleRate(engine: Double, player: String, rate: Double)
  /// Called from within an edit of the same engine.
  case withinEdit
  /// The graph would be a node of itself.
  case withinItself(node: String)
  /// The system has no thread for what delivers a tap; `reason` is its own word.
  case noThread(reason: String)
  /// More, or fewer, frames than can be rendered into memory.
  case frameCount(Int)
  /// The buffer has another format than the graph's output.
  case bufferFormat(AudioFormat, rendered: AudioFormat)

  public var description: String {
    switch self {
    case .wrongState(let operation, .stopped):
      "\(operation) the engine: it is stopped; start it first"
    case .wrongState(let operation, .running):
      "\(operation) the engine: it is running; stop it first"
    case .wrongState(let operation, .paused):
      "\(operation) the engine: it is paused; start or stop it first"
    case .noOutputUnit:
      "starting the engine: it has no output unit; give it one when it is made, or render by hand"
    case .pulled(let operation, .outputUnit):
      "\(operation) the engine: its output unit is in charge; stop the engine first"
    case .pulled(let operation, .outerEngine):
      "\(operation) the engine: it is a node of another engine, which renders it; start that one"
    case .pulled(let operation, let puller):
      "\(operation) the engine: \(puller) pulls it; wait until that is done"
    case .channelCount(let count, let player, let channels):
      "preparing the graph: its output node has \(count) channels and \(player) \(channels); make the output node with "
        + "\(channels)"
    case .sampleRate(let engine, let player, let rate):
      "moving the engine: it renders at \(hertz(engine)) and \(player) plays at \(hertz(rate)); open the output at "
        + hertz(engine)
    case .withinEdit:
      "editing the engine: an edit of it is under way on this thread; do this after it"
    case .withinItself(let node):
      "preparing the graph: \(node) has this very graph in it; give it an engine of its own"
    case .noThread(let reason):
      "delivering a tap: no thread is to be had, \(reason); use fewer, or read the tap by hand"
    case .frameCount(let count):
      "rendering by hand: \(count) frames cannot be had; ask for 0 to \(AudioBuffer.mostFrames), or render into a file"
    case .bufferFormat(let buffer, let rendered):
      "rendering into a buffer: it has \(buffer) and the engine renders \(rendered); make it with that format"
    }
  }
}
