import AudioGraph

/// Which outputs feed which inputs where sound is gathered: the main mix, the buses, the output.
///
///     mixer ─► busMixer ─► metronome ─► mainMixer
///
/// The mixer that adds buses is there where buses lead into the main mix. A click that leads elsewhere is fed by a send
/// of the mixer that nothing is sent to: in each quantum it comes after the instruments, and it is as late as they are.
struct BusWiring {
  private let synthesizer: Synthesizer
  private let rack: BusRack
  private var sources: [(input: BusEnd, source: BusEnd)] = []
  /// The channels of the output that are beside the main mix.
  private var outputs: [[Int]] = []

  init(_ synthesizer: Synthesizer, _ rack: BusRack) { (self.synthesizer, self.rack) = (synthesizer, rack) }

  /// Connects an edited graph so. Buses that are new are attached already.
  mutating func apply(to graph: inout Graph) throws(GraphError) {
    for bus in rack.buses { feed(bus.sum, 0, from: synthesizer.mixer, bus.mixerBus) }
    var lists: [ObjectIdentifier: (node: MixerNode, sources: [any AudioNode])] = [:]
    lead(&lists)
    try attach(to: &graph, needsBusMixer: lists[ObjectIdentifier(synthesizer.busMixer)] != nil)
    for (node, list) in lists.values {
      while node.inputBusCount <= list.count { node.addInput() }
      for (place, source) in list.enumerated() { feed(node, 1 + place, from: source) }
    }
    trunk(graph, hasBusMixer: lists[ObjectIdentifier(synthesizer.busMixer)] != nil)
    let output = synthesizer.output
    for bus in 1..<output.inputBusCount where graph.source(of: BusEnd(node: output, scope: .input, bus: bus)) != nil {
      try graph.disconnect(input: output, bus: bus)
    }
    output.setOthers(outputs)
    try connect(in: &graph)
  }

  private mutating func feed(_ node: any AudioNode, _ bus: Int, from source: any AudioNode, _ sourceBus: Int = 0) {
    sources.append((BusEnd(node: node, scope: .input, bus: bus), BusEnd(node: source, scope: .output, bus: sourceBus)))
  }

  /// What leads to each mixer, beside what its first input has.
  private mutating func lead(_ lists: inout [ObjectIdentifier: (node: MixerNode, sources: [any AudioNode])]) {
    func add(_ source: any AudioNode, to node: MixerNode) {
      lists[ObjectIdentifier(node), default: (node, [])].sources.append(source)
    }
    for bus in rack.buses {
      switch rack.destination(of: .bus(bus.name)) {
      case .main: add(bus.fader, to: synthesizer.busMixer)
      case .bus(let name): if let next = rack.bus(name) { add(bus.fader, to: next.sum) }
      case .outputs(let channels):
        outputs.append(channels)
        if let limiter = bus.limiter { feed(limiter, 0, from: bus.fader) }
        feed(synthesizer.output, outputs.count, from: bus.limiter ?? bus.fader)
      }
    }
    if let bus = rack.bus(after: .click) { add(synthesizer.metronome, to: bus.sum) }
    guard let microphone = synthesizer.microphone else { return }
    if let bus = rack.bus(after: .microphone) {
      add(microphone.fader, to: bus.sum)
    } else {
      feed(synthesizer.mainMixer, microphone.mainBus, from: microphone.fader)
    }
  }

  /// The way of the main mix.
  private mutating func trunk(_ graph: Graph, hasBusMixer: Bool) {
    let (mixer, click) = (synthesizer.mixer, synthesizer.metronome)
    var last: any AudioNode = mixer
    if hasBusMixer {
      feed(synthesizer.busMixer, 0, from: mixer)
      last = synthesizer.busMixer
    }
    if rack.bus(after: .click) == nil {
      feed(click, 0, from: last)
      last = click
    } else {
      feed(click, 0, from: mixer, synthesizer.clickBus)
    }
    if graph.nodes.contains(where: { $0 === synthesizer.songSound }) {
      feed(synthesizer.songSound, 0, from: last)
      last = synthesizer.songSound
    }
    feed(synthesizer.mainMixer, 0, from: last)
  }

  /// Has the nodes in the graph that are needed now, and no others.
  private func attach(to graph: inout Graph, needsBusMixer: Bool) throws(GraphError) {
    var wanted: [(node: any AudioNode, isNeeded: Bool)] = [(synthesizer.busMixer, needsBusMixer)]
    for bus in rack.buses {
      if let limiter = bus.limiter { wanted.append((limiter, rack.leadsToOutputs(bus))) }
    }
    for (node, isNeeded) in wanted where graph.nodes.contains(where: { $0 === node }) != isNeeded {
      if isNeeded { try graph.attach(node) } else { try graph.detach(node) }
    }
  }

  private func connect(in graph: inout Graph) throws(GraphError) {
    let wanted = Dictionary(uniqueKeysWithValues: sources.map { (Place($0.input), $0.source) })
    // Inputs that have had something else, or are to have nothing.
    var gathering: [any AudioNode] = rack.buses.map(\.sum)
    gathering += [synthesizer.busMixer, synthesizer.metronome, synthesizer.songSound]
    gathering += rack.buses.compactMap(\.limiter)
    var inputs = gathering.flatMap { node in
      (0..<node.inputBusCount).map { BusEnd(node: node, scope: .input, bus: $0) }
    }
    // The others of the main mixer are those of effects.
    inputs += [0, synthesizer.microphone?.mainBus].compactMap(\.self)
      .map { BusEnd(node: synthesizer.mainMixer, scope: .input, bus: $0) }
    for input in inputs {
      guard let source = graph.source(of: input) else { continue }
      let next = wanted[Place(input)]
      if next?.node === source.node, next?.bus == source.bus { continue }
      try graph.disconnect(input: input.node, bus: input.bus)
    }
    for (input, source) in sources where graph.source(of: input) == nil {
      try graph.connect(source.node, to: input.node, fromBus: source.bus, toBus: input.bus)
    }
  }

  private struct Place: Hashable {
    let node: ObjectIdentifier
    let bus: Int

    init(_ end: BusEnd) { (node, bus) = (ObjectIdentifier(end.node), end.bus) }
  }
}
