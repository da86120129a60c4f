import AudioGraph
import SynthText

/// Which buses there are and what leads to them, which effects are inserted where, and how all is set: a document.
/// `docs/scenes.md` describes its file.
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
    /// The strip that says how loud it is (`SynthKit.Insert.sideChain`); nil for its own sound.
    public var sideChain: Strip?
    /// What its parameters and properties are set to, by name; those that are left out are as in a new effect.
    public var settings: [String: PropertyValue] = [:]

    public init(_ kind: String, file: String? = nil) { (self.kind, self.file) = (kind, file) }
  }

  /// A bus of one's own.
  public struct Bus: Sendable, Equatable {
    /// A word: letters, digits, `-` and `_`, a letter first, at most 32.
    public var name: String
    /// Where it leads.
    public var destination = Destination.main
    /// Of its fader, in decibels, -120 (which is silence) to 24.
    public var level = 0.0
    /// Of its fader: -1 is left, 1 right.
    public var pan = 0.0
    /// Whether it is silent.
    public var isMuted = false

    public init(_ name: String, to destination: Destination = .main) {
      (self.name, self.destination) = (name, destination)
    }
  }

  /// In the order in which sound passes them.
  public var inserts: [Strip: [Insert]] = [:]
  /// In the order of lists.
  public var buses: [Bus] = []
  /// Where channels, the microphone and the click lead; those left out lead into the main mix.
  public var destinations: [Strip: Destination] = [:]
  /// For channels and buses, how much of a channel goes to a bus beside where it leads, in percent.
  public var sends: [Strip: [String: Double]] = [:]

  public init() {}

  /// Whether nothing is said.
  public var isEmpty: Bool { inserts.isEmpty && buses.isEmpty && destinations.isEmpty && sends.isEmpty }
}

extension Synthesizer {
  /// The present one; with all that waits for strips to come. [control thread]
  public var scene: Scene {
    let rack = insertRack.withLock { $0 }
    let buses = busRack.withLock { $0 }
    var scene = Scene()
    scene.inserts = rack.waiting.merging(rack.inserts.mapValues { $0.map(Scene.Insert.init) }) { $1 }
    scene.buses = buses.buses.map { Scene.Bus($0, to: buses.destination(of: .bus($0.name))) }
    scene.destinations = buses.destinations.filter { if case .bus = $0.key { false } else { true } }
    for bus in busListings {
      for share in bus.shares { scene.sends[share.strip, default: [:]][bus.name] = share.percent }
    }
    return scene
  }

  /// Makes buses, ways and inserts those of a scene, also while it plays: the change fades over 10 ms. A bus or an
  /// insert that was there goes on, and its settings are ramped. Strips that are not there yet get theirs when they
  /// come. [control thread]
  ///
  /// - Throws: `BusError`, `InsertError`, `GraphError`, or why an effect cannot be made. All is then as it was.
  public func apply(_ scene: Scene) throws {
    try insertTurn.withLock { _ in
      let before = busRack.withLock { $0 }
      let after = try rack(of: scene, from: before)
      // Buses that go are still there while their inserts are taken out.
      var both = after
      both.buses += before.buses.filter { after.bus($0.name) == nil }
      try route(both)
      let strips = Set(scene.inserts.keys).union(insertRack.withLock { $0.inserts.keys })
      do {
        try set(scene.inserts.filter { !$0.value.isEmpty }, of: strips.filter { end(of: $0) != nil })
      } catch {
        try route(before)
        throw error
      }
      try route(after)
      set(scene.buses, scene.sends)
      let waiting = scene.inserts.filter { !$0.value.isEmpty && end(of: $0.key) == nil }
      insertRack.withLock { $0.waiting = waiting }
    }
  }

  /// The buses of a scene; those there are go on.
  private func rack(of scene: Scene, from present: BusRack) throws -> BusRack {
    var rack = BusRack()
    rack.destinations = scene.destinations.filter { $0.value != .main }
    for bus in scene.buses {
      try rack.add(present.bus(bus.name) ?? newBus(bus.name, beside: present.buses + rack.buses))
      if bus.destination != .main { rack.destinations[.bus(bus.name)] = bus.destination }
    }
    return rack
  }

  private func set(_ buses: [Scene.Bus], _ sends: [Strip: [String: Double]]) {
    for item in buses {
      guard let bus = bus(item.name) else { continue }
      bus.strip.gain.value = Float(item.level)
      bus.strip.pan.value = Float(item.pan)
      bus.strip.isMuted.value = item.isMuted ? 1 : 0
      for channel in channelInputs.indices {
        let percent = sends[.channel(channel)]?[item.name] ?? 0
        share(ofChannel: channel, to: item.name)?.value = Float(percent / 100)
      }
    }
  }

  /// Gives strips that have come the inserts that have waited for them, and lets inserts hear them.
  func insertWaiting() throws {
    try insertTurn.withLock { _ in
      let waiting = insertRack.withLock { $0.waiting }
      let present = waiting.filter { end(of: $0.key) != nil }
      guard !present.isEmpty || allInserts.contains(where: { $0.sideChain != nil }) else { return }
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
        insert.sideChain = item.sideChain
        try insert.set(item) { try $0.set($1) }
        return insert
      }
    }
    let before = kept.map { $0.0.sideChain }
    for (insert, item) in kept { insert.sideChain = item.sideChain }
    do {
      try arrange(lists)
    } catch {
      for ((insert, _), source) in zip(kept, before) { insert.sideChain = source }
      throw error
    }
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
    if insert.mix.value != insert.kind.mix { mix = insert.mix.value.decimal }
    isBypassed = insert.bypass.value != 0
    sideChain = insert.sideChain
    for setting in (try? insert.kind.settings()) ?? [] {
      let value = insert.value(of: setting)
      if value != setting.initial { settings[setting.name] = value }
    }
  }
}

extension Scene.Bus {
  /// How a bus is now.
  init(_ bus: MixBus, to destination: Destination) {
    self.init(bus.name, to: destination)
    level = bus.strip.gain.value.decimal
    pan = bus.strip.pan.value.decimal
    isMuted = bus.strip.isMuted.value != 0
  }
}
