import AudioGraph
import SynthRealtime
import SynthText

/// The inserts of a synthesizer, strip by strip.
struct InsertRack: Sendable {
  /// In the order in which sound passes them; a strip without any has no entry.
  var inserts: [Strip: [Insert]] = [:]
  /// Those that a scene has for strips that are not there yet.
  var waiting: [Strip: [Scene.Insert]] = [:]
  /// The fader of the input that was added first, and that input's rate in hertz.
  var microphone: (fader: MixerNode, sampleRate: Double)?
}

extension Synthesizer {
  /// How many inserts a strip takes.
  public static let insertLimit = 8

  /// Those of a strip, in the order in which sound passes them. [any thread]
  public func inserts(of strip: Strip) -> [Insert] { insertRack.withLock { $0.inserts[strip] ?? [] } }

  /// In the order of lists. [any thread]
  public var stripsWithInserts: [Strip] { insertRack.withLock { $0.inserts.keys.sorted() } }

  /// Puts an effect into a strip, also while it plays: what was heard fades over 10 ms. Where the effect has a latency,
  /// the other channels are delayed by as much. [control thread]
  ///
  /// - Parameters:
  ///   - kind: One of `InsertKind.all`.
  ///   - index: Before which of those there are, from 0; nil for behind the last.
  ///   - file: For the convolver, its impulse response.
  /// - Throws: `InsertError`, `GraphError`, or why the effect cannot be made.
  @discardableResult
  public func insert(_ kind: String, into strip: Strip, at index: Int? = nil, file: String? = nil) throws -> Insert {
    guard let kind = InsertKind.named(kind) else {
      throw InsertError.unknownKind(kind, nearest: EditDistance.nearest(to: kind, among: InsertKind.names))
    }
    return try insertTurn.withLock { _ in
      var list = inserts(of: strip)
      let place = index ?? list.count
      guard place >= 0, place <= list.count else {
        throw InsertError.noInsert(strip, place + 1, count: list.count)
      }
      let insert = try make(kind, file: file, for: strip, beside: list)
      list.insert(insert, at: place)
      try arrange([strip: list])
      return insert
    }
  }

  /// Takes an insert out of its strip; nil for all of the strip's. [control thread]
  ///
  /// - Parameter index: from 0.
  public func removeInsert(_ index: Int?, from strip: Strip) throws {
    try insertTurn.withLock { _ in
      var list = inserts(of: strip)
      try check(index ?? 0, of: list, strip)
      if let index { list.remove(at: index) } else { list = [] }
      try arrange([strip: list])
    }
  }

  /// Moves an insert to another place in its strip. [control thread]
  ///
  /// - Parameters:
  ///   - index: where it is, from 0.
  ///   - place: which of the strip's it is then, from 0.
  public func moveInsert(_ index: Int, of strip: Strip, to place: Int) throws {
    try insertTurn.withLock { _ in
      var list = inserts(of: strip)
      try check(index, of: list, strip)
      try check(place, of: list, strip)
      list.insert(list.remove(at: index), at: place)
      try arrange([strip: list])
    }
  }

  /// Lets another strip say to a compressor or a gate how loud it is, also while it plays, or to a voice processing
  /// what it takes out: as that strip leaves its inserts, before its fader. [control thread]
  ///
  /// - Parameters:
  ///   - source: nil for the insert's own sound.
  ///   - index: from 0.
  /// - Throws: `InsertError` or `GraphError`.
  public func setSideChain(_ source: Strip?, ofInsert index: Int, of strip: Strip) throws {
    try insertTurn.withLock { _ in
      let list = inserts(of: strip)
      try check(index, of: list, strip)
      let insert = list[index]
      guard insert.kind.takesSideChain else { throw InsertError.takesNoSideChain(insert.kind.name) }
      if let source, end(of: source) == nil { throw InsertError.noStrip(source) }
      let before = insert.sideChain
      insert.sideChain = source
      do {
        try engine.edit { try connectSideChains(&$0, of: allInserts) }
      } catch {
        insert.sideChain = before
        if case GraphError.cycle = error, let source { throw InsertError.sideChainLeadsBack(strip, from: source) }
        throw error
      }
    }
  }

  /// Of all strips.
  var allInserts: [Insert] { insertRack.withLock { $0.inserts.values.flatMap(\.self) } }

  /// Connects what inserts listen to as they say; what is not there now is left out.
  func connectSideChains(_ graph: inout Graph, of inserts: [Insert]) throws(GraphError) {
    for insert in inserts where insert.kind.takesSideChain {
      let source = insert.sideChain.flatMap(end).flatMap { graph.source(of: $0) }
      let present = graph.source(of: insert.sideInput)
      if present?.node === source?.node, present?.bus == source?.bus { continue }
      if present != nil { try graph.disconnect(input: insert.effect, bus: 1) }
      if let source { try graph.connect(source.node, to: insert.effect, fromBus: source.bus, toBus: 1) }
    }
  }

  private func check(_ index: Int, of list: [Insert], _ strip: Strip) throws(InsertError) {
    guard list.indices.contains(index) else { throw .noInsert(strip, index + 1, count: list.count) }
  }

  /// Makes an insert with a name that no other has.
  func make(_ kind: InsertKind, file: String?, for strip: Strip, beside others: [Insert]) throws -> Insert {
    if file != nil, !kind.takesFile { throw InsertError.takesNoFile(kind.name) }
    let names = Set(others.map(\.name))
    let plain = "\(strip) \(kind.name)"
    let numbered = (2...Self.insertLimit * 2).lazy.map { "\(plain) \($0)" }
    let name = names.contains(plain) ? numbered.first { !names.contains($0) } ?? plain : plain
    let microphone = insertRack.withLock { $0.microphone }
    let sampleRate = strip == .microphone ? microphone?.sampleRate : nil
    return try Insert(kind, named: name, file: file, sampleRate: sampleRate ?? instruments.sampleRate)
  }

  /// What a strip leads to; nil where there is no such strip now.
  func end(of strip: Strip) -> BusEnd? {
    switch strip {
    case .channel(let channel):
      channelInputs.indices.contains(channel) ? BusEnd(node: mixer, scope: .input, bus: channel) : nil
    case .microphone:
      insertRack.withLock { $0.microphone }.map { BusEnd(node: $0.fader, scope: .input, bus: 0) }
    case .main: BusEnd(node: equalizer, scope: .input, bus: 0)
    case .bus(let name): bus(name).map { BusEnd(node: $0.fader, scope: .input, bus: 0) }
    case .click: nil
    }
  }

  /// Where a part of the mix can be listened to: a channel as it leaves its inserts, a bus and the microphone behind
  /// their faders. Nil where there is no such strip, for the click, and for main, which is all.
  func source(of strip: Strip) -> (any AudioNode, Int)? {
    switch strip {
    case .bus(let name): bus(name).map { ($0.fader, 0) }
    case .microphone: microphone.map { ($0.fader, 0) }
    case .channel: end(of: strip).flatMap { engine.graph.source(of: $0) }.map { ($0.node, $0.bus) }
    case .main, .click: nil
    }
  }

  /// Gives strips other inserts, all in one edit. Within a turn of `insertTurn`.
  func arrange(_ strips: [Strip: [Insert]]) throws {
    for (strip, list) in strips where list.count > Self.insertLimit { throw InsertError.full(strip) }
    let others = insertRack.withLock { $0.inserts.filter { strips[$0.key] == nil } }
    try engine.edit { graph in
      for (strip, list) in strips.sorted(by: { $0.key < $1.key }) {
        guard let end = end(of: strip) else { throw InsertError.noStrip(strip) }
        try graph.rewire(from: inserts(of: strip), to: list, before: end, strip)
      }
      try connectSideChains(&graph, of: (Array(strips.values) + others.values).flatMap(\.self))
    }
    insertRack.withLock { rack in
      for (strip, list) in strips { rack.inserts[strip] = list.isEmpty ? nil : list }
    }
  }
}

extension Graph {
  /// Puts inserts before an input, in place of those there are. What stays keeps its state; taps of what the strip
  /// gives stay taps of that.
  fileprivate mutating func rewire(
    from old: [Insert], to new: [Insert], before end: BusEnd, _ strip: Strip
  ) throws {
    let first = old.first.map { BusEnd(node: $0.effect, scope: .input, bus: 0) } ?? end
    guard var source = source(of: first) else { throw InsertError.noStrip(strip) }
    let last = self.source(of: end)
    let listeners = connections.filter { connection in
      connection.source.node === last?.node && connection.source.bus == last?.bus
        && connection.destination.node.outputBusCount == 0
    }.map(\.destination)
    for input in listeners + [end] { try disconnect(input: input.node, bus: input.bus) }
    for insert in old where !new.contains(where: { $0 === insert }) {
      for node in insert.nodes { try detach(node) }
    }
    for insert in old where new.contains(where: { $0 === insert }) {
      for input in insert.inputs where self.source(of: input) != nil {
        try disconnect(input: input.node, bus: input.bus)
      }
    }
    for insert in new {
      if !old.contains(where: { $0 === insert }) { for node in insert.nodes { try attach(node) } }
      try connect(source.node, to: insert.effect, fromBus: source.bus)
      try connect(source.node, to: insert.dryWet, fromBus: source.bus)
      try connect(insert.effect, to: insert.dryWet, toBus: 1)
      source = BusEnd(node: insert.dryWet, scope: .output, bus: 0)
    }
    for input in listeners + [end] {
      try connect(source.node, to: input.node, fromBus: source.bus, toBus: input.bus)
    }
  }
}

extension Insert {
  /// What its strip is connected to.
  fileprivate var inputs: [BusEnd] {
    [(effect, 0), (dryWet, 0), (dryWet, 1)].map { BusEnd(node: $0, scope: .input, bus: $1) }
  }

  fileprivate var sideInput: BusEnd { BusEnd(node: effect, scope: .input, bus: 1) }
}
