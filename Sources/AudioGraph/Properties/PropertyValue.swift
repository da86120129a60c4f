import SynthText

/// What a property is set to: plain data, so that code can set it without knowing the node's type.
public enum PropertyValue: Sendable, Hashable {
  /// On or off.
  case bool(Bool)
  /// A whole number.
  case integer(Int)
  /// In the unit that the property's kind names.
  case number(Double)
  /// A text, or one of the names of a choice.
  case text(String)
  /// Several values in an order: one for each channel, say.
  case list([PropertyValue])

  /// Nil for another kind of value.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// Nil for another kind of value.
  public var integer: Int? { if case .integer(let value) = self { value } else { nil } }
  /// A whole number is a number too.
  public var number: Double? {
    switch self {
    case .number(let value): value
    case .integer(let value): Double(value)
    default: nil
    }
  }
  /// Nil for another kind of value.
  public var text: String? { if case .text(let value) = self { value } else { nil } }
  /// Nil for another kind of value.
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

/// What a property may be set to.
public indirect enum PropertyKind: Sendable, Hashable {
  /// On or off.
  case bool
  /// A ratio has no unit.
  case integer(ClosedRange<Int>, unit: ParameterUnit = .ratio)
  /// Any number of the range, in a unit.
  case number(ClosedRange<Double>, unit: ParameterUnit)
  /// Any text.
  case text
  /// One of some names.
  case choice([String])
  /// One of so many channels by its number, or what else a channel map takes: -1 for silence, "mono" for the mean.
  case channel(count: Int)
  /// So many values of one kind.
  case list(of: PropertyKind, count: ClosedRange<Int>)

  /// The unit of its numbers; empty where there is none.
  var symbol: String {
    switch self {
    case .number(_, let unit), .integer(_, let unit): unit.symbol
    case .list(let element, _): element.symbol
    case .bool, .text, .choice, .channel: ""
    }
  }

  /// The value as the node gets it; nil if it is of another kind.
  package func accept(_ value: PropertyValue) -> PropertyValue? {
    switch self {
    case .bool: return value.bool.map { .bool($0) }
    case .integer(let range, _): return value.integer.flatMap { range.contains($0) ? .integer($0) : nil }
    case .number(let range, _): return value.number.flatMap { range.contains($0) ? .number($0) : nil }
    case .text: return value.text.map { .text($0) }
    case .choice(let names): return value.text.flatMap { names.contains($0) ? .text($0) : nil }
    case .channel(let count):
      let source = value.text == ChannelMap.meanWord ? ChannelMap.mean : value.integer
      return source.flatMap { (ChannelMap.mean..<max(0, count)).contains($0) ? .integer($0) : nil }
    case .list(let element, let count):
      guard let values = value.list, count.contains(values.count) else { return nil }
      let accepted = values.compactMap { element.accept($0) }
      return accepted.count == values.count ? .list(accepted) : nil
    }
  }
}

extension PropertyKind: CustomStringConvertible {
  /// What to give: "a whole number from 1 to 64".
  public var description: String {
    switch self {
    case .bool: "true or false"
    case .integer(let range, _):
      "a whole number\(Self.limits(range.map(Double.init), most: Double(Int.max)))\(suffix)"
    case .number(let range, _): "a number\(Self.limits(range, most: .infinity))\(suffix)"
    case .text: "a text"
    case .choice(let names): names.quoted
    case .channel(let count):
      "a channel below \(count), \(ChannelMap.silence) for silence or \(ChannelMap.meanWord) for the mean"
    case .list(let element, let count):
      "a list of \(Self.span(count)), each \(element)"
    }
  }

  private var suffix: String { symbol.isEmpty ? "" : " \(symbol)" }

  private static func limits(_ range: ClosedRange<Double>, most: Double) -> String {
    range.upperBound >= most
      ? " from \(NumberFormatting.text(range.lowerBound)) on"
      : " from \(NumberFormatting.text(range.lowerBound)) to \(NumberFormatting.text(range.upperBound))"
  }

  private static func span(_ count: ClosedRange<Int>) -> String {
    if count.lowerBound == count.upperBound { return "\(count.lowerBound)" }
    return count.upperBound == .max ? "\(count.lowerBound) or more" : "\(count.lowerBound) to \(count.upperBound)"
  }
}

extension ClosedRange<Int> {
  fileprivate func map(_ transform: (Int) -> Double) -> ClosedRange<Double> {
    transform(lowerBound)...transform(upperBound)
  }
}
