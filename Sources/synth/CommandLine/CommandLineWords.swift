/// The words of the command line, the program's name left out.
enum CommandLineWords {
  /// - Throws: `NotText` for what cannot be a Swift string.
  static func all() throws(NotText) -> [String] {
    var words: [String] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let bytes = CommandLine.unsafeArgv[index] else { continue }
      guard let word = String(validatingCString: bytes) else { throw NotText(bytes) }
      words.append(word)
    }
    return words
  }
}

/// A word that is no UTF-8, as a file name in an older encoding may be.
struct NotText: Error, CustomStringConvertible {
  /// What is beyond ASCII as in a shell: `caf\xE9.mid`.
  private let word: String

  init(_ bytes: UnsafePointer<CChar>) {
    let digits = Array("0123456789ABCDEF")
    var word = ""
    var next = bytes
    while next.pointee != 0 {
      let byte = UInt8(bitPattern: next.pointee)
      let isPlain = (0x20..<0x7F).contains(byte)
      word += isPlain ? String(UnicodeScalar(byte)) : "\\x\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      next += 1
    }
    self.word = word
  }

  var description: String { "reading the command line: \(word) is no UTF-8 text; rename the file, or link to it" }
}
