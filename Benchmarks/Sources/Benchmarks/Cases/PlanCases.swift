import AudioGraph
import SynthRealtime

extension Case {
  /// What the plan itself takes: nodes that do nothing, one after the other.
  static func plan() throws -> [Case] {
    try [16, 64].map { count in
      Case("plan, \(count) empty nodes", try chain(of: count), without: try chain(of: 0))
    } + [try edit()]
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

  /// What an edit of a graph of 200 nodes takes on the control thread; it happens to be one per quantum here.
  ///
  ///     noise ─ empty ─┐
  ///        …           ├─ mixer ─ output
  ///     noise ─ empty ─┘
  private static func edit() throws -> Case {
    let engine = AudioEngine(sampleRate: Work.sampleRate)
    try engine.edit { graph in
      let (mixer, output) = (MixerNode(inputBusCount: 99), try OutputNode(channelCount: 2))
      try graph.attach(mixer)
      try graph.attach(output)
      try graph.connect(mixer, to: output)
      for bus in 0..<mixer.inputBusCount {
        let (source, node) = (noise(), EmptyNode())
        try graph.attach(source)
        try graph.attach(node)
        try graph.connect(source, to: node)
        try graph.connect(node, to: mixer, toBus: bus)
      }
    }
    return Case("an edit of 200 nodes, whole", Work { count in for _ in 0..<count { try? engine.edit { _ in } } })
  }
}
