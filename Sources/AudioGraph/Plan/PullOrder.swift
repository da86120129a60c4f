/// The nodes that are pulled, every one after all whose output of the same quantum it needs: the recursive pull's
/// order, found without recursion, since a chain may be longer than a thread's stack is deep.
struct PullOrder {
  private(set) var nodes: [any AudioNode] = []
  private let graph: Graph
  private var visited: Set<ObjectIdentifier> = []
  /// What delayed nodes take after they have rendered.
  private var later: [any AudioNode] = []
  /// The way down from the root to where the search is.
  private var path: [(node: any AudioNode, upstream: [any AudioNode])] = []

  init(_ graph: Graph, roots: [any AudioNode]) {
    self.graph = graph
    for root in roots { search(from: root) }
    while let node = later.popLast() { search(from: node) }
  }

  private mutating func search(from root: any AudioNode) {
    visit(root)
    while let node = path.last?.node {
      if let next = path[path.count - 1].upstream.popLast() {
        visit(next)
      } else {
        nodes.append(node)
        path.removeLast()
      }
    }
  }

  private mutating func visit(_ node: any AudioNode) {
    guard visited.insert(ObjectIdentifier(node)).inserted else { return }
    let upstream = graph.sources(of: node).reversed().compactMap { $0?.node }
    if node.inputTiming == .delayed {
      later += upstream
      path.append((node, []))
    } else {
      path.append((node, upstream))
    }
  }
}
