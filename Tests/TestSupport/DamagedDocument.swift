/// A text of which a few bytes, words or numbers are others.
public enum DamagedDocument {
  private static let words = [
    "1e999", "-1e999", "NaN", "0", "-0", "-1", "1e15", "1.5", "9223372036854775808", "null", "true", "\"\"", "[]", "{}",
    "\"\\u0000\"", "\"\\ud800\"", "\"é\"", String(repeating: "[", count: 300), "128", "255", "16", "17",
  ]

  public static func bytes(_ text: String, _ random: inout SplitMix64) -> [UInt8] {
    var bytes = Array(text.utf8)
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let place = random.next(below: bytes.count)
      switch random.next(below: 6) {
      case 0: bytes[place] = UInt8(random.next(below: 256))
      case 1: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.next(below: 8)))
      case 2: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 20)], at: place)
      default: replaceValue(near: place, &bytes, &random)
      }
      if bytes.isEmpty { return bytes }
    }
    return bytes
  }

  /// Puts a word in the place of the next number.
  private static func replaceValue(near place: Int, _ bytes: inout [UInt8], _ random: inout SplitMix64) {
    let digits = Set("-.0123456789e".utf8)
    guard let start = bytes[place...].firstIndex(where: { (0x30...0x39).contains($0) }) else { return }
    let end = bytes[start...].firstIndex { !digits.contains($0) } ?? bytes.endIndex
    bytes.replaceSubrange(start..<end, with: words[random.next(below: words.count)].utf8)
  }
}
