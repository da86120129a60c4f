/// A JSON value (RFC 8259): read from a text, with the place where it starts, or made in code; it prints itself.
///
/// Our own, because Foundation would double the program's size (13.6 against 6 MB), and its decoder forgets where a
/// well-formed but unwanted value stood and accepts a key given twice.
public struct JSONValue: Hashable, Sendable {
  /// What kind of value it is.
  public indirect enum Content: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// The nearest double.
    case number(Double)
    /// Without the quotation marks, escapes resolved.
    case string(String)
    /// In order.
    case array([JSONValue])
    /// In the order of the text.
    case object([Member])
  }

  /// A key and its value, in the order of the text.
  public struct Member: Hashable, Sendable {
    /// Escapes resolved.
    public let key: String
    /// Where the key starts, in bytes from the start of the text.
    public let offset: Int
    /// What the key stands for.
    public let value: JSONValue
  }

  /// The value itself.
  public let content: Content
  /// Where it starts, in bytes from the start of the text; 0 for a value made in code.
  public let offset: Int

  init(_ content: Content, offset: Int = 0) { (self.content, self.offset) = (content, offset) }

  /// The kind of value in words, for errors: "a number".
  public var kind: String {
    switch content {
    case .null: "null"
    case .bool: "a truth value"
    case .number: "a number"
    case .string: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

// MARK: - Reading

extension JSONValue {
  /// The value of a key; nil where it is no object, or has no such key.
  public subscript(key: String) -> JSONValue? {
    if case .object(let members) = content { members[key] } else { nil }
  }

  /// The values of a list; nil for anything else.
  public var list: [JSONValue]? { if case .array(let values) = content { values } else { nil } }
  /// Nil for anything but a number.
  public var number: Double? { if case .number(let value) = content { value } else { nil } }
  /// Nil for anything but a text.
  public var text: String? { if case .string(let value) = content { value } else { nil } }

  /// A list of nothing but texts; nil for anything else.
  public var texts: [String]? {
    guard let list else { return nil }
    let texts = list.compactMap(\.text)
    return texts.count == list.count ? texts : nil
  }
}

extension [JSONValue.Member] {
  /// The value of a key.
  public subscript(key: String) -> JSONValue? { first { $0.key == key }?.value }
}

// MARK: - Writing

extension JSONValue: CustomStringConvertible {
  /// The null value.
  public static let null = JSONValue(.null)
  /// A truth value.
  public static func bool(_ value: Bool) -> JSONValue { JSONValue(.bool(value)) }
  /// A whole number, exact up to 2⁵³.
  public static func number(_ value: Int) -> JSONValue { JSONValue(.number(Double(value))) }
  /// A number; written as null where it is not finite, which JSON cannot express.
  public static func number(_ value: Double) -> JSONValue { JSONValue(.number(value)) }
  /// A number of 32 bits, in as many digits as it needs.
  package static func number(_ value: Float) -> JSONValue { .number(value.decimal) }
  /// A text.
  public static func string(_ value: String) -> JSONValue { JSONValue(.string(value)) }
  /// A list.
  public static func array(_ values: [JSONValue]) -> JSONValue { JSONValue(.array(values)) }
  /// An object, its members in this order.
  public static func object(_ members: [(String, JSONValue)]) -> JSONValue {
    JSONValue(.object(members.map { Member(key: $0, offset: 0, value: $1) }))
  }

  /// The value as JSON text, on one line.
  public var description: String {
    switch content {
    case .string(let text): "\"\(text.unicodeScalars.map(escaped).joined())\""
    case .number(let number): Int(exactly: number).map(String.init) ?? (number.isFinite ? "\(number)" : "null")
    case .bool(let value): "\(value)"
    case .array(let values): "[\(values.map(\.description).joined(separator: ", "))]"
    case .object(let members): "{\(members.map { "\(JSONValue.string($0.key)): \($0.value)" }.joined(separator: ", "))}"
    case .null: "null"
    }
  }

  private func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"", "\\": return "\\\(scalar)"
    // Also what is no control character of JSON, but a terminal's.
    case _ where scalar.isInterpretedByTerminals:
      return UTF16.encode(scalar)?.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)"
      }.joined() ?? ""
    default: return String(scalar)
    }
  }
}

extension Float {
  /// The number of 64 bits that has the same shortest text: 0.1 for 0.1, not 0.10000000149.
  package var decimal: Double { Double("\(self)") ?? Double(self) }
}
