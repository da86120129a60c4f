import Glibc

/// Addresses of UDP, as people write them.
enum UDPAddress {
  /// A socket that listens at "9000", on this machine alone, or at "192.168.1.5:9000" or "[::1]:9000".
  static func socket(at place: String) throws(SocketError) -> Int32 {
    let colon = place.lastIndex(of: ":")
    let host = colon.map { String(place[..<$0].drop { $0 == "[" }.prefix { $0 != "]" }) } ?? "127.0.0.1"
    let port = colon.map { String(place[place.index(after: $0)...]) } ?? place
    guard let number = UInt16(port) else {
      throw SocketError("listening at", place, "give a port from 0 to 65535, or an address and a port")
    }
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_PASSIVE
    hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, "\(number)", &hints, &found) == 0, let address = found?.pointee else {
      throw SocketError("listening at", place, "give an address in numbers, as in 192.168.1.5:9000")
    }
    defer { freeaddrinfo(found) }
    let socket = Glibc.socket(
      address.ai_family, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), address.ai_protocol)
    guard socket >= 0, bind(socket, address.ai_addr, address.ai_addrlen) == 0 else {
      let code = errno
      close(socket)
      throw SocketError("listening at", place, "\(SocketPath.text(code)); choose another address or port")
    }
    return socket
  }

  /// Where a socket listens.
  static func text(of socket: Int32) -> String { text(bytes(of: socket)) }

  static func bytes(of socket: Int32) -> [UInt8] {
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &size) }
    }
    return withUnsafeBytes(of: address) { Array($0.prefix(Int(size))) }
  }

  /// The host, in 4 or 16 bytes, and the port of an address in memory; nil for another kind. One of IPv4 that came by
  /// IPv6 has 4.
  static func parts(_ address: [UInt8]) -> (host: [UInt8], port: UInt16)? {
    guard address.count >= MemoryLayout<sockaddr_in>.size else { return nil }
    let (family, port) = address.withUnsafeBytes {
      ($0.loadUnaligned(as: sa_family_t.self), UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
    }
    // Behind the port come the address, or 4 bytes of flow and then the address.
    switch Int32(family) {
    case AF_INET: return (Array(address[4..<8]), port)
    case AF_INET6 where address.count >= 24:
      let host = Array(address[8..<24])
      return (host.starts(with: mappedPrefix) ? Array(host.suffix(4)) : host, port)
    default: return nil
    }
  }

  private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

  /// Whether only this machine has the address.
  static func isLoopback(_ address: [UInt8]) -> Bool {
    guard let host = parts(address)?.host else { return false }
    return host.count == 4 ? host[0] == 127 : host == [UInt8](repeating: 0, count: 15) + [1]
  }

  /// An address in memory: "127.0.0.1:9000".
  static func text(_ address: [UInt8]) -> String {
    var (host, port) = ([CChar](repeating: 0, count: 64), [CChar](repeating: 0, count: 16))
    let code = address.withUnsafeBytes { bytes in
      getnameinfo(
        bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count), &host, 64, &port, 16,
        NI_NUMERICHOST | NI_NUMERICSERV)
    }
    guard code == 0 else { return "unknown" }
    let name = host.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    return (name.contains(":") ? "[\(name)]" : name) + ":"
      + port.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }
}
