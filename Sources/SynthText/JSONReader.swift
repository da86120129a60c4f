extension JSONValue {
  /// The one value that a text holds, in UTF-8.
  public init(parsing bytes: [UInt8]) throws(JSONError) {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw JSONError(problem: "the text is not UTF-8", offset: 0)
    }
    var reader = JSONReader(bytes: bytes)
    self = try reader.readText()
  }
}

/// Why a text is not JSON, and where, in bytes from its start.
public struct JSONError: Error, Hashable {
  /// What is wrong: "expected a value".
  public let problem: String
  /// The place, in bytes from the start of the text.
  public let offset: Int
}

/// Reads a JSON text (RFC 8259) strictly, keeping the place of every value.
private struct JSONReader {
  /// How deep lists and objects may nest; beyond that the recursion could exhaust the stack.
  private static let depthLimit = 64

  private let bytes: [UInt8]
  private var position = 0
  private var depth = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func readText() throws(JSONError) -> JSONValue {
    let value = try readValue()
    skipSpace()
    guard position == bytes.count else { throw fault("nothing may follow the value") }
    return value
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func next(is character: Unicode.Scalar) -> Bool { next == UInt8(ascii: character) }

  private func fault(_ problem: String, at offset: Int? = nil) -> JSONError {
    let problem = offset == nil && next == nil ? problem + ", but the text ends here" : problem
    return JSONError(problem: problem, offset: min(offset ?? position, bytes.count))
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || (0x09...0x0A).contains(byte) || byte == 0x0D { position += 1 }
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard next(is: character) else { return false }
    position += 1
    return true
  }

  private mutating func readValue() throws(JSONError) -> JSONValue {
    skipSpace()
    let start = position
    switch next ?? 0 {
    case UInt8(ascii: "{"):
      return JSONValue(.object(try nested { r throws(JSONError) in try r.readMembers() }), offset: start)
    case UInt8(ascii: "["):
      return JSONValue(.array(try nested { r throws(JSONError) in try r.readElements() }), offset: start)
    case UInt8(ascii: "\""): return JSONValue(.string(try readString()), offset: start)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return JSONValue(.number(try readNumber()), offset: start)
    default: return JSONValue(try readWord(), offset: start)
    }
  }

  /// Reads what stands between brackets, the opening one being next.
  private mutating func nested<Items>(
    _ read: (inout JSONReader) throws(JSONError) -> Items
  ) throws(JSONError) -> Items {
    guard depth < Self.depthLimit else { throw fault("lists and objects nest deeper than \(Self.depthLimit)") }
    position += 1
    depth += 1
    let items = try read(&self)
    depth -= 1
    return items
  }

  private mutating func readElements() throws(JSONError) -> [JSONValue] {
    var elements: [JSONValue] = []
    if skip("]") { return elements }
    while true {
      elements.append(try readValue())
      if skip("]") { return elements }
      guard skip(",") else { throw fault("expected \",\" or \"]\"") }
    }
  }

  private mutating func readMembers() throws(JSONError) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    var keys: Set<String> = []
    if skip("}") { return members }
    while true {
      skipSpace()
      let start = position
      guard next(is: "\"") else { throw fault("expected a key in quotation marks") }
      let key = try readString()
      guard keys.insert(key).inserted else { throw fault("\"\(key)\" is there twice", at: start) }
      guard skip(":") else { throw fault("expected \":\"") }
      members.append(JSONValue.Member(key: key, offset: start, value: try readValue()))
      if skip("}") { return members }
      guard skip(",") else { throw fault("expected \",\" or \"}\"") }
    }
  }

  private mutating func readWord() throws(JSONError) -> JSONValue.Content {
    for (word, content) in [("true", JSONValue.Content.bool(true)), ("false", .bool(false)), ("null", .null)]
    where bytes[position...].starts(with: word.utf8) {
      position += word.utf8.count
      return content
    }
    throw fault("expected a value")
  }

  private mutating func readNumber() throws(JSONError) -> Double {
    let start = position
    _ = skip("-")
    if next(is: "0") { position += 1 } else { try readDigits() }
    if next(is: ".") {
      position += 1
      try readDigits()
    }
    if next(is: "e") || next(is: "E") {
      position += 1
      if next(is: "+") || next(is: "-") { position += 1 }
      try readDigits()
    }
    guard let number = Double(String(decoding: bytes[start..<position], as: UTF8.self)) else {
      throw fault("this is no number", at: start)
    }
    return number
  }

  private mutating func readDigits() throws(JSONError) {
    let start = position
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    guard position > start else { throw fault("expected a digit") }
  }

  private mutating func readString() throws(JSONError) -> String {
    let start = position
    position += 1
    var text: [UInt8] = []
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): text += String(try readEscape()).utf8
      case ..<0x20: throw fault("a line break or control character inside a text")
      default:
        text.append(byte)
        position += 1
      }
    }
    throw fault("the text that starts here has no closing quotation mark", at: start)
  }

  private mutating func readEscape() throws(JSONError) -> Unicode.Scalar {
    let start = position
    position += 2
    switch start + 1 < bytes.count ? Unicode.Scalar(bytes[start + 1]) : " " {
    case "\"": return "\""
    case "\\": return "\\"
    case "/": return "/"
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u": return try readUnicodeEscape(from: start)
    default: throw fault("unknown escape after \"\\\"", at: start)
    }
  }

  private mutating func readUnicodeEscape(from start: Int) throws(JSONError) -> Unicode.Scalar {
    var code = try readHexadecimal(from: start)
    if (0xD800..<0xDC00).contains(code), bytes[position...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) {
      position += 2
      let low = try readHexadecimal(from: start)
      guard (0xDC00..<0xE000).contains(low) else { throw fault("half a surrogate pair", at: start) }
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code) else { throw fault("half a surrogate pair", at: start) }
    return scalar
  }

  private mutating func readHexadecimal(from start: Int) throws(JSONError) -> UInt32 {
    let digits = String(decoding: bytes[position...].prefix(4), as: UTF8.self)
    guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit), let code = UInt32(digits, radix: 16) else {
      throw fault("expected four hexadecimal digits after \"\\u\"", at: start)
    }
    position += 4
    return code
  }
}

/// A place in a text, line and column counted from 1; a column is a Unicode scalar, as editors count.
public struct TextLocation: Equatable, Sendable, CustomStringConvertible {
  /// The line.
  public let line: Int

  /// The column within the line.
  public let column: Int

  /// The place of this line and column.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The place of a byte of UTF-8 text.
  public init(offset: Int, in bytes: [UInt8]) {
    let before = bytes.prefix(offset)
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    line = 1 + before.count { $0 == UInt8(ascii: "\n") }
    // Only the first byte of a scalar counts.
    column = 1 + before[lineStart...].count { $0 & 0xC0 != 0x80 }
  }

  /// "3:14".
  public var description: String { "\(line):\(column)" }
}
