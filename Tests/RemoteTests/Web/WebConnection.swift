import Glibc

/// A connection to a server on this machine that says just what a test says, and knows a WebSocket's frames (RFC 6455).
final class WebConnection {
  struct Ended: Error {}

  struct Frame: Equatable {
    var opcode: UInt8
    var bytes: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }
    /// Of one that closes.
    var status: Int { bytes.count < 2 ? 0 : Int(bytes[0]) << 8 | Int(bytes[1]) }
  }

  private let descriptor: Int32
  private var incoming: [UInt8] = []

  init(to port: UInt16, from source: UInt8 = 1) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let isConnected =
      Self.with(0x7F00_0000 | UInt32(source), 0) { bind(descriptor, $0, $1) } == 0
      && Self.with(0x7F00_0001, port) { Glibc.connect(descriptor, $0, $1) } == 0
    guard isConnected else { throw Ended() }
  }

  private static func with(
    _ host: UInt32, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = in_addr_t(host).bigEndian
    return withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
  }

  deinit { close(descriptor) }

  static func request(_ start: String = "GET / HTTP/1.1", _ headers: String...) -> String {
    ([start] + headers).joined(separator: "\r\n") + "\r\n\r\n"
  }

  static func handshake(
    _ port: UInt16, host: String? = nil, origin: String? = nil, protocols: String = "synth.1", token: String? = nil,
    path: String = "/socket"
  ) -> String {
    let host = host ?? "127.0.0.1:\(port)"
    return request(
      "GET \(path) HTTP/1.1", "Host: \(host)", "Origin: \(origin ?? "http://\(host)")", "Upgrade: websocket",
      "Connection: keep-alive, Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      "Sec-WebSocket-Protocol: \(protocols)\(token.map { ", token.\($0)" } ?? "")")
  }

  func send(_ text: String) throws { try send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { throw Ended() }
      rest = rest.dropFirst(count)
    }
  }

  /// A masked frame; its length may be told as another than it is.
  func send(frame text: String, opcode: UInt8 = 1, isFinal: Bool = true, told: Int? = nil) throws {
    let bytes = Array(text.utf8)
    let count = told ?? bytes.count
    var head: [UInt8] = [(isFinal ? 0x80 : 0) | opcode]
    switch count {
    case ..<126: head.append(0x80 | UInt8(count))
    case ..<65536: head += [0x80 | 126, UInt8(count >> 8), UInt8(count & 255)]
    default: head += [0x80 | 127] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
    }
    let mask: [UInt8] = [1, 2, 3, 4]
    try send(head + mask + bytes.enumerated().map { $1 ^ mask[$0 % 4] })
  }

  /// The lines up to the empty one, of an answer.
  func head() throws -> String {
    let end = Array("\r\n\r\n".utf8)
    while true {
      if let found = incoming.firstRange(of: end) {
        defer { incoming.removeFirst(found.upperBound) }
        return String(decoding: incoming[..<found.upperBound], as: UTF8.self)
      }
      try receive()
    }
  }

  /// The status of an answer; 0 where the connection ends without one.
  func status() -> Int {
    guard let line = try? head().split(separator: "\r\n").first else { return 0 }
    return Int(line.split(separator: " ").dropFirst().first ?? "") ?? 0
  }

  func body(_ count: Int) throws -> String {
    while incoming.count < count { try receive() }
    defer { incoming.removeFirst(count) }
    return String(decoding: incoming[..<count], as: UTF8.self)
  }

  /// The next frame that a server sends, pings left out.
  func frame() throws -> Frame {
    while true {
      while incoming.count < 2 { try receive() }
      var (count, start) = (Int(incoming[1] & 0x7F), 2)
      if count >= 126 {
        let size = count == 126 ? 2 : 8
        while incoming.count < 2 + size { try receive() }
        count = incoming[2..<(2 + size)].reduce(0) { $0 << 8 | Int($1) }
        start = 2 + size
      }
      while incoming.count < start + count { try receive() }
      let frame = Frame(opcode: incoming[0] & 0x0F, bytes: Array(incoming[start..<(start + count)]))
      incoming.removeFirst(start + count)
      if frame.opcode != 9 { return frame }
    }
  }

  /// The next message that holds some text.
  func message(with text: String) throws -> String {
    while true {
      let frame = try frame()
      guard frame.opcode == 1 else { throw Ended() }
      if frame.text.contains(text) { return frame.text }
    }
  }

  /// Says that nothing more will be sent.
  func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Waits until the other side ends.
  func end() {
    while (try? receive()) != nil { incoming = [] }
  }

  private func receive() throws {
    var piece = [UInt8](repeating: 0, count: 65536)
    let count = recv(descriptor, &piece, piece.count, 0)
    guard count > 0 else { throw Ended() }
    incoming += piece[..<count]
  }
}
