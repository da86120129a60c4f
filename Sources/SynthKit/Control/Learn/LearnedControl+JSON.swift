import SynthText

// Learned controls in files: their own, and those of snapshots.

extension LearnedControl {
  private static let keys = [
    "controller", "note", "program", "nrpn", "channel", "port", "node", "parameter", "command", "from", "to", "toggle",
    "through", "by",
  ]

  var json: JSONValue {
    let kind: (String, JSONValue) =
      switch trigger.kind {
      case .controller(let number): ("controller", .number(Int(number)))
      case .note(let number): ("note", .number(Int(number)))
      case .program(let number): ("program", .number(Int(number)))
      case .assignable(let number): ("nrpn", .number(Int(number)))
      }
    var members = [kind, ("channel", .number(Int(trigger.channel) + 1))]
    if let port = trigger.port { members.append(("port", .string(port))) }
    switch target {
    case .parameter(let node, let name): members += [("node", .string(node)), ("parameter", .string(name))]
    case .command(let line): members.append(("command", .string(line)))
    }
    if let ends, ends.count == 2 { members += [("from", .number(ends[0])), ("to", .number(ends[1]))] }
    if isToggle { members.append(("toggle", .bool(true))) }
    if isPassedOn { members.append(("through", .bool(true))) }
    if asker != .page { members.append(("by", .string("\(asker)"))) }
    return .object(members)
  }

  init(_ json: JSONValue, place: String, source: JSONSource) throws(ResourceError) {
    let fields = try JSONFields(json, place: place, keys: Self.keys, source: source)
    func whole(_ key: String, _ range: ClosedRange<Double>) throws(ResourceError) -> Int {
      Int(try fields.number(key, in: range))
    }
    let kind: LearnedTrigger.Kind =
      if fields.has("note") {
        .note(UInt8(try whole("note", 0...127)))
      } else if fields.has("program") {
        .program(UInt8(try whole("program", 0...127)))
      } else if fields.has("nrpn") {
        .assignable(UInt16(try whole("nrpn", 0...16383)))
      } else {
        .controller(UInt8(try whole("controller", 0...119)))
      }
    let target: Target =
      if fields.has("command") {
        .command(try fields.text("command"))
      } else {
        .parameter(node: try fields.text("node"), name: try fields.text("parameter"))
      }
    self.init(
      target,
      LearnedTrigger(
        kind, channel: UInt8(try whole("channel", 1...16) - 1), port: fields.has("port") ? try fields.text("port") : nil
      ))
    if fields.has("from") || fields.has("to") {
      ends = [Float(try fields.number("from").number), Float(try fields.number("to").number)]
    }
    isToggle = try fields.isOn("toggle")
    isPassedOn = try fields.isOn("through")
    if fields.has("by") { asker = try fields.asker("by") }
  }

  /// The elements of a list.
  static func list(_ value: JSONValue, place: String, source: JSONSource) throws(ResourceError) -> [LearnedControl] {
    guard let list = value.list else { throw source.fault(value, place, "expected a list, found \(value.kind)") }
    var controls: [LearnedControl] = []
    for (index, element) in list.enumerated() {
      controls.append(try LearnedControl(element, place: "\(place)[\(index)]", source: source))
    }
    return controls
  }
}

extension JSONFields {
  fileprivate func asker(_ key: String) throws(ResourceError) -> Asker {
    let name = try text(key)
    guard let asker = Asker.allCases.first(where: { "\($0)" == name }) else {
      throw source.fault(try value(key), at(key), "expected \(Asker.allCases.map { "\($0)" }.joined(separator: ", "))")
    }
    return asker
  }

  func isOn(_ key: String) throws(ResourceError) -> Bool {
    guard has(key) else { return false }
    let value = try value(key)
    guard case .bool(let isOn) = value.content else { throw source.fault(value, at(key), "expected true or false") }
    return isOn
  }
}

/// The file in which learned controls wait for the next start. [control thread]
public struct LearnedStore: Sendable {
  /// Nil where the program has no place for its state.
  let path: String?

  /// - Parameter path: nil for none: what is learned is forgotten at the end.
  public init(path: String?) { self.path = path }

  /// That of the running program: `learned.json` in its state directory.
  public static func standard() -> LearnedStore { LearnedStore(path: StateFile.directory.map { "\($0)/learned.json" }) }

  /// Empty where there is no file.
  func read() throws(ResourceError) -> [LearnedControl] {
    guard let path, ResourceFile.exists(path) else { return [] }
    let source = JSONSource(path: path, bytes: try ResourceFile.bytes(at: path))
    let fields = try JSONFields(try source.value(), place: "", keys: ["version", "learned"], source: source)
    try fields.checkVersion()
    return try LearnedControl.list(fields.value("learned"), place: "learned", source: source)
  }

  func write(_ controls: [LearnedControl]) throws(StateFileError) {
    guard let path else { return }
    let lines = controls.map { "    \($0.json)" }.joined(separator: ",\n")
    try StateFile.write(Array("{\n  \"version\": 1,\n  \"learned\": [\n\(lines)\n  ]\n}\n".utf8), to: path)
  }
}
