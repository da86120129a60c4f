import Realtime

/// Which engine has a node in its graph. It is one at a time, since a node has one kernel. [any thread]
enum NodeOwners {
  private static let owners = CheckedMutex<[ObjectIdentifier: ObjectIdentifier]>([:])

  /// Enters all nodes for an engine, which may have some of them already; none if another engine has one.
  ///
  /// - Returns: those it had not.
  static func claim(_ nodes: [any AudioNode], for engine: AudioEngine) throws(GraphError) -> [any AudioNode] {
    let engine = ObjectIdentifier(engine)
    var refused: (any AudioNode)?
    let claimed = owners.withLock { owners -> [any AudioNode] in
      refused = nodes.first { node in owners[ObjectIdentifier(node)].map { $0 != engine } ?? false }
      guard refused == nil else { return [] }
      return nodes.filter { owners.updateValue(engine, forKey: ObjectIdentifier($0)) == nil }
    }
    if let refused { throw .inAnotherEngine(node: refused.name) }
    return claimed
  }

  /// Frees nodes that an engine has.
  static func release(_ nodes: [any AudioNode]) {
    owners.withLock { owners in for node in nodes { owners[ObjectIdentifier(node)] = nil } }
  }
}
