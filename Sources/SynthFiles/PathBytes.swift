// Names of files are bytes, which need not be UTF-8. In this program they are strings, in which each byte that is not
// part of UTF-8 is one of 128 characters at the end of Unicode, where no text has any: byte E9 is U+10FFE9. A name that
// has these characters itself is taken for bytes as well, so that every name comes back as it was.

extension Unicode.Scalar {
  /// The byte that the character stands for in a name; nil for a character.
  package var pathByte: UInt8? { value >= 0x10FF80 ? UInt8(value & 0xFF) : nil }

  fileprivate init(pathByte: UInt8) {
    self = Unicode.Scalar(0x10FF00 | UInt32(pathByte)) ?? "\u{FFFD}"
  }
}

extension String {
  /// A name from its bytes, as the system has it.
  package init(path bytes: some Collection<UInt8>) {
    if let text = String(validating: bytes, as: UTF8.self), !text.unicodeScalars.contains(where: { $0.pathByte != nil })
    {
      self = text
      return
    }
    var scalars = String.UnicodeScalarView()
    var rest = Array(bytes)[...]
    while let byte = rest.first {
      // As many bytes as make a character.
      let character = (1...4).lazy.compactMap { count in
        count <= rest.count ? String(validating: rest.prefix(count), as: UTF8.self)?.unicodeScalars : nil
      }.first
      if let scalar = character?.first, scalar.pathByte == nil {
        scalars.append(scalar)
        rest = rest.dropFirst(UTF8.width(scalar))
      } else {
        scalars.append(Unicode.Scalar(pathByte: byte))
        rest = rest.dropFirst()
      }
    }
    self = String(scalars)
  }

  /// A name that ends in a zero.
  package init(path bytes: UnsafePointer<CChar>) {
    var count = 0
    while bytes[count] != 0 { count += 1 }
    self.init(path: UnsafeRawBufferPointer(start: bytes, count: count))
  }

  /// The name as the system has it.
  package var pathBytes: [UInt8] {
    guard unicodeScalars.contains(where: { $0.pathByte != nil }) else { return Array(utf8) }
    return unicodeScalars.flatMap { scalar in scalar.pathByte.map { [$0] } ?? Array(String(scalar).utf8) }
  }

  /// The name for a C function: with a zero behind it.
  package var cPath: [CChar] { pathBytes.map { CChar(bitPattern: $0) } + [0] }
}
