import AudioGraph

extension Case {
  /// What the plan itself takes: nodes that do nothing, one after the other.
  static func plan() throws -> [Case] {
    try [16, 64].map { count in
      Case("plan, \(count) empty nodes", try chain(of: count), without: try chain(of: 0))
    }
  }

  /// noise ─ empty ─ … ─ empty ─ output
  private static func chain(of count: Int) throws -> Work {
    try Work { graph in
      var last: any AudioNode = noise()
      try graph.attach(last)
      for _ in 0..<count {
        let node = EmptyNode()
        try graph.attach(node)
        try graph.connect(last, to: node)
        last = node
      }
      return last
    }
  }
}
