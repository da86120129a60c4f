import AudioGraph
import SynthText

/// All nodes that can be read and set while a synthesizer plays, by path: the settings (`ControlSetting`), and what the
/// nodes of its audio graph have: "/reverb/time".
///
/// Components of a path may be patterns: `*`, or `{a,b}`. Blanks of names are underscores in paths.
package struct ControlTree {
  private let synthesizer: Synthesizer
  /// Nil where the caller may touch parameters alone.
  private let control: SynthesizerControl?
  /// The names of those there are.
  private let buses: [String]

  /// Parameters alone. [any thread]
  init(parametersOf synthesizer: Synthesizer) { self.init(synthesizer, nil) }

  /// Parameters and properties. [control thread]
  init(_ control: SynthesizerControl) { self.init(control.synthesizer, control) }

  private init(_ synthesizer: Synthesizer, _ control: SynthesizerControl?) {
    (self.synthesizer, self.control, buses) = (synthesizer, control, synthesizer.buses.map(\.name))
  }

  private var graph: NodeControl { NodeControl(synthesizer.engine) }

  /// The components of a path.
  static func words(_ path: String) -> [String] { path.split(separator: "/").map(String.init) }

  /// The nodes that a path means.
  ///
  /// - Throws: where it means none; with a path that might be meant.
  package func nodes(at path: String) throws(SynthesizerCommandError) -> [ControlNode] {
    let found = find(path)
    guard found.isEmpty else { return found }
    try check(path)
    let near = EditDistance.nearest(to: path, among: nodes(below: "/").map(\.path))
    // Without the slash: pages and the network are not told what looks like the path of a file.
    throw .refused(
      "\(path.dropFirst()): no such path in the control tree" + (near.map { "; did you mean \($0.dropFirst())?" } ?? "")
    )
  }

  /// Finds out whether the strip of a path is one that may come, or its insert.
  private func check(_ path: String) throws(SynthesizerCommandError) {
    for setting in ControlSetting.all where setting.path.indices.first?.isStrip == true {
      guard let place = setting.path.matches(Self.words(path), buses: buses).first else { continue }
      try synthesizer.check(place.strip, command: setting.command.name)
      guard setting.path.indices.last == .insert else { continue }
      throw .refused("\(setting.command.name): there is no such insert; insert lists those there are")
    }
  }

  /// The nodes that a path means; empty where there are none, or where the caller may not touch them.
  func find(_ path: String) -> [ControlNode] {
    let words = Self.words(path)
    let settings = ControlSetting.all.flatMap { nodes(of: $0, at: words, control) }
    if !settings.isEmpty, !TreePattern.isPattern(path) { return settings }
    return settings + (words.count == 2 ? graph.nodes(words, hasProperties: control != nil) : [])
  }

  /// The nodes that a client names.
  func nodes(at place: SurfacePath) throws(SynthesizerCommandError) -> [ControlNode] {
    switch place {
    case .path(let path): try nodes(at: path)
    case .names(let node, let name): try graph.nodes(of: node, name)
    }
  }

  /// The nodes that a client names, where all of them are parameters; else empty. [any thread]
  func parameters(at place: SurfacePath) -> [ControlNode] {
    switch place {
    case .names(let node, let name):
      return ((try? graph.nodes(of: node, name)) ?? []).filter { $0.parameter != nil }
    case .path(let path):
      let words = Self.words(path)
      let settings = ControlSetting.all.filter { !$0.path.matches(words, buses: buses).isEmpty }
      if settings.isEmpty, words.count == 2, !TreePattern.isPattern(path) {
        return graph.nodes(words, hasProperties: false)
      }
      guard settings.allSatisfy(\.isParameter), !TreePattern.isPattern(words.first ?? "") else { return [] }
      return settings.flatMap { nodes(of: $0, at: words, nil) }
    }
  }

  private func nodes(of setting: ControlSetting, at path: [String], _ control: SynthesizerControl?) -> [ControlNode] {
    setting.path.matches(path, buses: buses).compactMap { setting.node($0, synthesizer, control) }
  }

  /// All nodes whose paths begin with a path; meters and formats of buses are left out, and tracks that the song does
  /// not have.
  package func nodes(below path: String) -> [ControlNode] {
    let words = Self.words(path)
    let trackCount = synthesizer.instruments.events.timeline?.trackCount ?? 0
    let settings = ControlSetting.all.flatMap { setting in
      let isOfTracks = setting.path.indices.first == .track
      return setting.path.matches(words, buses: buses, isPrefix: true)
        .filter { !isOfTracks || $0.number < trackCount }
        .compactMap { setting.node($0, synthesizer, control) }
    }
    return settings + graph.nodes(words, hasProperties: control != nil)
  }

  /// The parameter that the words of a command mean, without the value: "level 3", "send 3 reverb".
  func parameter(named words: [String]) -> Parameter? {
    for setting in ControlSetting.all {
      if let place = setting.command.words.place(of: words), let node = setting.node(place, synthesizer, nil) {
        return node.parameter
      }
    }
    return nil
  }

  /// The words of the command for a parameter: "level 3"; nil where none is for it.
  func words(for parameter: Parameter) -> String? {
    for setting in ControlSetting.all {
      for path in setting.path.wildPaths {
        for place in setting.path.matches(Self.words(path), buses: buses)
        where setting.node(place, synthesizer, nil)?.parameter === parameter {
          let words = setting.path.indices.map { $0.word(place) }
          return String(setting.command.words.path(words).dropFirst().map { $0 == "/" ? " " : $0 })
        }
      }
    }
    return nil
  }
}

extension SynthesizerControl {
  /// All that can be read and set. [control thread]
  package var tree: ControlTree { ControlTree(self) }

  /// Sets what a path means to what a text says. [control thread]
  func set(_ path: String, to text: String) throws(SynthesizerCommandError) -> SynthesizerAnswer {
    let nodes = try nodes(toSetAt: .path(path))
    try nodes.set(text, as: .owner)
    return .values(nodes.map(\.present))
  }

  /// The nodes that a client names, where there is something to set. [control thread]
  func nodes(toSetAt place: SurfacePath) throws(SynthesizerCommandError) -> [ControlNode] {
    if case .path(let path) = place { try check(path) }
    return try tree.nodes(at: place)
  }

  /// What paths mean at present: of one path, or of those of several that mean anything. [control thread]
  package func values(at paths: [String]) throws(SynthesizerCommandError) -> SynthesizerAnswer {
    var values: [NodeValue] = []
    for path in paths {
      // Of several, some may mean nothing now: the microphone, or the inserts of main.
      if paths.count == 1, !TreePattern.isPattern(path) { try check(path) }
      let nodes = paths.count > 1 ? tree.find(path) : try tree.nodes(at: path)
      values += nodes.map(\.present)
    }
    if values.isEmpty, let path = paths.first { _ = try tree.nodes(at: path) }
    return .values(values)
  }

  /// Finds out whether there is something to set, of the first node that a path means.
  private func check(_ path: String) throws(SynthesizerCommandError) {
    let buses = synthesizer.buses.map(\.name)
    for setting in ControlSetting.all {
      guard let first = setting.path.matches(ControlTree.words(path), buses: buses).first else { continue }
      do {
        try setting.check(self, first, setting.command.name)
      } catch {
        throw error as? SynthesizerCommandError ?? .refused("\(error)")
      }
    }
  }
}
