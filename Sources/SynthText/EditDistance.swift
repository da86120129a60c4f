/// Guesses which name was meant by a mistyped one.
public enum EditDistance {
  /// The name that needs the fewest letters changed, if that is few enough.
  ///
  /// - Parameter limit: as many letters; nil for what may be a typing error, a third of them.
  public static func nearest(to text: String, among names: [String], within limit: Int? = nil) -> String? {
    near(to: text, among: names, within: limit).first
  }

  /// The names that may be meant, the most likely first; at most three.
  public static func near(to text: String, among names: [String], within limit: Int? = nil) -> [String] {
    // Past this length it is no typing error, and the table below would grow.
    guard text.count <= 64 else { return [] }
    let text = text.lowercased()
    let ranked = names.enumerated().map { (name: $1, distance: between(text, $1.lowercased()), place: $0) }
      .filter { $0.distance <= max(1, limit ?? text.count / 3) }
      .sorted { ($0.distance, $0.place) < ($1.distance, $1.place) }
    return ranked.prefix(3).map(\.name)
  }

  /// Letters to insert, delete or replace to make `b` of `a` (Levenshtein's distance).
  public static func between(_ a: String, _ b: String) -> Int {
    let b = Array(b)
    var row = Array(0...b.count)
    for (i, letter) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in b.enumerated() {
        let replaced = diagonal + (letter == other ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[b.count]
  }
}
