import SynthRealtime
import SynthText

extension GraphDescription {
  /// For programs: an object with `sampleRate`, `quantum`, `buffers`, `fault`, and the list `nodes`, to which the
  /// indices in it refer.
  public var json: JSONValue {
    .object([
      ("sampleRate", sampleRate.map { .number($0) } ?? .null),
      ("quantum", .number(renderQuantum)),
      ("buffers", bufferCount.map { .number($0) } ?? .null),
      ("fault", fault.map { .string("\($0)") } ?? .null),
      ("nodes", .array(nodes.map(Self.json))),
    ])
  }

  private static func json(_ node: Node) -> JSONValue {
    .object([
      ("name", .string(node.name)), ("kind", .string(node.kind)), ("implicit", .bool(node.isImplicit)),
      ("rendered", .bool(node.isRendered)), ("takesInputAfter", node.takesInputAfter.map { .number($0) } ?? .null),
      ("inputs", .array(node.inputs.map(json))), ("outputs", .array(node.outputs.map(json))),
      ("parameters", .array(node.parameters.map(json))), ("properties", .array(node.properties.map(json))),
    ])
  }

  private static func json(_ input: Input) -> JSONValue {
    .object([("source", input.source.map(json) ?? .null)] + json(input.format, input.buffer))
  }

  private static func json(_ output: Output) -> JSONValue {
    .object([("destinations", .array(output.destinations.map(json)))] + json(output.format, output.buffer))
  }

  private static func json(_ end: End) -> JSONValue {
    .object([("node", .number(end.node)), ("bus", .number(end.bus))])
  }

  private static func json(_ format: AudioFormat?, _ buffer: Int?) -> [(String, JSONValue)] {
    [
      ("sampleRate", format.map { .number($0.sampleRate) } ?? .null),
      ("channels", format.map { .number($0.channelCount) } ?? .null),
      ("buffer", buffer.map { .number($0) } ?? .null),
    ]
  }

  private static func json(_ parameter: Parameter) -> JSONValue {
    let bounds = [
      ("value", parameter.value), ("min", parameter.range.lowerBound), ("max", parameter.range.upperBound),
      ("default", parameter.defaultValue),
    ].map { ($0, JSONValue.number($1)) }
    var names: [(String, JSONValue)] = []
    if case .index(let values) = parameter.unit { names = [("names", .array(values.map { .string($0) }))] }
    return .object(
      [("name", .string(parameter.name))] + json(parameter.element, parameter.shortName)
        + [("unit", .string(parameter.unit.symbol))] + bounds + names)
  }

  private static func json(_ property: Property) -> JSONValue {
    .object(
      [("name", .string(property.name))] + json(property.element, property.shortName) + [
        ("value", property.value.json), ("unit", .string(property.kind.symbol)),
        ("access", .string(property.access.rawValue)), ("takes", .string("\(property.kind)")),
      ])
  }

  private static func json(_ element: NodeElement, _ shortName: String) -> [(String, JSONValue)] {
    [
      ("scope", .string(element.scope.rawValue)), ("element", .number(element.number)),
      ("shortName", .string(shortName)),
    ]
  }
}

extension PropertyValue {
  package var json: JSONValue {
    switch self {
    case .bool(let value): .bool(value)
    case .integer(let value): .number(value)
    case .number(let value): .number(value)
    case .text(let value): .string(value)
    case .list(let values): .array(values.map(\.json))
    }
  }
}

extension GraphDescription {
  /// For Graphviz, `dot -Tsvg`: a box for each node, an arrow for buses side by side that are connected alike.
  /// Automatic nodes are dashed, what does not render is grey.
  public var dot: String {
    var lines = ["digraph synth {", "  rankdir=LR;", "  node [shape=box, style=rounded];"]
    for (index, node) in nodes.enumerated() {
      let style = node.isImplicit ? ", style=\"rounded,dashed\"" : ""
      let colour = node.isRendered || sampleRate == nil || fault != nil ? "" : ", color=gray, fontcolor=gray"
      let label = ["\(index + 1) \(node.name)"] + node.settings.map { $0.shorteningWords(to: 30) }
      lines.append("  n\(index + 1) [label=\(quoted(label))\(style)\(colour)];")
    }
    for (index, node) in nodes.enumerated() {
      for run in BusRun.outputs(of: node) {
        guard let peer = run.peer, let peerBuses = run.peerBuses else { continue }
        let label = ["\(run.buses.text) → \(peerBuses.text)"] + [run.format?.description].compactMap(\.self)
        let width = run.buses.count > 1 ? ", penwidth=3" : ""
        // Feedback points backwards; it must not pull the nodes out of their order.
        let back = peer.node <= index ? ", constraint=false" : ""
        lines.append("  n\(index + 1) -> n\(peer.node + 1) [label=\(quoted(label))\(width)\(back)];")
      }
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  /// A string of the DOT language, of several lines.
  private func quoted(_ lines: [String]) -> String {
    let escaped = lines.map { line in
      line.unicodeScalars.map { scalar in
        switch scalar {
        case "\"", "\\": "\\\(scalar)"
        case _ where scalar.properties.generalCategory == .control: "?"
        default: String(scalar)
        }
      }.joined()
    }
    return "\"\(escaped.joined(separator: "\\n"))\""
  }
}
