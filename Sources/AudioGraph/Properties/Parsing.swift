import SynthText

// Values as people type them, in commands.

extension Parameter {
  /// The value of a text: "-6", "-6 dB", "on", "plate"; nil for anything else, and out of the range.
  public func value(parsing text: String) -> Float? {
    switch unit {
    case .toggle: return switchPosition(text).map { $0 ? 1 : 0 }
    case .index(let names): return names.firstIndex(of: text).map { Float($0) }
    default:
      guard let value = unit.number(parsing: text).map({ Float($0) }), range.contains(value) else { return nil }
      return value
    }
  }

  /// What to give: "a number from −120 to 24 dB".
  public var expected: String {
    switch unit {
    case .toggle: "on or off"
    case .index(let names): "\(PropertyKind.choice(names))"
    default: "\(PropertyKind.number(Double(range.lowerBound)...Double(range.upperBound), unit: unit))"
    }
  }
}

extension PropertyKind {
  /// The value of a text, as the description of one has it: "on", "-6", "pop.sf2", "0,1,-1"; nil for anything else, and
  /// out of the range.
  public func value(parsing text: String) -> PropertyValue? {
    switch self {
    case .bool: switchPosition(text).map { .bool($0) }
    case .integer(_, let unit):
      unit.number(parsing: text).flatMap { Int(exactly: $0) }.flatMap { accept(.integer($0)) }
    case .number(_, let unit): unit.number(parsing: text).flatMap { accept(.number($0)) }
    case .text, .choice: accept(.text(text))
    case .channel: accept(Int(text).map { .integer($0) } ?? .text(text))
    case .list(let element, _):
      list(text.isEmpty ? [] : text.split(separator: ",", omittingEmptySubsequences: false), of: element)
    }
  }

  private func list(_ texts: [Substring], of element: PropertyKind) -> PropertyValue? {
    let values = texts.compactMap { element.value(parsing: String($0)) }
    return values.count == texts.count ? accept(.list(values)) : nil
  }
}

extension ParameterUnit {
  /// "-6", "-6dB" or "-6 dB".
  fileprivate func number(parsing text: String) -> Double? {
    let hasUnit = !symbol.isEmpty && text.lowercased().hasSuffix(symbol.lowercased())
    let digits = (hasUnit ? text.dropLast(symbol.count) : text[...]).filter { $0 != " " }
    return Double(String(digits.map { $0 == "−" ? "-" : $0 })).flatMap { $0.isFinite ? $0 : nil }
  }
}

private func switchPosition(_ text: String) -> Bool? {
  switch text {
  case "on", "true", "1": true
  case "off", "false", "0": false
  default: nil
  }
}
