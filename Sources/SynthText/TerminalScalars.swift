extension Unicode.Scalar {
  /// Whether a terminal would not show the character but act on it: control characters, line separators, and what
  /// changes the direction of a text (Unicode's annex 9), which lets a name look like another.
  package var isInterpretedByTerminals: Bool {
    switch value {
    // C0; DEL and C1; line and paragraph separator; embeddings and overrides; isolates.
    case 0...0x1F, 0x7F...0x9F, 0x2028...0x2029, 0x202A...0x202E, 0x2066...0x2069: true
    // Bytes of file names that are not UTF-8.
    case 0x10FF80...: true
    default: false
    }
  }
}
