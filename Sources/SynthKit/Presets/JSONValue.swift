/// A value read from a JSON text (RFC 8259), with the place where it starts.
struct JSONValue: Equatable, Sendable {
  /// What kind of value it is.
  indirect enum Content: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([Member])
  }

  /// A key and its value, in the order of the text.
  struct Member: Equatable, Sendable {
    var key: String
    var offset: Int
    var value: JSONValue
  }

  var content: Content
  /// Where it starts, in bytes from the start of the text.
  var offset: Int

  /// What people call such a value.
  var kind: String {
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

/// Why a text is not JSON, and where, in bytes from its start.
struct JSONFault: Error, Equatable {
  var problem: String
  var offset: Int
}
