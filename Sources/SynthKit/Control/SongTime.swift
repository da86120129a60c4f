/// A time within a song as people write it: 83, 83s, 1:23, 1:23.5 or 0:01:23.
public struct SongTime: Hashable, Sendable, CustomStringConvertible {
  /// From the song's start.
  public var seconds: Double

  public init(_ seconds: Double) { self.seconds = seconds }

  /// Reads seconds, minutes and seconds, or hours, minutes and seconds; of several parts only the first may be 60 or
  /// more. Nil for anything else.
  public init?(parsing text: String) {
    let text = text.hasSuffix("s") && !text.contains(":") ? text.dropLast() : text[...]
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count), let last = parts.last else { return nil }
    let digits = last.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard (parts.dropLast() + digits).allSatisfy(Self.areDigits) else { return nil }
    var seconds = 0.0
    for (index, part) in parts.enumerated() {
      guard let value = Double(part), index == 0 || value < 60 else { return nil }
      seconds = seconds * 60 + value
    }
    self.seconds = seconds
  }

  private static func areDigits(_ text: Substring) -> Bool {
    (1...9).contains(text.count) && text.allSatisfy { $0.isASCII && $0.isNumber }
  }

  /// "1:23", with a tenth of a second where it is not whole, and with hours from one on.
  public var description: String {
    guard seconds.isFinite, abs(seconds) < 1e12 else { return "\(seconds)" }
    let tenths = Int((abs(seconds) * 10).rounded())
    let (hours, minutes, rest) = (tenths / 36000, tenths / 600 % 60, tenths % 600)
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let front = hours > 0 ? "\(hours):\(padded(minutes))" : "\(minutes)"
    let part = rest % 10 > 0 ? ".\(rest % 10)" : ""
    return "\(seconds < 0 && tenths > 0 ? "-" : "")\(front):\(padded(rest / 10))\(part)"
  }
}
