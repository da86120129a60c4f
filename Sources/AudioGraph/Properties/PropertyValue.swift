import Text

/// What a property is set to: plain data, so that code can set it without knowing the node's type.
public enum PropertyValue: Sendable, Hashable {
  case bool(Bool)
  case integer(Int)
  case number(Double)
  /// A text, or one of the names of a choice.
  case text(String)
  case list([PropertyValue])

  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  public var integer: Int? { if case .integer(let value) = self { value } else { nil } }
  /// A whole number is a number too.
  public var number: Double? {
    switch self {
    case .number(let value): value
    case .integer(let value): Double(value)
    default: nil
    }
  }
  public var text: String? { if case .text(let value) = self { value } else { nil } }
  public var list: [PropertyValue]? { if case .list(let values) = self { values } else { nil } }
}

extension PropertyValue: CustomStringConvertible {
  /// As people type it: "on", "-6", "pop.sf2", "0,1,-1".
  public var description: String {
    switch self {
    case .bool(let value): value ? "on" : "off"
    case .integer(let value): "\(value)"
    case .number(let value): NumberFormatting.typed(value)
    case .text(let value): value
    case .list(let values): values.map(\.description).joined(separator: ",")
    }
  }
}

extension PropertyValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByArrayLiteral
{
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .number(value) }
  public init(stringLiteral value: String) { self = .text(value) }
  public init(arrayLiteral values: PropertyValue...) { self = .list(values) }
}
