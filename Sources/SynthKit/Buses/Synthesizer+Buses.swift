import AudioGraph
import SynthRealtime

extension Synthesizer {
  /// In the order in which they were made. [any thread]
  public var buses: [MixBus] { busRack.withLock { $0.buses } }

  /// The bus of a name; nil for none. [any thread]
  public func bus(_ name: String) -> MixBus? { busRack.withLock { $0.bus(name) } }

  /// Where a strip leads. [any thread]
  public func destination(of strip: Strip) -> Destination { busRack.withLock { $0.destination(of: strip) } }

  /// Makes a bus, also while it plays; one that is there leads elsewhere then. [control thread]
  ///
  /// - Parameters:
  ///   - name: a word: letters, digits, `-` and `_`, a letter first, at most 32.
  ///   - destination: where it leads.
  /// - Throws: `BusError` or `GraphError`.
  @discardableResult
  public func makeBus(_ name: String, to destination: Destination = .main) throws -> MixBus {
    try insertTurn.withLock { _ in
      var rack = busRack.withLock { $0 }
      if case .bus(let next) = destination, next != name, rack.bus(next) == nil {
        throw BusError.unknown(next, known: rack.buses.map(\.name))
      }
      let bus = try rack.bus(name) ?? newBus(name, beside: rack.buses)
      if rack.bus(name) == nil { try rack.add(bus) }
      rack.destinations[.bus(name)] = destination == .main ? nil : destination
      try route(rack)
      return bus
    }
  }

  /// Takes a bus away with its inserts, also while it plays; what led there leads into the main mix. [control thread]
  public func removeBus(_ name: String) throws {
    try insertTurn.withLock { _ in
      var rack = busRack.withLock { $0 }
      guard rack.bus(name) != nil else { throw BusError.unknown(name, known: rack.buses.map(\.name)) }
      rack.buses.removeAll { $0.name == name }
      rack.destinations = rack.destinations.filter { $0.key != .bus(name) && $0.value != .bus(name) }
      try route(rack)
    }
  }

  /// Lets a channel, the microphone, the click or a bus lead elsewhere, also while it plays. [control thread]
  ///
  /// - Throws: `BusError` or `GraphError`.
  public func route(_ strip: Strip, to destination: Destination) throws {
    try insertTurn.withLock { _ in
      var rack = busRack.withLock { $0 }
      rack.destinations[strip] = destination == .main ? nil : destination
      try check(strip, to: destination)
      try route(rack)
    }
  }

  /// The share of a channel that goes to a bus beside where it leads, 0 to 1: a parameter of the mixer's; nil where the
  /// channel or the bus is not there. [any thread]
  public func share(ofChannel channel: Int, to name: String) -> Parameter? {
    guard let bus = bus(name), let strip = strip(channel) else { return nil }
    return strip.sends[bus.mixerBus - 1]
  }

  private func check(_ strip: Strip, to destination: Destination) throws {
    switch (strip, destination) {
    case (.main, _): throw BusError.unroutable(strip, destination)
    case (.channel(let channel), _) where self.strip(channel) == nil: throw InsertError.noStrip(strip)
    case (.microphone, _) where microphone == nil: throw InsertError.noStrip(strip)
    default: break
    }
  }

  /// A bus with one of the mixer's sends, which another may have had before.
  func newBus(_ name: String, beside others: [MixBus]) throws(BusError) -> MixBus {
    guard BusName.isValid(name) else { throw .badName(name) }
    let taken = others.map(\.mixerBus)
    let free = (clickBus + 1...clickBus + 1 + others.count).first { !taken.contains($0) } ?? clickBus + 1
    if mixer.sends.count < clickBus { _ = mixer.addSend(named: "click") }
    while mixer.sends.count < free { _ = mixer.addSend(named: "bus \(mixer.sends.count - Effect.allCases.count)") }
    return MixBus(name, mixerBus: free, sampleRate: instruments.sampleRate, isLimited: limiter != nil)
  }

  /// The mixer's output that nothing is sent to, from which a click comes that leads to a bus.
  var clickBus: Int { 1 + Effect.allCases.count }

  /// Gives the mix other buses and ways, in one edit. Within a turn of `insertTurn`.
  func route(_ rack: BusRack) throws {
    try check(rack)
    let old = busRack.withLock { $0 }
    let gone = old.buses.filter { bus in !rack.buses.contains { $0 === bus } }
    let inserts = insertRack.withLock { $0.inserts }
    try engine.edit { graph in
      for bus in rack.buses where !old.buses.contains(where: { $0 === bus }) {
        for node in [bus.sum, bus.fader] { try graph.attach(node) }
        try graph.connect(bus.sum, to: bus.fader)
      }
      for bus in gone {
        for node in old.nodes(of: bus) + (inserts[.bus(bus.name)] ?? []).flatMap(\.nodes) { try graph.detach(node) }
      }
      var wiring = BusWiring(self, rack)
      try wiring.apply(to: &graph)
      let staying = inserts.filter { strip, _ in !gone.contains { .bus($0.name) == strip } }
      try connectSideChains(&graph, of: staying.values.flatMap(\.self))
    }
    for insert in allInserts where gone.contains(where: { .bus($0.name) == insert.sideChain }) {
      insert.sideChain = nil
    }
    for bus in gone { mixer.inputs.forEach { $0.sends[bus.mixerBus - 1].value = 0 } }
    busRack.withLock { $0 = rack }
    insertRack.withLock { state in for bus in gone { state.inserts[.bus(bus.name)] = nil } }
    leadChannels()
  }

  /// Lets the channels that are there lead where the buses say.
  func leadChannels() {
    let rack = busRack.withLock { $0 }
    for (channel, input) in channelInputs.enumerated() {
      input.destination.value = Float(rack.bus(after: .channel(channel))?.mixerBus ?? 0)
    }
  }

  private func check(_ rack: BusRack) throws(BusError) {
    for (strip, destination) in rack.destinations.sorted(by: { $0.key < $1.key }) {
      switch (strip, destination) {
      case (.main, _): throw .unroutable(strip, destination)
      case (_, .bus(let name)) where rack.bus(name) == nil: throw .unknown(name, known: rack.buses.map(\.name))
      case (.bus(let name), .bus) where rack.leadsBack(name): throw .loop(name)
      case (.bus, .outputs(let channels)) where channels.contains(where: { $0 >= output.channelCount }):
        throw .noOutput(strip, destination, channelCount: output.channelCount)
      case (.channel, .outputs), (.microphone, .outputs), (.click, .outputs): throw .unroutable(strip, destination)
      default: break
      }
    }
  }
}

extension BusRack {
  /// Whether a bus leads back into itself, over others.
  fileprivate func leadsBack(_ name: String) -> Bool {
    var next = bus(after: .bus(name))
    for _ in buses {
      guard let bus = next else { return false }
      if bus.name == name { return true }
      next = self.bus(after: .bus(bus.name))
    }
    return next != nil
  }
}
