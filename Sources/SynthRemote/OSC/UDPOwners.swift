import Glibc

/// Whose sockets on this machine have which UDP ports, by the kernel's tables, which are read once.
struct UDPOwners {
  struct Owner: Equatable {
    let user: uid_t
    /// Of the socket: a number that no other socket has while this one is open.
    let inode: UInt64

    var isTrusted: Bool { SocketUser.isTrusted(user) }
  }

  private struct Entry {
    let place: [UInt8]
    let owner: Owner
  }

  private lazy var entries = ["udp", "udp6"].flatMap { Self.entries("/proc/self/net/\($0)") }

  /// Whose socket sends from an address; nil where none does any more, or those of several users may.
  mutating func owner(of address: [UInt8]) -> Owner? {
    let places = Self.places(address)
    let owners = entries.filter { places.contains($0.place) }.map(\.owner)
    guard let first = owners.first, owners.allSatisfy({ $0.user == first.user }) else { return nil }
    return first
  }

  /// The ways in which the tables may have an address: as it is, and as any address of its port.
  private static func places(_ address: [UInt8]) -> [[UInt8]] {
    guard let (host, port) = UDPAddress.parts(address) else { return [] }
    // The tables have an address as words in the machine's order.
    let words = stride(from: 0, to: host.count, by: 4).map { start in
      hex(host[start..<(start + 4)].withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }, digits: 8)
    }.joined()
    var hosts = [words, zeros(32)]
    if host.count == 4 { hosts += [zeros(8), zeros(16) + hex(UInt32(0xFFFF).bigEndian, digits: 8) + words] }
    return hosts.map { Array("\($0):\(hex(UInt32(port), digits: 4))".utf8) }
  }

  private static func hex(_ number: UInt32, digits: Int) -> String {
    let text = String(number, radix: 16, uppercase: true)
    return zeros(digits - text.count) + text
  }

  private static func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }

  /// The lines of a table, as proc(5) has them; empty where it cannot be read.
  private static func entries(_ path: String) -> [Entry] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var (text, piece) = ([UInt8](), [UInt8](repeating: 0, count: 65536))
    while case let count = read(descriptor, &piece, piece.count), count > 0 { text += piece[..<count] }
    return text.split(separator: 0x0A).dropFirst().compactMap { line in
      let fields = line.split(separator: 0x20)
      guard fields.count > 9, let user = uid_t(String(decoding: fields[7], as: UTF8.self)),
        let inode = UInt64(String(decoding: fields[9], as: UTF8.self))
      else { return nil }
      return Entry(place: Array(fields[1]), owner: Owner(user: user, inode: inode))
    }
  }
}
