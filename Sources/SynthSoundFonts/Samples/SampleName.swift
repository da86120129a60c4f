/// What a file's name says of its sample: "Piano C#4 v80", "A0v1", "60". C4 is key 60.
struct SampleName: Equatable {
  /// The last note in the name, or the number that the name begins with if there is no other word but a velocity.
  private(set) var key: UInt8?
  /// 1 to 127, behind "v" or "vel".
  private(set) var velocity: UInt8?

  /// - Parameter name: without directories and extension.
  init(_ name: String) {
    var text = Text(letters: Array(name.utf8))
    let number = text.number().flatMap { $0 <= 127 && text.isAtEndOfWord ? UInt8($0) : nil }
    var otherWords = 0
    text.place = 0
    while !text.isAtEnd {
      if let note = text.note() {
        key = note
      } else if let velocity = text.velocity() {
        self.velocity = velocity
      } else {
        text.skipWord()
        otherWords += 1
      }
      text.skipSeparators()
    }
    if key == nil, otherWords == 1 { key = number }
  }

  private struct Text {
    let letters: [UInt8]
    var place = 0

    var isAtEnd: Bool { place == letters.count }
    private var letter: UInt8 { isAtEnd ? 0 : letters[place] }
    private var isAtDigit: Bool { (0x30...0x39).contains(letter) }
    private var isAtLetter: Bool { (0x61...0x7A).contains(letter | 0x20) || letter >= 0x80 }
    var isAtEndOfWord: Bool { !isAtDigit && !isAtLetter }

    /// Reads what `body` finds, or nothing.
    private mutating func trying<Result>(_ body: (inout Text) -> Result?) -> Result? {
      let start = place
      if let result = body(&self) { return result }
      place = start
      return nil
    }

    private mutating func skip(_ character: Character) -> Bool {
      guard let code = character.asciiValue, letter | 0x20 == code | 0x20, !isAtEnd else { return false }
      place += 1
      return true
    }

    /// Of up to four digits.
    mutating func number() -> Int? {
      var value: Int?
      let start = place
      while isAtDigit, place < start + 4 {
        value = (value ?? 0) * 10 + Int(letter - 0x30)
        place += 1
      }
      return value
    }

    /// A letter from A to G, perhaps "#" or "b", and an octave from -1 to 9. A velocity may follow at once.
    mutating func note() -> UInt8? {
      trying { text in
        let semitones = [9, 11, 0, 2, 4, 5, 7]
        guard (0x61...0x67).contains(text.letter | 0x20) else { return nil }
        var key = semitones[Int(text.letter | 0x20) - 0x61]
        text.place += 1
        if text.letter == 0x23 { key += 1 }
        if text.letter == 0x62 { key -= 1 }
        if text.letter == 0x23 || text.letter == 0x62 { text.place += 1 }
        let isNegative = text.letter == 0x2D
        if isNegative { text.place += 1 }
        guard let octave = text.number() else { return nil }
        var rest = text
        guard text.isAtEndOfWord || rest.velocity() != nil else { return nil }
        return UInt8(exactly: key + 12 * ((isNegative ? -octave : octave) + 1)).flatMap { $0 <= 127 ? $0 : nil }
      }
    }

    mutating func velocity() -> UInt8? {
      trying { text in
        guard text.skip("v") else { return nil }
        _ = text.skip("e") && text.skip("l")
        guard let number = text.number(), (1...127).contains(number), text.isAtEndOfWord else { return nil }
        return UInt8(number)
      }
    }

    mutating func skipWord() { repeat { place += 1 } while !isAtEnd && !isAtEndOfWord }

    mutating func skipSeparators() { while !isAtEnd, isAtEndOfWord { place += 1 } }
  }
}
