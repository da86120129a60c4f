import AudioGraph
import SynthText

// Nodes of the control tree as clients of a control surface see them.

extension ControlNode {
  /// What it is, what it may be set to, and its value.
  var json: JSONValue {
    let present = present
    var members: [JSONValue.Field] = [("path", .string(path))]
    if let names { members += [("node", .string(names.node)), ("name", .string(names.name))] }
    members += [("value", present.value.json)] + kind.json
    if let parameter, case .number = kind {
      members.append(("default", .number(Double(exactText: parameter.defaultValue))))
    }
    if isFixed { members.append(("fixed", .bool(true))) }
    return .object(members + [("text", .string(present.text))])
  }

  /// With what it is in words, and the least asker that may set it.
  var description: JSONValue {
    guard case .object(let members) = json.content else { return json }
    return .object(
      members.map { ($0.key, $0.value) } + (summary.map { [("summary", .string($0))] } ?? [])
        + [("by", .string("\(by)"))])
  }
}

extension PropertyValue {
  var json: JSONValue {
    switch self {
    case .bool(let value): .bool(value)
    case .integer(let value): .number(value)
    case .number(let value): .number(value)
    case .text(let value): .string(value)
    case .list(let values): .array(values.map(\.json))
    }
  }
}

extension PropertyKind {
  fileprivate var json: [JSONValue.Field] {
    switch self {
    case .bool: [("kind", .string("switch"))]
    case .integer(let range, let unit):
      [("kind", .string("integer"))] + unit.json
        + [("min", .number(range.lowerBound)), ("max", .number(range.upperBound))]
    case .number(let range, let unit):
      [("kind", .string("number"))] + unit.json
        + [("min", .number(range.lowerBound)), ("max", .number(range.upperBound))]
    case .choice(let names): [("kind", .string("choice")), ("choices", .array(names.map { .string($0) }))]
    case .list: [("kind", .string("list"))]
    case .text, .channel: [("kind", .string("text"))]
    }
  }
}

extension ParameterUnit {
  fileprivate var json: [JSONValue.Field] { symbol.isEmpty ? [] : [("unit", .string(symbol))] }
}
