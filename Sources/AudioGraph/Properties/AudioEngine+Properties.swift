extension AudioEngine {
  /// Sets a property of a node of the graph and prepares the graph anew; where it then has a fault, all is as before.
  /// [control threads]
  ///
  /// What the property changes takes effect between two quanta, as an edit does.
  ///
  /// - Throws: `PropertyError`, the node's own error, or `GraphError`.
  public func set(_ name: String, of node: any AudioNode, to value: PropertyValue) throws {
    let property = try node.property(named: name)
    var before: PropertyValue?
    do {
      try edit { graph in
        guard graph.nodes.contains(where: { $0 === node }) else { throw GraphError.notAttached(node: node.name) }
        let present = property.value
        try property.set(value, isRunning: state == .running)
        before = present
      }
    } catch {
      if let before { try property.set(before, isRunning: false) }
      throw error
    }
  }
}
