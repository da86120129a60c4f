import AudioGraph
import SynthText

// Parameters and properties of nodes as clients of a control surface see them.

extension NodeControl {
  /// What a node has; or one thing of it. The formats of buses and what meters show are left out unless they are named.
  func json(of node: String, _ name: String?) throws(SynthesizerCommandError) -> [JSONValue] {
    let found = try self.node(named: node)
    let (parameters, properties) = (found.parameters, engine.properties(of: found))
    guard let name else {
      return parameters.map { $0.json(of: node) }
        + properties.filter { $0.access != .measured }.map { $0.json(of: node) }
    }
    if let parameter = parameters.named(name, \.name) { return [parameter.json(of: node)] }
    if let property = properties.named(name, \.name) { return [property.json(of: node)] }
    throw unknown(name, of: node)
  }
}

extension Parameter {
  fileprivate func json(of node: String) -> JSONValue {
    var members: [JSONValue.Field] = [("node", .string(node)), ("name", .string(name))]
    switch unit {
    case .toggle: members += [("value", .bool(value != 0)), ("kind", .string("switch"))]
    case .index(let names):
      members += [
        ("value", .string(unit.text(value))), ("kind", .string("choice")),
        ("choices", .array(names.map { .string($0) })),
      ]
    default:
      members += [("value", .number(value)), ("kind", .string("number"))] + unit.json
      members += [
        ("min", .number(range.lowerBound)), ("max", .number(range.upperBound)), ("default", .number(defaultValue)),
      ]
    }
    return .object(members + [("text", .string(unit.text(value)))])
  }
}

extension Property {
  fileprivate func json(of node: String) -> JSONValue {
    let text = String(description.dropFirst(name.count + 1))
    return .object(
      [("node", .string(node)), ("name", .string(name)), ("value", value.json)] + kind.json
        + (isSettable ? [] : [("fixed", .bool(true))]) + [("text", .string(text))])
  }
}

extension PropertyValue {
  fileprivate var json: JSONValue {
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
