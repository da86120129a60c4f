// Text of MIDI files, whose encoding no standard names.

/// The text of `bytes`: UTF-8 where it is valid, else Latin-1.
///
/// Control characters other than line feed, carriage return and tab are dropped, so that a file cannot send escape
/// sequences to a terminal.
func decodedText(_ bytes: ArraySlice<UInt8>) -> String {
  let text =
    String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  let kept = text.unicodeScalars.filter {
    $0.properties.generalCategory != .control || $0 == "\n" || $0 == "\r" || $0 == "\t"
  }
  return String(kept)
}
