import AudioGraph
import SynthRealtime

extension Case {
  /// What it takes to leave the graph and come back: callbacks, taps, and a graph within the graph.
  static func callbacks() throws -> [Case] {
    let bare = try Work { try attach(EmptySources.function(), to: &$0) }
    return [
      Case("source, empty C function", bare, without: try Work { try attach(EmptySources.node(), to: &$0) }),
      Case(
        "source, empty closure", try Work { try attach(EmptySources.closure(), to: &$0) },
        without: try Work { try attach(EmptySources.node(), to: &$0) }),
      Case("tap on a stereo bus, being read", try tapped(), without: bare),
      Case("graph as a node, stereo in and out", try nested(), without: bare),
    ]
  }

  private static func attach(_ node: any AudioNode, to graph: inout Graph) throws -> any AudioNode {
    try graph.attach(node)
    return node
  }

  /// source ─┬─ output
  ///         └─ tap, read once in 64 quanta
  private static func tapped() throws -> Work {
    let tap = TapNode()
    let work = try Work { graph in
      let source = try attach(EmptySources.function(), to: &graph)
      try graph.tap(source, with: tap)
      return source
    }
    return Work { quantumCount in
      var left = quantumCount
      while left > 0 {
        work.run(min(left, 64))
        left -= min(left, 64)
        tap.read { _ in }
      }
    }
  }

  /// source ─ (input ─ output) ─ output
  private static func nested() throws -> Work {
    let inner = AudioEngine(sampleRate: Work.sampleRate)
    let node = try GraphNode(inner, inputFormats: [.stereo(Work.sampleRate)])
    let output = try OutputNode(channelCount: 2)
    try inner.edit { graph in
      try graph.attach(node.inputs[0])
      try graph.attach(output)
      try graph.connect(node.inputs[0], to: output)
    }
    return try Work { graph in
      let source = try attach(EmptySources.function(), to: &graph)
      try graph.attach(node)
      try graph.connect(source, to: node)
      return node
    }
  }
}

/// Three ways to render nothing.
private enum EmptySources {
  static func node() -> EmptyNode { EmptyNode(inputs: 0) }

  static func function() -> SourceNode {
    SourceNode(format: .stereo(Work.sampleRate), context: unused) { _, _ in }
  }

  static func closure() -> SourceNode {
    let kept = EmptyNode()
    return SourceNode(format: .stereo(Work.sampleRate)) { request in
      // Something is captured, or there would be nothing to retain.
      if request.sampleTime < 0 { print(kept) }
    }
  }

  nonisolated(unsafe) private static let unused = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
}
