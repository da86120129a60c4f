/// A value that prints itself as JSON (RFC 8259). By hand, because Foundation would double the program's size.
public indirect enum JSONText: CustomStringConvertible, Sendable {
  case text(String)
  case number(Int)
  /// What is not finite is null: JSON has no word for it.
  case real(Double)
  case bool(Bool)
  case list([JSONText])
  case object([(String, JSONText)])
  case null

  public var description: String {
    switch self {
    case .text(let text): "\"\(text.unicodeScalars.map(escaped).joined())\""
    case .number(let number): "\(number)"
    case .real(let number):
      Int(exactly: number).map(String.init) ?? (number.isFinite ? "\(number)" : "null")
    case .bool(let value): "\(value)"
    case .list(let values): "[\(values.map(\.description).joined(separator: ", "))]"
    case .object(let members):
      "{\(members.map { "\(JSONText.text($0)): \($1)" }.joined(separator: ", "))}"
    case .null: "null"
    }
  }

  private func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"", "\\": return "\\\(scalar)"
    case _ where scalar.value < 32:
      let digits = String(scalar.value, radix: 16)
      return "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)"
    default: return String(scalar)
    }
  }
}
