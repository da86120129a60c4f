/// What a client asks of a control surface.
public enum SurfaceRequest: Sendable, Equatable {
  /// Performs a command, as it would be typed.
  case command(String)
  /// Lists the names of the audio graph's nodes.
  case nodes
  /// Reads all that a node of the audio graph has.
  case node(String)
  /// Reads the nodes of the control tree that a path means.
  case get(SurfacePath)
  /// Lists all nodes below a path, with what they are and who may set them.
  case list(String)
  /// Sets what a path means to what a text says, as it would be typed; all nodes or none.
  case set(SurfacePath, to: String)
  /// Reports changes of what the paths mean, in place of those before; the rest of a subscription stays.
  case watch([SurfacePath])
  /// Reads everything once.
  case state
  /// What to report without being asked, in place of what was asked for before.
  case subscribe(SurfaceSubscription)
  /// Plays bytes of whole MIDI messages at once. Answered only if they are wrong, or the request has an identifier.
  case play([UInt8])

  /// What an answer repeats, so that the client knows which request it is for.
  public enum ID: Sendable, Hashable {
    /// A number, as a program counts.
    case number(Double)
    /// A text.
    case text(String)
  }
}

/// What a client is told without asking for it.
public struct SurfaceSubscription: Sendable, Equatable {
  /// As many nodes may be meant by the paths.
  static let nodeLimit = 512

  /// Whether the whole state comes once, then what changes, and each entry of the log.
  public var isToState: Bool
  /// How often levels come, 0 to 60 times a second; 0 for never.
  public let meterRate: Int
  /// What is told at first and when it changes; at most 512 nodes may be meant.
  public var paths: [SurfacePath]

  /// - Parameter meterRate: clamped to its range.
  public init(isToState: Bool = false, meterRate: Int = 0, paths: [SurfacePath] = []) {
    (self.isToState, self.meterRate, self.paths) = (isToState, min(max(meterRate, 0), 60), paths)
  }

  var isEmpty: Bool { !isToState && meterRate == 0 && paths.isEmpty }
}

/// How a client names nodes of the control tree.
public enum SurfacePath: Sendable, Equatable {
  /// "/channel/*/level"
  case path(String)
  /// A node of the audio graph and the name of what it has, as protocol 1 did at first.
  case names(node: String, name: String)
}

/// Why a surface does not do what a client asks for.
public enum SurfaceError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The bytes are no MIDI message.
  case badMIDI
  /// More requests of a client wait for their answers than may.
  case tooManyRequests
  /// As many clients as may be are connected.
  case tooManyClients(limit: Int)

  public var description: String {
    switch self {
    case .badMIDI: "playing MIDI: there is no whole message; give a status byte and its data, as in [144, 60, 100]"
    case .tooManyRequests: "reading a request: \(SurfaceClient.requestLimit) wait for their answers; read these first"
    case .tooManyClients(let limit): "connecting: \(limit) clients are connected already; close one"
    }
  }
}
