import AudioGraph

extension Synthesizer {
  /// What channels can send to; the raw values are the mixer's sends.
  public enum Effect: Int, CaseIterable, Sendable {
    /// The mixer's sends 0 to 2.
    case reverb, chorus, delay
  }

  func node(of effect: Effect) -> any AudioNode {
    switch effect {
    case .reverb: effects.reverb
    case .chorus: effects.chorus
    case .delay: effects.delay
    }
  }

  func isAttached(_ effect: Effect) -> Bool { engine.graph.nodes.contains { $0 === node(of: effect) } }

  /// Between what the channels send to it and the mix.
  func connect(_ effect: Effect, in graph: inout Graph) throws(GraphError) {
    let node = node(of: effect)
    try graph.connect(mixer, to: node, fromBus: 1 + effect.rawValue)
    try graph.connect(node, to: mainMixer, toBus: 1 + effect.rawValue)
  }

  /// Puts an effect that was left out into its place, also while it plays; one that is there stays.
  func attach(_ effect: Effect) throws {
    guard !isAttached(effect) else { return }
    try engine.edit { graph in
      try graph.attach(node(of: effect))
      try connect(effect, in: &graph)
    }
  }
}
