/// What people call a channel: 1 to 16 on the first port, A; B1 to B16, C1 and so on, on those after it.
///
/// Read are also the channels of all ports counted through, 17 for B1, and names as synthesizers print them: A01, b1.
public enum ChannelName {
  /// What people are asked for.
  public static let expected = "a channel from 1 to 16, B1 to D16 for other ports"

  /// - Parameter channel: among those of all ports, 0 to 63.
  public static func text(_ channel: Int) -> String {
    channel < 16 || channel >= MIDIPorts.channelCount ? "\(channel + 1)" : "\(port(channel / 16))\(channel % 16 + 1)"
  }

  /// The letter of a port, A to D for 0 to 3.
  public static func port(_ port: Int) -> String {
    String(UnicodeScalar(UInt8(ascii: "A") + UInt8(clamping: port & 3)))
  }

  /// The channel among those of all ports, 0 to 63; nil for other words.
  public static func channel(_ text: some StringProtocol) -> UInt8? {
    let letters = text.prefix { $0.isLetter }
    guard let number = UInt8(text.dropFirst(letters.count)), number > 0 else { return nil }
    if letters.isEmpty { return number <= MIDIPorts.channelCount ? number - 1 : nil }
    let port = (0..<MIDIPorts.count).first { self.port($0) == letters.uppercased() }
    return number <= 16 ? port.map { UInt8(16 * $0) + number - 1 } : nil
  }
}
