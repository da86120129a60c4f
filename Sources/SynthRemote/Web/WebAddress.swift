import Glibc

/// Where the web page is served: an address of this machine, and a port.
public struct WebAddress: Sendable, Equatable, CustomStringConvertible {
  /// IPv4 or IPv6, in digits: "127.0.0.1", "0.0.0.0" for all, "::1".
  public let address: String
  /// 0 is any free one.
  public let port: UInt16

  /// This machine alone.
  public static let standard = WebAddress("127.0.0.1", 8383)
  /// What `init(parsing:)` takes.
  public static let expected = "an address in digits and a port, as in 127.0.0.1:8383, 0.0.0.0:8383 or [::]:8383"

  init(_ address: String, _ port: UInt16) { (self.address, self.port) = (address, port) }

  /// Reads "127.0.0.1:8383", "[::1]:8383", "localhost:8383", "8383" or an address alone; nil for anything else.
  public init?(parsing text: String) {
    if let port = UInt16(text) {
      self.init(Self.standard.address, port)
      return
    }
    guard let (name, port) = HostAndPort.split(text) else { return nil }
    let address = name == "localhost" ? Self.standard.address : name
    guard HostAndPort.isAddress(address) else { return nil }
    self.init(address, port ?? Self.standard.port)
  }

  /// Whether only this machine can reach it.
  public var isLoopback: Bool { address == "::1" || (address.hasPrefix("127.") && !address.contains(":")) }

  var isEverywhere: Bool { address == "0.0.0.0" || address == "::" }

  /// "127.0.0.1:8383".
  public var description: String { "\(HostAndPort.bracketed(address)):\(port)" }
}

/// The parts of "name:port", as a URL and the header Host have them.
enum HostAndPort {
  /// The brackets of an IPv6 address are left out; nil for what is neither a name nor an address.
  static func split(_ text: String) -> (name: String, port: UInt16?)? {
    var name = text
    var port: UInt16?
    if let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") {
      guard let number = UInt16(text[text.index(after: colon)...]) else { return nil }
      port = number
      name = String(text[..<colon])
    }
    if name.hasPrefix("["), name.hasSuffix("]") {
      name = String(name.dropFirst().dropLast())
      guard name.contains(":") else { return nil }
    } else if name.contains(":") {
      return nil
    }
    return name.isEmpty ? nil : (name, port)
  }

  /// Whether it is an IPv4 or IPv6 address in digits.
  static func isAddress(_ name: String) -> Bool {
    var address = in6_addr()
    return inet_pton(AF_INET, name, &address) == 1 || inet_pton(AF_INET6, name, &address) == 1
  }

  static func bracketed(_ address: String) -> String { address.contains(":") ? "[\(address)]" : address }
}
