/// How the graph that plays becomes another one without a click. [control thread]
///
/// A node goes on where it has the same kernel in both graphs; it is rendered once per quantum throughout. Where such a
/// node is fed otherwise than before, its input is faded: the old source's nodes render until the fade is over, beside
/// the new ones. So a fade lies where an edited path meets the first node that goes on, on the near side of that
/// input's converter. It begins when the sound that is new has come through what is new on its way. A fade from one
/// source to another is straight in amplitude, so that a path into which something flat is inserted keeps its level.
///
/// Before that, the sound fades into the new nodes on the way: an echo whose line is fed at once would repeat the edge.
struct Transition {
  private let old: CompiledGraph
  private let new: CompiledGraph
  /// For each old node that goes on, which of the new ones it is, and the reverse.
  private var newPlace: [Int: Int] = [:]
  private var oldPlace: [Int: Int] = [:]
  private var changes: [Change] = []
  /// For each new node, how long it takes until it gives what the nodes that go on give it, in seconds.
  private var lag: [Double] = []

  /// An input bus of a new node that is fed by a node that goes on.
  private struct Entry: Hashable {
    /// In the new graph.
    let node: Int
    let bus: Int
    let source: PlannedSource
  }

  /// An input bus that is fed otherwise than before; for the device, the output node as its source.
  private struct Change {
    /// The node in both graphs; nil is the device.
    let node: (old: Int, new: Int)?
    let bus: Int
    let before: PlannedSource?
    let after: PlannedSource?
  }

  private init(_ old: CompiledGraph, _ new: CompiledGraph) {
    self.old = old
    self.new = new
    let places = Dictionary(uniqueKeysWithValues: old.nodes.enumerated().map { (ObjectIdentifier($1.node), $0) })
    for index in new.nodes.indices {
      guard let place = places[ObjectIdentifier(new.nodes[index].node)], goesOn(place, index) else { continue }
      newPlace[place] = index
      oldPlace[index] = place
    }
    for (index, planned) in new.nodes.enumerated() {
      // What comes later is only the input of a delay, which is to be heard as it is.
      let upstream = planned.sources.map { $0.map { $0.node < index ? lag[$0.node] : 0 } ?? 0 }.max() ?? 0
      lag.append(oldPlace[index] == nil ? upstream + Double(planned.node.latency) / planned.sampleRate : 0)
    }
    for (index, place) in oldPlace.sorted(by: { $0.key < $1.key }) { compare(place, index) }
    if let before = old.outputNode, let after = new.outputNode, oldPlace[after] == nil {
      changes.append(
        Change(
          node: nil, bus: 0, before: PlannedSource(node: before, bus: 0), after: PlannedSource(node: after, bus: 0)))
    }
  }

  /// What is rendered, stage by stage, before the new graph is: nothing where there is nothing to fade.
  ///
  /// One stage in which the old sound gives way to the new; or two, the old sound fading out and then the new fading
  /// in, where a bus changes its format or the order of two nodes is reversed.
  static func stages(from old: CompiledGraph, to new: CompiledGraph) -> [CompiledGraph] {
    let transition = Transition(old, new)
    guard !transition.changes.isEmpty, transition.fitsDevice else { return [] }
    if transition.keepsFormats, let crossed = transition.crossFade() { return [crossed] }
    return [transition.fadeOut(), transition.fadeIn()].compactMap(\.self)
  }

  private func goesOn(_ before: Int, _ after: Int) -> Bool {
    if old.kernels[before].sharesState(with: new.kernels[after]) { return true }
    // A new kernel for the same formats has the same place in the graph; but another channel map is to be faded.
    return after != new.outputNode && old.nodes[before].formats == new.nodes[after].formats
  }

  private mutating func compare(_ before: Int, _ after: Int) {
    let (sources, newSources) = (old.nodes[before].sources, new.nodes[after].sources)
    for bus in newSources.indices {
      let source = bus < sources.count ? sources[bus] : nil
      guard !isSame(source, newSources[bus]) else { continue }
      changes.append(Change(node: (before, after), bus: bus, before: source, after: newSources[bus]))
    }
  }

  private func isSame(_ before: PlannedSource?, _ after: PlannedSource?) -> Bool {
    guard let before, let after else { return before == nil && after == nil }
    return newPlace[before.node] == after.node && before.bus == after.bus && format(before, old) == format(after, new)
  }

  private func format(_ source: PlannedSource, _ graph: CompiledGraph) -> AudioFormat {
    graph.nodes[source.node].formats.outputs[source.bus]
  }

  /// Whether the device can be fed by both graphs.
  private var fitsDevice: Bool {
    old.outputNode.map { old.nodes[$0].formats.outputs } == new.outputNode.map { new.nodes[$0].formats.outputs }
  }

  /// Whether no bus of a node that goes on changes its format.
  private var keepsFormats: Bool {
    newPlace.allSatisfy { before, after in
      let (formats, newFormats) = (old.nodes[before].formats, new.nodes[after].formats)
      return formats.outputs == newFormats.outputs
        && zip(formats.inputs, newFormats.inputs).allSatisfy { $0 == nil || $1 == nil || $0 == $1 }
    }
  }

  /// Twice as long as it takes until sound arrives, because the edge of a converter's filter is as long before as
  /// after; and the fade before what is new.
  private func lead(_ change: Change) -> Double {
    guard let after = change.after else { return 0 }
    return 2 * lag[after.node] + (entries(before: after).isEmpty ? 0 : FadeNode.duration)
  }

  /// Where sound enters the new nodes on the way to an output bus of the new graph.
  private func entries(before source: PlannedSource) -> Set<Entry> {
    var entries: Set<Entry> = []
    var (seen, pending): (Set<Int>, [Int]) = ([], [source.node])
    while let node = pending.popLast() {
      // The output node keeps no sound.
      guard oldPlace[node] == nil, seen.insert(node).inserted else { continue }
      for (bus, source) in new.nodes[node].sources.enumerated() {
        guard let source else { continue }
        if oldPlace[source.node] != nil, node != new.outputNode {
          entries.insert(Entry(node: node, bus: bus, source: source))
        }
        pending.append(source.node)
      }
    }
    return entries
  }

  // MARK: - Stages

  /// The new graph with the old sources beside it; nil where both together form a loop.
  private func crossFade() -> CompiledGraph? {
    var graph = new
    var places = newPlace
    for source in changes.compactMap(\.before) { keep(source.node, in: &graph, &places) }
    for change in changes {
      let before = change.before.map { PlannedSource(node: places[$0.node] ?? 0, bus: $0.bus) }
      graph.fade(from: before, to: change.after, change.node?.new, bus: change.bus, lead: lead(change))
    }
    enter(&graph)
    return graph.sorted
  }

  /// Fades in what new nodes are given.
  private func enter(_ graph: inout CompiledGraph) {
    let entries = changes.compactMap(\.after).reduce(into: Set<Entry>()) { $0.formUnion(self.entries(before: $1)) }
    // In the same order always, for the same steps.
    for entry in entries.sorted(by: { ($0.node, $0.bus) < ($1.node, $1.bus) }) {
      graph.fade(from: nil, to: entry.source, entry.node, bus: entry.bus, lead: 0)
    }
  }

  private func fadeOut() -> CompiledGraph? {
    var graph = old
    for change in changes { graph.fade(from: change.before, to: nil, change.node?.old, bus: change.bus, lead: 0) }
    return graph.sorted
  }

  private func fadeIn() -> CompiledGraph? {
    var graph = new
    for change in changes {
      graph.fade(from: nil, to: change.after, change.node?.new, bus: change.bus, lead: lead(change))
    }
    enter(&graph)
    return graph.sorted
  }

  /// Takes an old node, and all that feeds it, into the new graph, unless they go on there.
  private func keep(_ node: Int, in graph: inout CompiledGraph, _ places: inout [Int: Int]) {
    var pending = [node]
    var kept: [Int] = []
    while let node = pending.popLast() {
      guard places[node] == nil else { continue }
      places[node] = graph.append(old.nodes[node], old.kernels[node])
      kept.append(node)
      pending += old.nodes[node].sources.compactMap { $0?.node }
    }
    for node in kept {
      guard let place = places[node] else { continue }
      graph.renumber(place) { places[$0] ?? $0 }
    }
  }
}
