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

  /// What one effect gives, as an input of another, which decides how much of it is heard: see `EffectControls`.
  private static let ways: [(source: Effect, destination: Effect, bus: Int)] = [
    (.chorus, .reverb, 1), (.delay, .reverb, 2), (.chorus, .delay, 1),
  ]
  /// The input of the delay for what channels send to the reverb.
  private static let reverbSendBus = 2

  /// Between what the channels send to it and the mix.
  func connect(_ effect: Effect, in graph: inout Graph) throws(GraphError) {
    let node = node(of: effect)
    try graph.connect(mixer, to: node, fromBus: 1 + effect.rawValue)
    try graph.connect(node, to: mainMixer, toBus: 1 + effect.rawValue)
    for way in Self.ways where way.source == effect && isOn(way.destination, in: graph) {
      try graph.connect(node, to: self.node(of: way.destination), toBus: way.bus)
    }
    try connectOthers(to: effect, in: &graph)
  }

  /// Whether an effect has its place, and has not been switched off.
  private func isOn(_ effect: Effect, in graph: Graph) -> Bool {
    isConnected(effect, in: graph) && mixer.sends[effect.rawValue].isEnabled.value != 0
  }

  private func isConnected(_ effect: Effect, in graph: Graph) -> Bool {
    graph.source(of: BusEnd(node: node(of: effect), scope: .input, bus: 0)) != nil
  }

  /// Lets an effect hear what is in the graph of the others.
  private func connectOthers(to effect: Effect, in graph: inout Graph) throws(GraphError) {
    let node = node(of: effect)
    for way in Self.ways where way.destination == effect && isConnected(way.source, in: graph) {
      try graph.connect(self.node(of: way.source), to: node, toBus: way.bus)
    }
    if effect == .delay { try graph.connect(mixer, to: node, fromBus: 1, toBus: Self.reverbSendBus) }
  }

  /// Puts an effect that was left out into its place, also while it plays; one that is there stays.
  func attach(_ effect: Effect) throws {
    guard !isAttached(effect) else { return }
    try engine.edit { graph in
      try graph.attach(node(of: effect))
      try connect(effect, in: &graph)
    }
  }

  /// Switches an effect on, also while it plays, or off: what rings in it dies away.
  func enable(_ effect: Effect, _ isOn: Bool) throws {
    if isOn { try attach(effect) }
    mixer.sends[effect.rawValue].isEnabled.value = isOn ? 1 : 0
    let node = node(of: effect)
    let inputs = (1..<max(1, node.inputBusCount)).map { BusEnd(node: node, scope: .input, bus: $0) }
    let connected = inputs.filter { engine.graph.source(of: $0) != nil }
    guard !inputs.isEmpty, isOn == connected.isEmpty else { return }
    try engine.edit { graph in
      for input in connected { try graph.disconnect(input: node, bus: input.bus) }
      if isOn { try connectOthers(to: effect, in: &graph) }
    }
  }
}
