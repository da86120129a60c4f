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
