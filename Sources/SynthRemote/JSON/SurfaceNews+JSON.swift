import SynthKit
import SynthText

// What a surface tells, as clients get it: `docs/control.md` has the members.

extension SurfaceNews {
  /// An object in JSON, on one line, with what its reader may see.
  package func json(for asker: Asker) -> String {
    let members = members
    return JSONValue.object(asker.seesPaths ? members : members.map { ($0.0, asker.shown($0.1, in: $0.0)) }).description
  }

  private var members: [(String, JSONValue)] {
    switch self {
    case .greeting(let release): [("synth", .string(release)), ("protocol", .number(ControlSurface.version))]
    case .answer(let answer, let id): (id.map { [("id", $0.json)] } ?? []) + [answer.member]
    case .state(let sections): [("state", .object(sections.map(\.member)))]
    case .change(let sections): [("change", .object(sections.map(\.member)))]
    case .changed(let nodes): [("change", .object([("parameters", .array(nodes.map { $0.json(isDescribed: false) }))]))]
    case .entry(let entry): [("news", entry.json)]
    case .meters(let meters): [("meters", meters.json)]
    }
  }
}

extension SurfaceRequest.ID {
  fileprivate var json: JSONValue {
    switch self {
    case .number(let number): .number(number)
    case .text(let text): .string(text)
    }
  }
}

extension SurfaceAnswer {
  fileprivate var member: (String, JSONValue) {
    switch self {
    case .text(let text): ("answer", .string(text))
    case .refusal(let problem): ("error", .string(problem))
    case .names(let names): ("nodes", .texts(names))
    case .nodes(let nodes): ("parameters", .array(nodes.map { $0.json(isDescribed: false) }))
    case .list(let nodes): ("parameters", .array(nodes.map { $0.json(isDescribed: true) }))
    case .state(let sections): ("state", .object(sections.map(\.member)))
    }
  }
}

extension SurfaceNode {
  fileprivate func json(isDescribed: Bool) -> JSONValue {
    var members: [(String, JSONValue)] = [("path", .string(path))]
    if let node, let name { members += [("node", .string(node)), ("name", .string(name))] }
    members += [("value", value.json)] + kind.members
    if let initialValue { members.append(("default", .number(initialValue))) }
    if isFixed { members.append(("fixed", .bool(true))) }
    members.append(("text", .string(text)))
    guard isDescribed else { return .object(members) }
    if let summary { members.append(("summary", .string(summary))) }
    return .object(members + [("by", .string("\(by)"))])
  }
}

extension PropertyKind {
  fileprivate var members: [(String, JSONValue)] {
    switch self {
    case .bool: [("kind", .string("switch"))]
    case .integer(let range, let unit):
      Self.members("integer", unit, .number(range.lowerBound), .number(range.upperBound))
    case .number(let range, let unit):
      Self.members("number", unit, .number(range.lowerBound), .number(range.upperBound))
    case .choice(let names): [("kind", .string("choice")), ("choices", .texts(names))]
    case .list: [("kind", .string("list"))]
    case .text, .channel: [("kind", .string("text"))]
    }
  }

  private static func members(_ kind: String, _ unit: ParameterUnit, _ least: JSONValue, _ most: JSONValue) -> [(
    String, JSONValue
  )] {
    [("kind", .string(kind))] + (unit.symbol.isEmpty ? [] : [("unit", .string(unit.symbol))]) + [
      ("min", least), ("max", most),
    ]
  }
}

extension SurfaceEntry {
  var json: JSONValue {
    .object([
      ("number", .number(number)), ("time", .thousandths(time)), ("kind", .string(isError ? "error" : "note")),
      ("text", .string(text)),
    ])
  }
}

extension SurfaceMeters {
  fileprivate var json: JSONValue {
    let last = lastMessage.map { last in
      JSONValue.object([
        ("number", .number(last.number)), ("channel", last.channel.map { .number(Int($0) + 1) } ?? .null),
        ("text", .string(last.text)), ("port", .string(last.port)),
      ])
    }
    return .object([
      ("time", .thousandths(time)), ("position", position.map { .thousandths($0) } ?? .null),
      ("voices", .number(voices)), ("load", .thousandths(load)), ("xruns", .number(xruns)), ("main", .pair(main)),
      ("mainHeld", .pair(mainHeld)), ("clips", .number(clips)), ("channels", .array(channels.map { .pair($0) })),
      ("held", .array(held.map { .pair($0) })), ("midi", .array(messageCounts.map { .number($0) })),
      ("last", last ?? .null),
    ])
  }
}

extension JSONValue {
  static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

  static func pair(_ pair: SIMD2<Double>) -> JSONValue { .array([.number(pair.x), .number(pair.y)]) }

  static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  /// A number with three decimals.
  static func thousandths(_ number: Double) -> JSONValue { .number((number * 1000).rounded() / 1000) }
}

extension Asker {
  /// A member of an object as this asker is told it: absolute paths in its texts without their directories. An answer
  /// repeats the asker's own identifier. The path of a node, which has a kind, is of the control tree.
  fileprivate func shown(_ value: JSONValue, in key: String, isOfNode: Bool = false) -> JSONValue {
    if key == "id" || key == "path" && isOfNode { return value }
    return switch value.content {
    case .string(let text): .string(shown(text))
    case .array(let values): .array(values.map { shown($0, in: "") })
    case .object(let members):
      .object(members.map { ($0.key, shown($0.value, in: $0.key, isOfNode: members["kind"] != nil)) })
    case .null, .bool, .number: value
    }
  }
}
