import DSP

/// Numbers as people read them.
enum Figures {
  /// At most three decimals and a true minus sign: "−6", "0.707", "48000".
  static func text(_ number: Double) -> String { Decibels(number).figure(decimals: 3, keepingZeros: false) }

  /// The same with a hyphen, as it is typed: "-6".
  static func typed(_ number: Double) -> String { String(text(number).map { $0 == "−" ? "-" : $0 }) }

  /// "1 entry", "2 entries".
  static func count(_ count: Int, _ one: String, _ many: String) -> String { "\(count) \(count == 1 ? one : many)" }
}
