/// Four ASCII characters in 32 bits, by which kinds of node are told apart (`OSType`): "aumx".
public struct FourCharacterCode: Hashable, Sendable {
  /// The first character in the highest byte. 0 is no code.
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Exactly four printable ASCII characters; nil for anything else.
  public init?(parsing text: String) {
    guard text.utf8.count == 4, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
    rawValue = text.utf8.reduce(0) { $0 << 8 | UInt32($1) }
  }
}

extension FourCharacterCode: ExpressibleByStringLiteral {
  /// A literal of another form is no code.
  public init(stringLiteral text: String) { self = FourCharacterCode(parsing: text) ?? Self(rawValue: 0) }
}

extension FourCharacterCode: CustomStringConvertible {
  /// The four characters; what is not printable is a full stop.
  public var description: String {
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> $0) }
    return String(decoding: bytes.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: ".") }, as: UTF8.self)
  }
}
