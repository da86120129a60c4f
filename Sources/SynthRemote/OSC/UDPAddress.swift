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
  static func text(of socket: Int32) -> String {
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &size) }
    }
    return text(withUnsafeBytes(of: address) { Array($0.prefix(Int(size))) })
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
