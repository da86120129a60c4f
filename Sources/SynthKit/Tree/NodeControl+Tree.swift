import AudioGraph

// What the nodes of an audio graph have, as nodes of the control tree: "/reverb/time".

extension NodeControl {
  /// What a node has, or one thing of it. The formats of buses and what meters show are left out unless they are named.
  func nodes(of node: String, _ name: String? = nil) throws(SynthesizerCommandError) -> [ControlNode] {
    let found = try self.node(named: node)
    let all = nodes(of: found, named: name)
    if let name, all.isEmpty { throw unknown(name, of: node) }
    return all
  }

  /// Those that a path of node and name means; of a path of a node alone all that it has.
  func nodes(_ words: [String], hasProperties: Bool) -> [ControlNode] {
    guard words.count <= 2 else { return [] }
    let (node, name) = (words.first ?? "*", words.dropFirst().first ?? "*")
    let found = engine.graph.nodes.filter { TreePattern.matches(Self.component($0.name), node) || $0.name == node }
      .flatMap { audioNode -> [ControlNode] in
        if TreePattern.isPattern(name) {
          return nodes(of: audioNode, named: nil).filter {
            TreePattern.matches(String($0.path.split(separator: "/")[1]), name)
          }
        }
        return nodes(of: audioNode, named: name)
      }
    return hasProperties ? found : found.filter { $0.parameter != nil }
  }

  private func nodes(of node: any AudioNode, named name: String?) -> [ControlNode] {
    if let name {
      if let parameter = node.parameters.named(name, \.name) { return [self.node(parameter, of: node)] }
      return engine.properties(of: node).named(name, \.name).map { [self.node($0, of: node)] } ?? []
    }
    return node.parameters.map { self.node($0, of: node) }
      + engine.properties(of: node).filter { $0.access != .measured }.map { self.node($0, of: node) }
  }

  private func node(_ parameter: Parameter, of node: any AudioNode) -> ControlNode {
    ControlNode(
      Self.path(node, parameter.name), parameter, label: Self.label(node, parameter.name),
      names: (node.name, parameter.name), text: { _ in parameter.unit.text(parameter.value) })
  }

  /// Properties change the graph, and one that is a text may be the path of a file.
  private func node(_ property: Property, of node: any AudioNode) -> ControlNode {
    let least: Asker = !property.isSettable ? .network : property.kind.isText ? .owner : .page
    return ControlNode(
      Self.path(node, property.name), nil, by: least, kind: property.kind, isFixed: !property.isSettable,
      label: Self.label(node, property.name), names: (node.name, property.name), read: { property.value },
      write: { [engine] value in
        if property.isSettable { try engine.set(property.name, of: node, to: value) } else { try property.set(value) }
      },
      // Behind its name.
      text: { _ in String(property.description.dropFirst(property.name.count + 1)) })
  }

  private static func path(_ node: any AudioNode, _ name: String) -> String {
    "/\(component(node.name))/\(component(name))"
  }

  private static func label(_ node: any AudioNode, _ name: String) -> String {
    "set \(CommandWords.quoted(node.name)) \(CommandWords.quoted(name))"
  }

  /// A name as a component of a path.
  static func component(_ name: String) -> String { String(name.map { $0 == " " || $0 == "/" ? "_" : $0 }) }
}

extension PropertyKind {
  fileprivate var isText: Bool {
    switch self {
    case .text: true
    case .list(let element, _): element.isText
    case .bool, .integer, .number, .choice, .channel: false
    }
  }
}
