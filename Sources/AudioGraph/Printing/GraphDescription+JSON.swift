import Realtime

extension GraphDescription {
  /// For programs: an object with `sampleRate`, `quantum`, `buffers`, `fault`, and the list `nodes`, to which the indices
  /// in it refer.
  public var json: JSONText {
    .object([
      ("sampleRate", sampleRate.map { .real($0) } ?? .null),
      ("quantum", .number(renderQuantum)),
      ("buffers", bufferCount.map { .number($0) } ?? .null),
      ("fault", fault.map { .text("\($0)") } ?? .null),
      ("nodes", .list(nodes.map(Self.json))),
    ])
  }

  private static func json(_ node: Node) -> JSONText {
    .object([
      ("name", .text(node.name)), ("kind", .text(node.kind)), ("implicit", .bool(node.isImplicit)),
      ("rendered", .bool(node.isRendered)), ("takesInputAfter", node.takesInputAfter.map { .number($0) } ?? .null),
      ("inputs", .list(node.inputs.map(json))), ("outputs", .list(node.outputs.map(json))),
      ("parameters", .list(node.parameters.map(json))), ("properties", .list(node.properties.map(json))),
    ])
  }

  private static func json(_ input: Input) -> JSONText {
    .object([("source", input.source.map(json) ?? .null)] + json(input.format, input.buffer))
  }

  private static func json(_ output: Output) -> JSONText {
    .object([("destinations", .list(output.destinations.map(json)))] + json(output.format, output.buffer))
  }

  private static func json(_ end: End) -> JSONText {
    .object([("node", .number(end.node)), ("bus", .number(end.bus))])
  }

  private static func json(_ format: AudioFormat?, _ buffer: Int?) -> [(String, JSONText)] {
    [
      ("sampleRate", format.map { .real($0.sampleRate) } ?? .null),
      ("channels", format.map { .number($0.channelCount) } ?? .null),
      ("buffer", buffer.map { .number($0) } ?? .null),
    ]
  }

  private static func json(_ parameter: Parameter) -> JSONText {
    let bounds = [
      ("value", parameter.value), ("min", parameter.range.lowerBound), ("max", parameter.range.upperBound),
      ("default", parameter.defaultValue),
    ].map { ($0, JSONText.float($1)) }
    var names: [(String, JSONText)] = []
    if case .index(let values) = parameter.unit { names = [("names", .list(values.map { .text($0) }))] }
    return .object([("name", .text(parameter.name)), ("unit", .text(parameter.unit.symbol))] + bounds + names)
  }

  private static func json(_ property: Property) -> JSONText {
    .object([
      ("name", .text(property.name)), ("value", property.value.json), ("access", .text(property.access.rawValue)),
      ("takes", .text("\(property.kind)")),
    ])
  }
}

extension PropertyValue {
  fileprivate var json: JSONText {
    switch self {
    case .bool(let value): .bool(value)
    case .integer(let value): .number(value)
    case .number(let value): .real(value)
    case .text(let value): .text(value)
    case .list(let values): .list(values.map(\.json))
    }
  }
}

extension JSONText {
  /// With no more digits than a float has.
  fileprivate static func float(_ value: Float) -> JSONText { .real(Double("\(value)") ?? Double(value)) }
}
