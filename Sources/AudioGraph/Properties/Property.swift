import SynthText

/// A piece of a node's configuration: named and typed, read, set and observed without knowing the node.
///
/// What changes many times a second, and is ramped, is a `Parameter` instead.
public struct Property: Sendable {
  /// When a property can be set.
  public enum Access: String, Sendable {
    /// Never: it was decided when the node was made, or the node finds it out.
    case readOnly = "read only"
    /// Never: it follows from what is played or connected, and may change at any time.
    case measured
    /// Not while an engine runs the node.
    case whileStopped = "while stopped"
    /// At any time, also while it sounds.
    case always
  }

  /// Of all names of the node, those of parameters included, no other is the same: "input 3 peak".
  public let name: String
  /// What it is about.
  public let element: NodeElement
  /// Its name among those of the same element: "peak".
  public let shortName: String
  /// What it may be set to.
  public let kind: PropertyKind
  /// When it may be set.
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
    self.init(name, shortName: name, .global, of: node, kind: kind, access: access, read: read, write: write)
  }

  private init(
    _ name: String, shortName: String, _ element: NodeElement, of node: any AudioNode, kind: PropertyKind,
    access: Access, read: @escaping @Sendable () -> PropertyValue,
    write: @escaping @Sendable (PropertyValue) throws -> Void
  ) {
    self.name = name
    self.shortName = shortName
    self.element = element
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

  /// One of a bus that follows from what is played or connected.
  ///
  /// - Parameter name: nil for the bus and the short name: "input 3 peak".
  public init(
    measured shortName: String, at element: NodeElement, name: String? = nil, of node: any AudioNode,
    kind: PropertyKind, read: @escaping @Sendable () -> PropertyValue
  ) {
    self.init(
      name ?? "\(element) \(shortName)", shortName: shortName, element, of: node, kind: kind, access: .measured,
      read: read, write: { _ in })
  }

  /// Whether it can ever be set.
  public var isSettable: Bool { access == .whileStopped || access == .always }

  /// [any thread]
  public var value: PropertyValue { read() }

  /// Sets the property of a node that is in no engine's graph; else use `AudioEngine.set`. [control thread]
  ///
  /// - Throws: `PropertyError`, or the node's own error for a value of the right kind that it cannot take.
  public func set(_ value: PropertyValue) throws { try set(value, isRunning: false) }

  func set(_ value: PropertyValue, isRunning: Bool) throws {
    if access == .readOnly { throw PropertyError.readOnly(node: node, name: name) }
    if access == .measured { throw PropertyError.measured(node: node, name: name) }
    if access == .whileStopped, isRunning { throw PropertyError.running(node: node, name: name) }
    guard let accepted = kind.accept(value) else {
      throw PropertyError.wrongValue(node: node, name: name, value: "\(value)", kind: kind)
    }
    try write(accepted)
  }

  /// Calls `tell` with the new value after each change, from any source. [any thread]
  ///
  /// - Returns: the observation, which ends when it is released. See `ValueObservation` for thread and rate.
  public func observe(_ tell: @escaping @Sendable (PropertyValue) -> Void) -> ValueObservation {
    ValueObservation(of: read, tell: tell)
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
  /// It was decided when the node was made.
  case readOnly(node: String, name: String)
  /// It follows from what is played or connected.
  case measured(node: String, name: String)
  /// It can be set only while the engine does not run.
  case running(node: String, name: String)
  /// The value is not of the property's kind.
  case wrongValue(node: String, name: String, value: String, kind: PropertyKind)

  public var description: String {
    switch self {
    case .unknown(let node, let name, let near):
      "finding property \"\(name)\" of \(node): unknown property; "
        + (near.isEmpty ? "its properties are listed in `properties`" : "did you mean \(near.quoted)?")
    case .readOnly(let node, let name):
      "setting \(name) of \(node): it was decided when the node was made; make another node"
    case .measured(let node, let name):
      "setting \(name) of \(node): it can only be read; it follows from what is played or connected"
    case .running(let node, let name):
      "setting \(name) of \(node): the engine is running; stop it first"
    case .wrongValue(let node, let name, let value, let kind):
      "setting \(name) of \(node) to \(value): it takes \(kind)"
    }
  }
}
