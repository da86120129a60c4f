import Text

/// A piece of a node's configuration: named and typed, read, set and observed without knowing the node.
///
/// What changes many times a second, and is ramped, is a `Parameter` instead.
public struct Property: Sendable {
  /// When a property can be set.
  public enum Access: String, Sendable {
    /// Never: it was decided when the node was made, or the node finds it out.
    case readOnly = "read only"
    /// Not while an engine runs the node.
    case whileStopped = "while stopped"
    case always
  }

  public let name: String
  public let kind: PropertyKind
  public let access: Access
  /// The node it belongs to, as it is called.
  public let node: String
  private let read: @Sendable () -> PropertyValue
  private let write: @Sendable (PropertyValue) throws -> Void

  /// - Parameters:
  ///   - read: gives the present value. [any thread]
  ///   - write: takes over a value of this kind; throws what the node itself has against it. [control thread]
  public init(
    _ name: String, of node: any AudioNode, kind: PropertyKind, access: Access = .always,
    read: @escaping @Sendable () -> PropertyValue, write: @escaping @Sendable (PropertyValue) throws -> Void
  ) {
    self.name = name
    self.kind = kind
    self.access = access
    self.node = node.name
    self.read = read
    self.write = write
  }

  /// One that cannot be set.
  public init(
    _ name: String, of node: any AudioNode, kind: PropertyKind, read: @escaping @Sendable () -> PropertyValue
  ) {
    self.init(name, of: node, kind: kind, access: .readOnly, read: read, write: { _ in })
  }

  /// [any thread]
  public var value: PropertyValue { read() }

  /// Sets the property of a node that is in no engine's graph; else use `AudioEngine.set`. [control thread]
  ///
  /// - Throws: `PropertyError`, or the node's own error for a value of the right kind that it cannot take.
  public func set(_ value: PropertyValue) throws { try set(value, isRunning: false) }

  func set(_ value: PropertyValue, isRunning: Bool) throws {
    if access == .readOnly { throw PropertyError.readOnly(node: node, name: name) }
    if access == .whileStopped, isRunning { throw PropertyError.running(node: node, name: name) }
    guard let accepted = kind.accept(value) else {
      throw PropertyError.wrongValue(node: node, name: name, value: "\(value)", kind: kind)
    }
    try write(accepted)
  }

  /// Calls `tell` with the new value after each change, from any source. [any thread]
  ///
  /// - Returns: the observation, which ends when it is released. See `Observation` for thread and rate.
  public func observe(_ tell: @escaping @Sendable (PropertyValue) -> Void) -> Observation {
    Observation(of: read, tell: tell)
  }
}

extension Property: CustomStringConvertible {
  /// "sample rate 48000 Hz"
  public var description: String { "\(name) \(value)\(kind.symbol.isEmpty ? "" : " \(kind.symbol)")" }
}

extension AudioNode {
  /// The property of a name, for code that does not know the node's type.
  public func property(named name: String) throws(PropertyError) -> Property {
    let properties = properties
    if let property = properties.first(where: { $0.name == name }) { return property }
    throw .unknown(node: self.name, name: name, near: EditDistance.near(to: name, among: properties.map(\.name)))
  }
}

/// Why a property was not found, or not set. It is then as it was.
public enum PropertyError: Error, Equatable, Sendable, CustomStringConvertible {
  /// No property of the node has this name; `near` are some that may be meant.
  case unknown(node: String, name: String, near: [String])
  case readOnly(node: String, name: String)
  /// It can be set only while the engine does not run.
  case running(node: String, name: String)
  case wrongValue(node: String, name: String, value: String, kind: PropertyKind)

  public var description: String {
    switch self {
    case .unknown(let node, let name, let near):
      "finding property \"\(name)\" of \(node): unknown property; "
        + (near.isEmpty ? "its properties are listed in `properties`" : "did you mean \(near.quoted)?")
    case .readOnly(let node, let name):
      "setting \(name) of \(node): it was decided when the node was made; make another node"
    case .running(let node, let name):
      "setting \(name) of \(node): the engine is running; stop it first"
    case .wrongValue(let node, let name, let value, let kind):
      "setting \(name) of \(node) to \(value): it takes \(kind)"
    }
  }
}

extension AudioEngine {
  /// Sets a property of a node of the graph and prepares the graph again; where it then has a fault, all is as before.
  /// [control thread]
  ///
  /// What the property changes takes effect between two quanta, as an edit does.
  ///
  /// - Parameter transition: as that of `edit`.
  /// - Throws: `PropertyError`, the node's own error, `GraphError` or `EngineError`.
  public func set(_ name: String, of node: any AudioNode, to value: PropertyValue, transition: EditTransition = .faded)
    throws
  {
    let property = try node.property(named: name)
    var before: [(property: Property, value: PropertyValue)] = []
    do {
      try edit(transition: transition) { graph in
        guard graph.nodes.contains(where: { $0 === node }) else { throw GraphError.notAttached(node: node.name) }
        // All of them: one may change others, as a channel count does the channel map.
        let present = node.properties.filter { $0.access != .readOnly }.map { ($0, $0.value) }
        try property.set(value, isRunning: state != .stopped)
        before = present
      }
    } catch {
      for (property, value) in before { try property.set(value, isRunning: false) }
      throw error
    }
  }
}
