import SynthText

/// What a client asks of a control surface, out of a line of JSON.
struct SurfaceRequest: Sendable {
  enum Content: Sendable {
    case command(String)
    /// The names of the audio graph's nodes.
    case nodes
    /// All that a node of the audio graph has.
    case node(String)
    /// What a path means; what is below it.
    case get(SurfacePath), list(String)
    /// What a path means, to what a text says.
    case set(SurfacePath, String)
    case state
    case subscribe(SurfaceSubscription)
    /// The paths whose nodes are told from now on.
    case watch([SurfacePath])
  }

  /// What the answer repeats.
  let id: JSONValue?
  let content: Content

  typealias Fields = [JSONValue.Member]

  static func fields(_ line: [UInt8]) throws(SurfaceError) -> Fields {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: line)
    } catch {
      throw .noJSON(problem: "\(error.problem), at byte \(error.offset)")
    }
    guard case .object(let members) = value.content else { throw .noObject }
    return members
  }

  static func id(of fields: Fields) throws(SurfaceError) -> JSONValue? {
    guard let id = fields["id"] else { return nil }
    switch id.content {
    case .number, .string: return id
    default: throw .bad("id", expected: "a number or a text")
    }
  }

  /// The bytes that are to be played; nil for another request.
  static func midi(_ fields: Fields) throws(SurfaceError) -> [UInt8]? {
    guard let midi = fields["midi"] else { return nil }
    let bytes = midi.list?.compactMap { $0.number.flatMap { UInt8(exactly: $0) } }
    guard let bytes, bytes.count == midi.list?.count else {
      throw .bad("midi", expected: "a list of bytes from 0 to 255")
    }
    return bytes
  }

  init(_ fields: Fields, id: JSONValue?) throws(SurfaceError) {
    self.id = id
    if let line = fields["do"] {
      guard let text = line.text else { throw .bad("do", expected: "a command in words, as in \"preset pop\"") }
      content = .command(text)
    } else if let value = fields["get"] {
      if let names = value.texts, names.count < 2 {
        content = names.first.map { .node($0) } ?? .nodes
      } else if let path = SurfacePath(value) {
        content = .get(path)
      } else {
        throw .bad("get", expected: "a path, or a list of a node and a name")
      }
    } else if let place = fields["set"] {
      guard let path = SurfacePath(place) else {
        throw .bad("set", expected: "a path, or a list of a node and a name")
      }
      guard let value = fields["to"]?.typed else { throw .bad("to", expected: "a number, a text, true or false") }
      content = .set(path, value)
    } else if let value = fields["list"] {
      guard let path = value.text, path.hasPrefix("/") else { throw .bad("list", expected: "a path, as in \"/\"") }
      content = .list(path)
    } else if let value = fields["watch"] {
      content = .watch(try SurfaceSubscription.paths(value, "watch"))
    } else if fields["state"] != nil {
      content = .state
    } else if let subscription = fields["subscribe"] {
      content = .subscribe(try SurfaceSubscription(subscription))
    } else {
      throw .unknownRequest
    }
  }
}

/// What is told to a client without being asked for.
struct SurfaceSubscription: Sendable {
  static let pathLimit = 256
  /// As many nodes may be meant by the paths.
  static let nodeLimit = 512

  var isToState = false
  /// How many times a second; 0 for never.
  var meterRate = 0
  /// What is told when it changes.
  var paths: [SurfacePath] = []

  init() {}

  init(_ value: JSONValue) throws(SurfaceError) {
    guard case .object(let fields) = value.content else {
      throw .bad("subscribe", expected: "an object, as in {\"state\": true, \"meters\": 30}")
    }
    if let state = fields["state"] {
      guard case .bool(let isOn) = state.content else { throw .bad("state", expected: "true or false") }
      isToState = isOn
    }
    if let meters = fields["meters"] {
      guard let rate = meters.number, (0...60).contains(rate) else {
        throw .bad("meters", expected: "how many times a second, 1 to 60, or 0")
      }
      meterRate = rate == 0 ? 0 : max(1, Int(rate))
    }
    if let value = fields["parameters"] { paths = try Self.paths(value, "parameters") }
  }

  static func paths(_ value: JSONValue, _ member: String) throws(SurfaceError) -> [SurfacePath] {
    let paths = value.list?.compactMap { SurfacePath($0) }
    guard let paths, paths.count == value.list?.count, paths.count <= pathLimit else {
      throw .bad(member, expected: "at most \(pathLimit) paths, or lists of a node and a name")
    }
    return paths
  }
}

/// How a client names nodes of the control tree: by a path, or as protocol 1 did at first, by a node of the audio graph
/// and the name of what it has.
enum SurfacePath: Sendable, Equatable {
  case path(String)
  case names(node: String, name: String)

  /// Nil for anything else.
  init?(_ value: JSONValue) {
    if let path = value.text, path.hasPrefix("/") {
      self = .path(path)
    } else if let names = value.texts, names.count == 2 {
      self = .names(node: names[0], name: names[1])
    } else {
      return nil
    }
  }
}

/// Why a surface does not do what a client asks for.
public enum SurfaceError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The text is no JSON, and why.
  case noJSON(problem: String)
  /// The text is JSON, but no object.
  case noObject
  /// The object has none of the fields that name a request.
  case unknownRequest
  /// A field has a value that it cannot have; what it takes.
  case bad(String, expected: String)
  /// The bytes are no MIDI message.
  case badMIDI
  /// More requests of a client wait for their answers than may.
  case tooManyRequests
  /// As many clients as may be are connected.
  case tooManyClients(limit: Int)

  /// Whether it was understood as a request at all.
  var isRequest: Bool {
    switch self {
    case .noJSON, .noObject, .tooManyRequests: false
    default: true
    }
  }

  public var description: String {
    switch self {
    case .noJSON(let problem): "reading a request: \(problem); send one JSON object a line"
    case .noObject: "reading a request: it is no object; send one JSON object a line"
    case .unknownRequest: "reading a request: it has none of do, get, set, list, watch, state, subscribe and midi"
    case .bad(let name, let expected): "reading a request: \(name): give \(expected)"
    case .badMIDI: "playing MIDI: there is no whole message; give a status byte and its data, as in [144, 60, 100]"
    case .tooManyRequests:
      "reading a request: \(SurfaceClient.requestLimit) wait for their answers; read these first"
    case .tooManyClients(let limit): "connecting: \(limit) clients are connected already; close one"
    }
  }
}

extension JSONValue {
  typealias Field = (String, JSONValue)

  /// As it would be typed; nil for null and objects.
  var typed: String? {
    switch content {
    case .number(let value): Int(exactly: value).map(String.init) ?? "\(value)"
    case .bool(let value): value ? "on" : "off"
    case .string(let value): value
    case .array(let values):
      values.allSatisfy { $0.typed != nil } ? values.compactMap(\.typed).joined(separator: ",") : nil
    case .null, .object: nil
    }
  }

  /// A number of 32 bits in as many digits as it needs.
  static func number(_ value: Float) -> JSONValue { .number(Double("\(value)") ?? Double(value)) }
}
