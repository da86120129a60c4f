/// One bus of one node.
public struct BusEnd: Sendable, Equatable, CustomStringConvertible {
  public let node: any AudioNode
  public let scope: BusScope
  public let bus: Int

  public init(node: any AudioNode, scope: BusScope, bus: Int) {
    self.node = node
    self.scope = scope
    self.bus = bus
  }

  public static func == (left: BusEnd, right: BusEnd) -> Bool {
    left.node === right.node && left.scope == right.scope && left.bus == right.bus
  }

  public var description: String { "\(node.name) \(scope) bus \(bus)" }
}

/// The side of a node a bus is on.
public enum BusScope: String, Sendable, CustomStringConvertible {
  case input, output

  public var description: String { rawValue }
}

/// An output bus feeding an input bus. An output may feed several inputs; an input is fed by one output.
public struct Connection: Sendable, Equatable {
  public let source: BusEnd
  public let destination: BusEnd
  /// Stands between the two where their formats differ and the destination wants them converted. It belongs to the
  /// destination bus.
  let converter: ConverterNode

  public static func == (left: Connection, right: Connection) -> Bool {
    left.source == right.source && left.destination == right.destination
  }
}
