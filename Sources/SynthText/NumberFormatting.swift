/// Numbers as people read them.
public enum NumberFormatting {
  /// With a true minus sign, rounded to at most four decimals: "−1.50".
  ///
  /// - Parameter keepingZeros: whether zeros at the end of the decimals stay.
  public static func text(_ number: Double, decimals: Int, keepingZeros: Bool) -> String {
    guard number.isFinite else { return number.isNaN ? "not a number" : number < 0 ? "−∞" : "∞" }
    let places = min(max(decimals, 0), 4)
    let scale = [1.0, 10, 100, 1000, 10000][places]
    guard abs(number) < 1e12 else { return "\(number)" }
    let scaled = Int((abs(number) * scale).rounded())
    let whole = scaled / Int(scale)
    var fraction = String(scaled % Int(scale))
    fraction = String(repeating: "0", count: places - min(places, fraction.count)) + fraction
    if !keepingZeros { while fraction.hasSuffix("0") { fraction.removeLast() } }
    let sign = number < 0 && scaled > 0 ? "−" : ""
    return sign + String(whole) + (places == 0 || fraction.isEmpty ? "" : "." + fraction)
  }

  /// At most three decimals: "−6", "0.707", "48000".
  public static func text(_ number: Double) -> String { text(number, decimals: 3, keepingZeros: false) }

  /// The same with a hyphen, as it is typed: "-6".
  public static func typed(_ number: Double) -> String { String(text(number).map { $0 == "−" ? "-" : $0 }) }

  /// "1 entry", "2 entries".
  public static func count(_ count: Int, _ one: String, _ many: String) -> String {
    "\(count) \(count == 1 ? one : many)"
  }
}
