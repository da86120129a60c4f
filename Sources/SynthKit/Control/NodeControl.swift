import AudioGraph
import SynthText

/// Reads and sets what the nodes of a graph have, by names, for people and programs that do not know the nodes.
/// [control thread]
public struct NodeControl: Sendable {
  /// The engine whose graph it reads.
  public let engine: AudioEngine

  public init(_ engine: AudioEngine) { self.engine = engine }

  /// The names of all nodes. Of several with one name the first is meant.
  public var nodes: [String] { engine.graph.nodes.map(\.name) }

  /// What a node has, by name: parameters, then properties, formats and meters among them. Empty for an unknown node.
  public func names(of node: String) -> [String] {
    guard let node = try? self.node(named: node) else { return [] }
    return node.parameters.map(\.name) + engine.properties(of: node).map(\.name)
  }

  /// The words that one of them may be set to; empty where it takes a number or a text.
  public func values(of name: String, of node: String) -> [String] {
    (try? nodes(of: node, name))?.first?.kind.names ?? []
  }

  /// What a node is set to, the meters left out. Buses that are set alike share an entry: "input 0–15 gain".
  public func settings(of node: String) throws(SynthesizerCommandError) -> [NodeSetting] {
    let node = try self.node(named: node)
    let parameters = node.parameters.map { NodeSetting.Entry($0.element, $0.shortName, NodeSetting($0)) }
    let properties = node.properties.filter { $0.access != .measured }
      .map { NodeSetting.Entry($0.element, $0.shortName, NodeSetting($0)) }
    return NodeSetting.joined(parameters + properties)
  }

  /// One parameter or property, a meter or a bus's format too.
  public func setting(_ name: String, of node: String) throws(SynthesizerCommandError) -> NodeSetting {
    let found = try self.node(named: node)
    if let parameter = found.parameters.named(name, \.name) { return NodeSetting(parameter) }
    if let property = engine.properties(of: found).named(name, \.name) { return NodeSetting(property) }
    throw unknown(name, of: node)
  }

  /// Sets a parameter or a property to what a text says, as it would be typed.
  ///
  /// - Returns: what it is then.
  @discardableResult
  public func set(
    _ name: String, of node: String, to text: String
  ) throws(SynthesizerCommandError) -> NodeSetting {
    for node in try nodes(of: node, name) { try node.set(text) }
    return try setting(name, of: node)
  }

  /// Performs the command "set"; any other is no matter of nodes.
  func perform(_ command: SynthesizerCommand) throws(SynthesizerCommandError) -> SynthesizerAnswer {
    switch command {
    case .setNode(let node, let name, let value): .setting(node: node, try set(name, of: node, to: value))
    case .tell(.node(let node)): .settings(try settings(of: node))
    case .tell(.value(let name, let node)): .setting(node: node, try setting(name, of: node))
    default: .nodes(nodes)
    }
  }

  func node(named name: String) throws(SynthesizerCommandError) -> any AudioNode {
    if let node = engine.graph.nodes.named(name, \.name) { return node }
    let near = EditDistance.nearest(to: name, among: nodes)
    throw .unknownName(name, kind: "node", command: "set", nearest: near, known: nodes.map(CommandWords.quoted))
  }

  func unknown(_ name: String, of node: String) -> SynthesizerCommandError {
    let near = EditDistance.nearest(to: name, among: names(of: node))
    return .unknownName(
      name, kind: "parameter; set \(CommandWords.quoted(node)) lists those there are",
      command: "set \(CommandWords.quoted(node))", nearest: near, known: [])
  }
}

extension Collection {
  /// The first of a name; else the first whose name is that with underscores in place of blanks, as shells and OSC like
  /// it.
  func named(_ name: String, _ nameOf: (Element) -> String) -> Element? {
    first { nameOf($0) == name } ?? first { String(nameOf($0).map { $0 == " " ? "_" : $0 }) == name }
  }
}

/// A parameter or a property of a node as people read it.
public struct NodeSetting: Sendable, Hashable {
  /// As `NodeControl` finds it.
  public let name: String
  /// "−6 dB"
  public let value: String
  /// What it may be set to: "a number from −120 to 24 dB"; nil where it cannot be set.
  public let expected: String?

  init(name: String, value: String, expected: String?) {
    (self.name, self.value, self.expected) = (name, value, expected)
  }

  init(_ parameter: Parameter) {
    self.init(name: parameter.name, value: parameter.unit.text(parameter.value), expected: parameter.expected)
  }

  init(_ property: Property) {
    // Behind its name.
    let value = String(property.description.dropFirst(property.name.count + 1))
    self.init(
      name: property.name, value: value, expected: property.isSettable ? "\(property.kind)" : nil)
  }

  /// A setting and where it is.
  struct Entry {
    let element: NodeElement
    let shortName: String
    let setting: NodeSetting

    init(_ element: NodeElement, _ shortName: String, _ setting: NodeSetting) {
      (self.element, self.shortName, self.setting) = (element, shortName, setting)
    }

    /// Whether its name begins with its bus.
    var isOfBus: Bool { setting.name == "\(element) \(shortName)" }

    func isAlike(_ other: Entry) -> Bool {
      isOfBus && other.isOfBus && (element.scope, shortName) == (other.element.scope, other.shortName)
    }
  }

  /// Entries of neighbouring buses that are set alike become one; what has one name on several buses stands together.
  static func joined(_ entries: [Entry]) -> [NodeSetting] {
    var groups: [[Entry]] = []
    for entry in entries {
      if let index = groups.firstIndex(where: { $0[0].isAlike(entry) }) {
        groups[index].append(entry)
      } else {
        groups.append([entry])
      }
    }
    return groups.flatMap { group in
      var runs: [ArraySlice<Entry>] = []
      for index in group.indices {
        if let last = runs.last?.last, last.setting.value == group[index].setting.value {
          runs[runs.count - 1] = group[runs[runs.count - 1].startIndex...index]
        } else {
          runs.append(group[index...index])
        }
      }
      return runs.map { run in
        guard let first = run.first, let last = run.last, run.count > 1 else { return run[run.startIndex].setting }
        return NodeSetting(
          name: "\(first.element)–\(last.element.number) \(first.shortName)", value: first.setting.value,
          expected: first.setting.expected)
      }
    }
  }
}
