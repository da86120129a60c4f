import AudioGraph

/// Which effects are inserted where, and how they are set: a document. `docs/scenes.md` describes its file.
///
/// The empty scene is the synthesizer's own chain.
public struct Scene: Sendable, Equatable {
  /// An effect of a strip.
  public struct Insert: Sendable, Equatable {
    /// What it is, as `InsertKind` calls it.
    public var kind: String
    /// The path of what it is made from; nil for no file.
    public var file: String?
    /// How much of the effect is heard, in percent; nil for what its kind begins with.
    public var mix: Double?
    /// Whether the dry sound alone is heard.
    public var isBypassed = false
    /// What its parameters and properties are set to, by name; those that are left out are as in a new effect.
    public var settings: [String: PropertyValue] = [:]

    public init(_ kind: String, file: String? = nil) { (self.kind, self.file) = (kind, file) }
  }

  /// In the order in which sound passes them.
  public var inserts: [Strip: [Insert]] = [:]

  public init() {}
}

extension Synthesizer {
  /// What is inserted now, and what waits for strips that are not there yet. [control thread]
  public var scene: Scene {
    let rack = insertRack.withLock { $0 }
    var scene = Scene()
    scene.inserts = rack.waiting.merging(rack.inserts.mapValues { $0.map(Scene.Insert.init) }) { $1 }
    return scene
  }

  /// Makes the inserts those of a scene, also while it plays: the change fades over 10 ms. An insert that was there
  /// goes on, and its settings are ramped. Strips that are not there yet get theirs when they come. [control thread]
  ///
  /// - Throws: `InsertError`, `GraphError`, or why an effect cannot be made. All is then as it was.
  public func apply(_ scene: Scene) throws {
    try insertTurn.withLock { _ in
      let strips = Set(scene.inserts.keys).union(insertRack.withLock { $0.inserts.keys })
      try set(scene.inserts.filter { !$0.value.isEmpty }, of: strips.filter { destination(of: $0) != nil })
      let waiting = scene.inserts.filter { !$0.value.isEmpty && destination(of: $0.key) == nil }
      insertRack.withLock { $0.waiting = waiting }
    }
  }

  /// Gives strips that have come the inserts that have waited for them.
  func insertWaiting() throws {
    try insertTurn.withLock { _ in
      let waiting = insertRack.withLock { $0.waiting }
      let present = waiting.filter { destination(of: $0.key) != nil }
      guard !present.isEmpty else { return }
      try set(present, of: Set(present.keys))
      insertRack.withLock { rack in rack.waiting = waiting.filter { present[$0.key] == nil } }
    }
  }

  private func set(_ wanted: [Strip: [Scene.Insert]], of strips: Set<Strip>) throws {
    var lists: [Strip: [Insert]] = [:]
    var kept: [(Insert, Scene.Insert)] = []
    for strip in strips {
      var unused = inserts(of: strip)
      var others = unused
      lists[strip] = try (wanted[strip] ?? []).map { item in
        if let index = unused.firstIndex(where: { $0.kind.name == item.kind && $0.file == item.file }) {
          kept.append((unused[index], item))
          return unused.remove(at: index)
        }
        guard let kind = InsertKind.named(item.kind) else { throw InsertError.unknownKind(item.kind, nearest: nil) }
        let insert = try make(kind, file: item.file, for: strip, beside: others)
        others.append(insert)
        try insert.set(item) { try $0.set($1) }
        return insert
      }
    }
    try arrange(lists)
    for (insert, item) in kept {
      try insert.set(item) { try engine.set($0.name, of: insert.effect, to: $1) }
    }
  }
}

extension Insert {
  /// - Parameter change: sets a property.
  fileprivate func set(_ item: Scene.Insert, by change: (Property, PropertyValue) throws -> Void) throws {
    mix.value = item.mix.map { Float($0) } ?? kind.mix
    bypass.value = item.isBypassed ? 1 : 0
    for setting in try kind.settings() {
      let value = item.settings[setting.name] ?? setting.initial
      if let parameter = effect.parameters.first(where: { $0.name == setting.name }) {
        parameter.set(value)
      } else if let property = effect.properties.first(where: { $0.name == setting.name }), property.value != value {
        try change(property, value)
      }
    }
  }
}

extension Scene.Insert {
  /// How an insert is now.
  init(_ insert: SynthKit.Insert) {
    self.init(insert.kind.name, file: insert.file)
    if insert.mix.value != insert.kind.mix { mix = Double(exactText: insert.mix.value) }
    isBypassed = insert.bypass.value != 0
    for setting in (try? insert.kind.settings()) ?? [] {
      let value = insert.value(of: setting)
      if value != setting.initial { settings[setting.name] = value }
    }
  }
}
