import SynthText

// Scenes as files.

extension Scene {
  private static let keys = ["version", "strips", "buses"]

  /// A line for each strip.
  package var text: String { "\(json(inLines: true))\n" }

  /// On one line.
  var json: JSONValue { .object(groups.map { ($0, .object($1)) }) }

  private func json(inLines: Bool) -> String {
    let groups = groups.map { name, strips in
      let lines = strips.map { "    \(JSONValue.string($0)): \($1)" }.joined(separator: ",\n")
      return "  \(JSONValue.string(name)): {\n\(lines)\n  }"
    }
    return "{\n" + (["  \"version\": 1"] + groups).joined(separator: ",\n") + "\n}"
  }

  /// Strips, then buses; those of which nothing is said are left out.
  private var groups: [(String, [(String, JSONValue)])] {
    let strips = Set(inserts.keys).union(destinations.keys).union(sends.keys).filter { !$0.isBus }.sorted()
    let own = buses.map { ($0.name, $0.members + members(of: .bus($0.name))) }
    let others = (strips + [.main]).map { ("\($0)", members(of: $0)) }.filter { !$1.isEmpty }
    let main = others.filter { $0.0 == "\(Strip.main)" }
    return [("strips", others.filter { $0.0 != "\(Strip.main)" }), ("buses", own + main)].filter { !$1.isEmpty }
      .map { group, parts in (group, parts.map { ($0, .object($1)) }) }
  }

  private func bus(_ name: String) -> Bus? { buses.first { $0.name == name } }

  private func members(of strip: Strip) -> [(String, JSONValue)] {
    var members: [(String, JSONValue)] = []
    if let list = inserts[strip], !list.isEmpty { members.append(("inserts", .array(list.map(\.json)))) }
    if let destination = destinations[strip] { members.append(("to", .string(destination.word))) }
    if let shares = sends[strip], !shares.isEmpty {
      members.append(("sends", .object(shares.sorted { $0.key < $1.key }.map { ($0, .number($1)) })))
    }
    return members
  }

  /// Reads a scene's file. [control thread]
  public init(path: String) throws(ResourceError) {
    let bytes: [UInt8]
    do throws(ResourceError) {
      bytes = try ResourceFile.bytes(at: path)
    } catch {
      throw .scene(error)
    }
    try self.init(bytes, path: path)
  }

  init(_ bytes: [UInt8], path: String) throws(ResourceError) {
    let source = JSONSource(path: path, bytes: bytes)
    do throws(ResourceError) {
      try self.init(source.value(), place: "", source: source)
    } catch {
      throw .scene(error)
    }
  }

  /// - Parameter place: of the scene in a document; empty for the whole.
  init(_ json: JSONValue, place: String, source: JSONSource) throws(ResourceError) {
    let fields = try JSONFields(json, place: place, keys: Self.keys, source: source)
    if fields.has("version") { try fields.checkVersion() }
    var known: Set<Strip> = []
    // Buses first: strips lead there.
    for group in ["buses", "strips"] where fields.has(group) {
      let value = try fields.value(group)
      guard case .object(let members) = value.content else {
        throw source.fault(value, fields.at(group), "expected an object, found \(value.kind)")
      }
      for member in members {
        let place = "\(fields.at(group)).\(member.key)"
        guard let strip = Strip(parsing: member.key), strip.isBus == (group == "buses"), known.insert(strip).inserted
        else {
          let parts =
            group == "buses"
            ? "main, and names of your own: \(BusName.expected)"
            : "channel 1 to channel 16, channel B1 and so on, microphone, click"
          throw source.fault(at: member.offset, place, "no such part of the mix, or given twice; known are \(parts)")
        }
        try read(strip, member.value, place: place, source: source)
      }
    }
    try checkNames(fields, source)
  }

  private mutating func read(
    _ strip: Strip, _ json: JSONValue, place: String, source: JSONSource
  ) throws(ResourceError) {
    let fields = try JSONFields(json, place: place, keys: Self.keys(of: strip), source: source)
    if case .bus(let name) = strip {
      guard buses.count < BusRack.limit else {
        throw source.fault(json, place, "there are more than \(BusRack.limit) buses; leave some out")
      }
      buses.append(try Bus(name, fields))
    } else if fields.has("to") {
      destinations[strip] = try Destination(fields)
    }
    if fields.has("sends") { sends[strip] = try Self.shares(fields, source) }
    if fields.has("inserts") || strip == .main {
      let list = try Self.inserts(fields, source)
      if !list.isEmpty { inserts[strip] = list }
    }
  }

  /// What may be said of a strip.
  private static func keys(of strip: Strip) -> [String] {
    switch strip {
    case .main: ["inserts"]
    case .bus: ["inserts", "to", "level", "pan", "mute"]
    case .channel: ["inserts", "to", "sends"]
    case .microphone: ["inserts", "to"]
    case .click: ["to"]
    }
  }

  private static func inserts(_ fields: JSONFields, _ source: JSONSource) throws(ResourceError) -> [Insert] {
    let value = try fields.value("inserts")
    guard let list = value.list, list.count <= Synthesizer.insertLimit else {
      throw source.fault(value, fields.at("inserts"), "expected a list of at most \(Synthesizer.insertLimit) effects")
    }
    var inserts: [Insert] = []
    for (index, element) in list.enumerated() {
      inserts.append(try Insert(element, place: "\(fields.at("inserts"))[\(index)]", source: source))
    }
    return inserts
  }

  private static func shares(_ fields: JSONFields, _ source: JSONSource) throws(ResourceError) -> [String: Double] {
    let value = try fields.value("sends")
    guard case .object(let members) = value.content else {
      throw source.fault(value, fields.at("sends"), "expected an object of buses and percents, found \(value.kind)")
    }
    let names = try JSONFields(value, place: fields.at("sends"), keys: members.map(\.key), source: source)
    var shares: [String: Double] = [:]
    for name in members.map(\.key) { shares[name] = try names.number(name, in: 0...100) }
    return shares
  }

  /// Finds out whether all buses that are named are there.
  private func checkNames(_ fields: JSONFields, _ source: JSONSource) throws(ResourceError) {
    var named = sends.values.flatMap(\.keys)
    for case .bus(let name) in Array(destinations.values) + buses.map(\.destination) { named.append(name) }
    for case .bus(let name)? in inserts.values.joined().map(\.sideChain) { named.append(name) }
    guard let missing = named.sorted().first(where: { bus($0) == nil }) else { return }
    let group = fields.has("buses") ? "buses" : "strips"
    throw source.fault(
      try fields.value(group), fields.at(group),
      "something names \(missing), which is no bus of the document; add it to \"buses\"")
  }
}

extension Strip {
  fileprivate var isBus: Bool {
    switch self {
    case .bus, .main: true
    case .channel, .microphone, .click: false
    }
  }
}

extension Destination {
  fileprivate init(_ fields: JSONFields) throws(ResourceError) {
    guard let destination = Destination(parsing: try fields.text("to")) else {
      throw fields.source.fault(try fields.value("to"), fields.at("to"), "expected \(Self.expected)")
    }
    self = destination
  }
}

extension Scene.Bus {
  fileprivate init(_ name: String, _ fields: JSONFields) throws(ResourceError) {
    self.init(name)
    if fields.has("to") { destination = try Destination(fields) }
    if fields.has("level") { level = try fields.number("level", in: -120...24) }
    if fields.has("pan") { pan = try fields.number("pan", in: -1...1) }
    isMuted = try fields.isOn("mute")
  }

  /// What differs from a new bus.
  fileprivate var members: [(String, JSONValue)] {
    var members: [(String, JSONValue)] = []
    if destination != .main { members.append(("to", .string(destination.word))) }
    if level != 0 { members.append(("level", .number(level))) }
    if pan != 0 { members.append(("pan", .number(pan))) }
    if isMuted { members.append(("mute", .bool(true))) }
    return members
  }
}
