extension AudioEngine {
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
    do {
      try edit(transition: transition) { graph in
        guard graph.nodes.contains(where: { $0 === node }) else { throw GraphError.notAttached(node: node.name) }
        // All of them: one may change others, as a channel count does the channel map.
        let present = node.properties.filter { $0.access != .readOnly }.map { ($0, $0.value) }
        try property.set(value, isRunning: state != .stopped)
        before = present
      }
    } catch {
      for (property, value) in before { try property.set(value, isRunning: false) }
      throw error
    }
  }
}
