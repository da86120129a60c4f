extension CommandWords {
  /// "take.flac", "drums.flac from drums", "stop". A file's name may have blanks.
  mutating func recording() throws(SynthesizerCommandError) -> SynthesizerCommand {
    let text = try rest()
    if ["stop", "off"].contains(text) { return .record(nil) }
    guard let (path, strip) = Self.part(text) else { return .record(text) }
    return strip == .main ? .record(path) : .recordStrip(path, from: strip)
  }

  /// The file, and the part of the mix whose name is last; nil where a text ends otherwise.
  private static func part(_ text: String) -> (path: String, strip: Strip)? {
    let words = text.split(separator: " ")
    guard let place = words.lastIndex(of: "from"), place > 0, place < words.count - 1 else { return nil }
    let path = text[..<words[place].startIndex]
    guard let strip = Strip(parsing: words[(place + 1)...].joined(separator: " ")) else { return nil }
    return (String(path.dropLast(path.reversed().prefix { $0 == " " }.count)), strip)
  }
}
