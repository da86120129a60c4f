import SynthText

// What a program sees of a node in a graph: the node's own properties, and the formats of its buses.

extension AudioEngine {
  /// The formats of a node's buses as the graph was prepared last; nil for a node that does not render. [any thread]
  public func formats(of node: any AudioNode) -> BusFormats? {
    published.withLock { $0.formats[ObjectIdentifier(node)] }
  }

  /// A node's properties, and after them for each bus its stream format, "input 0 format", which is read only:
  /// "48000 Hz stereo", or "none" where nothing is connected. [control thread]
  public func properties(of node: any AudioNode) -> [Property] {
    node.properties + (0..<node.inputBusCount).map { format(of: node, .input($0)) }
      + (0..<node.outputBusCount).map { format(of: node, .output($0)) }
  }

  /// One of them, by the name it has at a bus: "format". [control thread]
  public func property(
    named shortName: String, of node: any AudioNode, _ element: NodeElement
  ) throws(PropertyError) -> Property {
    let properties = properties(of: node).filter { $0.element == element }
    if let property = properties.first(where: { $0.shortName == shortName }) { return property }
    throw .unknown(
      node: "\(node.name), \(element)", name: shortName,
      near: EditDistance.near(to: shortName, among: properties.map(\.shortName)))
  }

  private func format(of node: any AudioNode, _ element: NodeElement) -> Property {
    Property(measured: "format", at: element, of: node, kind: .text) { [weak self, weak node] in
      let formats = node.flatMap { self?.formats(of: $0) }
      let buses = element.scope == .input ? formats?.inputs : formats?.outputs
      let format = buses.flatMap { $0.indices.contains(element.number) ? $0[element.number] : nil }
      return .text(format?.description ?? "none")
    }
  }

  /// Sets a property of a node of the graph and prepares the graph again; where it then has a fault, all is as before.
  /// [control thread]
  ///
  /// What the property changes takes effect between two quanta, as an edit does.
  ///
  /// - Parameter transition: as that of `edit`.
  /// - Throws: `PropertyError`, the node's own error, `GraphError` or `EngineError`.
  public func set(_ name: String, of node: any AudioNode, to value: PropertyValue, transition: EditTransition = .faded)
    throws
  {
    let property = try node.property(named: name)
    var before: [(property: Property, value: PropertyValue)] = []
    try edit(transition: transition) { graph in
      guard graph.nodes.contains(where: { $0 === node }) else { throw GraphError.notAttached(node: node.name) }
      // All of them: one may change others, as a channel count does the channel map.
      let present = node.properties.filter(\.isSettable).map { ($0, $0.value) }
      try property.set(value, isRunning: state != .stopped)
      before = present
    } undo: {
      // One that a node refuses to have back leaves the others as they were, and the error is the first.
      for (property, value) in before { try? property.set(value, isRunning: false) }
    }
  }
}
