/// How often characters are written in a language that has thousands of them.
struct IdeographTable: Sendable {
  /// -log2 of how often.
  private let bits: [Unicode.Scalar: Float]

  /// - Parameter classes: bits, and the characters that are so rare.
  init(_ classes: [(bits: Float, characters: String)]) {
    var bits: [Unicode.Scalar: Float] = [:]
    for entry in classes {
      for scalar in entry.characters.unicodeScalars { bits[scalar] = entry.bits }
    }
    self.bits = bits
  }

  /// -log2 of how likely texts are.
  func bits(of texts: [[Unicode.Scalar]]) -> Float {
    var sum: Float = 0
    for text in texts {
      // Whether the character before was a letter of ASCII; nil behind other ASCII.
      var isBehindLetter: Bool?
      for scalar in text {
        let isLetter = scalar.isASCII && scalar.properties.isAlphabetic
        if let isBehindLetter, isBehindLetter != isLetter, scalar != " " { sum += 6 }
        isBehindLetter = scalar.isASCII && !isLetter ? nil : isLetter
        sum += bits[scalar] ?? rareBits(of: scalar)
      }
    }
    return sum
  }

  private func rareBits(of scalar: Unicode.Scalar) -> Float {
    switch scalar.value {
    case 0..<0x80: scalar.properties.isAlphabetic ? 5 : 0
    case _ where scalar.isNoText: 30
    case 0x3000...0x303F, 0xFF01...0xFF5E: 8  // punctuation and wide letters
    case 0xFF61...0xFF9F where isJapanese: 9  // half-width kana
    case 0x4E00...0x9FFF: isKorean ? 20 : 18
    case 0xAC00...0xD7A3 where isKorean: 17
    default: 22
    }
  }

  private var isJapanese: Bool { bits["の"] != nil }
  private var isKorean: Bool { bits["가"] != nil }
}
