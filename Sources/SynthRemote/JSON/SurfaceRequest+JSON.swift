import SynthKit
import SynthText

// Requests as clients send them: `docs/control.md` has the members.

extension SurfaceClient {
  /// Asks for what an object in JSON says; the answer follows.
  ///
  /// - Returns: false for what is no request at all, and for one more than `mayAsk` allows: the error is the answer,
  ///   and the connection had better be closed.
  @discardableResult package func ask(json text: some Collection<UInt8>) -> Bool {
    guard mayAsk else {
      refuse("\(SurfaceError.tooManyRequests)", id: nil)
      return false
    }
    var id: SurfaceRequest.ID?
    do throws(RequestError) {
      let fields = try SurfaceRequest.fields(Array(text))
      id = try SurfaceRequest.id(of: fields)
      return ask(try SurfaceRequest(fields), id: id)
    } catch {
      refuse("\(error)", id: id)
      return error.isRequest
    }
  }
}

extension SurfaceRequest {
  fileprivate typealias Fields = [JSONValue.Member]

  fileprivate static func fields(_ text: [UInt8]) throws(RequestError) -> Fields {
    let value: JSONValue
    do throws(JSONError) { value = try JSONValue(parsing: text) } catch {
      throw .noJSON(problem: "\(error.problem), at byte \(error.offset)")
    }
    guard case .object(let members) = value.content else { throw .noObject }
    return members
  }

  fileprivate static func id(of fields: Fields) throws(RequestError) -> ID? {
    guard let id = fields["id"] else { return nil }
    switch id.content {
    case .number(let number): return .number(number)
    case .string(let text): return .text(text)
    default: throw .bad("id", expected: "a number or a text")
    }
  }

  fileprivate init(_ fields: Fields) throws(RequestError) {
    if let midi = fields["midi"] {
      let bytes = midi.list?.compactMap { $0.number.flatMap { UInt8(exactly: $0) } }
      guard let bytes, bytes.count == midi.list?.count else {
        throw .bad("midi", expected: "a list of bytes from 0 to 255")
      }
      self = .play(bytes)
    } else if let line = fields["do"] {
      guard let text = line.text else { throw .bad("do", expected: "a command in words, as in \"preset pop\"") }
      self = .command(text)
    } else if let value = fields["get"] {
      if let names = value.texts, names.count < 2 {
        self = names.first.map { .node($0) } ?? .nodes
      } else {
        self = .get(try SurfacePath(value, "get"))
      }
    } else if let place = fields["set"] {
      let path = try SurfacePath(place, "set")
      guard let value = fields["to"]?.typed else { throw .bad("to", expected: "a number, a text, true or false") }
      self = .set(path, to: value)
    } else if let value = fields["list"] {
      guard let path = value.text, path.hasPrefix("/") else { throw .bad("list", expected: "a path, as in \"/\"") }
      self = .list(path)
    } else if let value = fields["watch"] {
      self = .watch(try SurfacePath.list(value, "watch"))
    } else if fields["state"] != nil {
      self = .state
    } else if let subscription = fields["subscribe"] {
      self = .subscribe(try SurfaceSubscription(subscription))
    } else {
      throw .unknown
    }
  }
}

extension SurfaceSubscription {
  fileprivate init(_ value: JSONValue) throws(RequestError) {
    guard case .object(let fields) = value.content else {
      throw .bad("subscribe", expected: "an object, as in {\"state\": true, \"meters\": 30}")
    }
    self.init(
      isToState: try fields["state"].map { state throws(RequestError) in
        guard case .bool(let isOn) = state.content else { throw .bad("state", expected: "true or false") }
        return isOn
      } ?? false,
      meterRate: try fields["meters"].map { meters throws(RequestError) in try Self.rate(meters.number) } ?? 0,
      paths: try fields["parameters"].map { value throws(RequestError) in try SurfacePath.list(value, "parameters") }
        ?? [])
  }

  /// How often levels come; less than once a second is once.
  static func rate(_ number: Double?) throws(RequestError) -> Int {
    guard let number, (0...60).contains(number) else {
      throw .bad("meters", expected: "how many times a second, 1 to 60, or 0")
    }
    return number == 0 ? 0 : max(1, Int(number))
  }
}

extension SurfacePath {
  private static let limit = 256

  fileprivate init(_ value: JSONValue, _ member: String) throws(RequestError) {
    guard let path = Self.read(value) else { throw .bad(member, expected: "a path, or a list of a node and a name") }
    self = path
  }

  private static func read(_ value: JSONValue) -> SurfacePath? {
    if let path = value.text, path.hasPrefix("/") { return .path(path) }
    guard let names = value.texts, names.count == 2 else { return nil }
    return .names(node: names[0], name: names[1])
  }

  static func list(_ value: JSONValue, _ member: String) throws(RequestError) -> [SurfacePath] {
    let paths = value.list?.compactMap(read)
    guard let paths, paths.count == value.list?.count, paths.count <= limit else {
      throw .bad(member, expected: "at most \(limit) paths, or lists of a node and a name")
    }
    return paths
  }
}

extension JSONValue {
  /// As it would be typed; nil for null and objects.
  fileprivate var typed: String? {
    switch content {
    case .number(let value): Int(exactly: value).map(String.init) ?? "\(value)"
    case .bool(let value): value ? "on" : "off"
    case .string(let value): value
    case .array(let values):
      values.allSatisfy { $0.typed != nil } ? values.compactMap(\.typed).joined(separator: ",") : nil
    case .null, .object: nil
    }
  }
}

/// Why a text is no request.
enum RequestError: Error, Equatable, CustomStringConvertible {
  /// The text is no JSON, and why.
  case noJSON(problem: String)
  /// The text is JSON, but no object.
  case noObject
  /// The object has none of the members that name a request.
  case unknown
  /// A member has a value that it cannot have; what it takes.
  case bad(String, expected: String)

  /// Whether it was understood as a request at all.
  var isRequest: Bool {
    switch self {
    case .noJSON, .noObject: false
    case .unknown, .bad: true
    }
  }

  var description: String {
    switch self {
    case .noJSON(let problem): "reading a request: \(problem); send one JSON object a line"
    case .noObject: "reading a request: it is no object; send one JSON object a line"
    case .unknown: "reading a request: it has none of do, get, set, list, watch, state, subscribe and midi"
    case .bad(let name, let expected): "reading a request: \(name): give \(expected)"
    }
  }
}
