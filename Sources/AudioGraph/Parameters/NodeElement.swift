import SynthText

/// What a parameter or property of a node is about: the whole node or one of its buses. Audio Units call the three
/// scopes, and the number of the bus the element.
public enum NodeElement: Hashable, Sendable, CustomStringConvertible {
  /// The node as a whole.
  case global
  /// An input bus, from 0.
  case input(Int)
  /// An output bus, from 0.
  case output(Int)

  /// What an element is one of: the node itself, its inputs or its outputs.
  public enum Scope: String, Sendable, CaseIterable {
    /// The node itself, one of its inputs, one of its outputs.
    case global, input, output
  }

  public init(_ scope: Scope, _ number: Int = 0) {
    switch scope {
    case .global: self = .global
    case .input: self = .input(number)
    case .output: self = .output(number)
    }
  }

  /// Whether it is the node, an input or an output.
  public var scope: Scope {
    switch self {
    case .global: .global
    case .input: .input
    case .output: .output
    }
  }

  /// The number of the bus, from 0; 0 in the global scope.
  public var number: Int {
    switch self {
    case .global: 0
    case .input(let bus), .output(let bus): bus
    }
  }

  /// "global", "input 3".
  public var description: String { self == .global ? "global" : "\(scope.rawValue) \(number)" }
}

extension AudioNode {
  /// The parameters of one bus, or of the whole node.
  public func parameters(of element: NodeElement) -> [Parameter] { parameters.filter { $0.element == element } }

  /// The parameter of one bus, by the name it has there: "gain" of `.input(3)` is "input 3 gain" of the node.
  public func parameter(named shortName: String, of element: NodeElement) throws(ParameterError) -> Parameter {
    let parameters = parameters(of: element)
    if let parameter = parameters.first(where: { $0.shortName == shortName }) { return parameter }
    throw .unknown(
      node: "\(name), \(element)", name: shortName,
      near: EditDistance.near(to: shortName, among: parameters.map(\.shortName)))
  }

  /// The properties of one bus, or of the whole node; the engine has the formats of its buses too.
  public func properties(of element: NodeElement) -> [Property] { properties.filter { $0.element == element } }

  /// The property of one bus, by the name it has there: "peak" of `.input(3)` is "input 3 peak" of the node.
  public func property(named shortName: String, of element: NodeElement) throws(PropertyError) -> Property {
    let properties = properties(of: element)
    if let property = properties.first(where: { $0.shortName == shortName }) { return property }
    throw .unknown(
      node: "\(name), \(element)", name: shortName,
      near: EditDistance.near(to: shortName, among: properties.map(\.shortName)))
  }
}
