/// How likely letters follow each other in a language with an alphabet.
struct LetterTable: Sendable {
  /// The place of each letter in the rows, in lower case; a space stands for all that is no letter.
  private let places: [Unicode.Scalar: Int]
  /// A row for each letter: -log2 of how likely each letter is behind it, in half bits, from # on.
  private let rows: [UInt8]

  /// - Parameters:
  ///   - letters: in order, a space first.
  ///   - rows: a line for each of them.
  init(_ letters: String, _ rows: String) {
    places = Dictionary(uniqueKeysWithValues: letters.unicodeScalars.enumerated().map { ($1, $0) })
    self.rows = rows.utf8.filter { $0 != UInt8(ascii: "\n") }
  }

  static let western = [en, fr, de, es, it, pt, ca, nl, sv, da, no, `is`]

  /// Letters of other alphabets, in bits; those of ASCII stand in titles everywhere.
  private static let strangeBits: (ascii: Float, change: Float, other: Float) = (5.5, 9, 18)
  /// Signs beyond ASCII, in bits.
  private static let signBits: (common: Float, other: Float) = (6, 16)
  /// Those of them that no letter stands before.
  private static let openingSigns = Set("‘“«¡¿©°„".unicodeScalars)
  private static let commonSigns = Set("’‘“”–…«»¡¿©®°ºª·•™€—„".unicodeScalars)

  /// -log2 of how likely texts are.
  func bits(of texts: [[Unicode.Scalar]]) -> Float {
    var bits: Float = 0
    // The place of the letter before; nil behind a strange one.
    var last: Int? = 0
    for text in texts {
      // A syllable may go on with the word of the one before, or not.
      bits += text.first.map { begin($0, behind: &last) } ?? 0
      var isBehindLowercase = false
      for scalar in text {
        bits += self.bits(of: scalar, &last)
        // Few words have a capital within.
        if scalar.properties.isUppercase { bits += isBehindLowercase ? 8 : 0.7 }
        isBehindLowercase = scalar.properties.isLowercase
      }
    }
    return bits + step(last, to: 0)
  }

  private func bits(of scalar: Unicode.Scalar, _ last: inout Int?) -> Float {
    if scalar.isNoText {
      last = 0
      return 30
    }
    if let place = place(of: scalar), place > 0 {
      defer { last = place }
      return last == nil ? (scalar.isASCII ? 4 : 14) : step(last, to: place)
    }
    if scalar.properties.isAlphabetic {
      defer { last = nil }
      let isChange = last.map { $0 > 0 } ?? false
      return scalar.isASCII ? Self.strangeBits.ascii + (isChange ? Self.strangeBits.change : 0) : Self.strangeBits.other
    }
    defer { last = 0 }
    let isOpening = Self.openingSigns.contains(scalar) && last != 0
    let sign = Self.commonSigns.contains(scalar) && !isOpening ? Self.signBits.common : Self.signBits.other
    return (last == 0 ? 0 : step(last, to: 0)) + (scalar.isASCII ? 0 : sign)
  }

  /// Ends the word before a text, if the text more likely begins one.
  private func begin(_ scalar: Unicode.Scalar, behind last: inout Int?) -> Float {
    guard let before = last, before > 0, let place = place(of: scalar), place > 0 else { return 0 }
    guard step(before, to: 0) + step(0, to: place) < step(before, to: place) else { return 0 }
    last = 0
    return step(before, to: 0)
  }

  private func place(of scalar: Unicode.Scalar) -> Int? {
    places[scalar] ?? scalar.properties.lowercaseMapping.unicodeScalars.first.flatMap { places[$0] }
  }

  private func step(_ a: Int?, to b: Int) -> Float {
    guard let a, a > 0 || b > 0 else { return 0 }
    return Float(rows[a * places.count + b] - UInt8(ascii: "#")) / 2
  }
}
