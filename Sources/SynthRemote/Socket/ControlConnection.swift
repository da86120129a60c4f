import Glibc
import SynthText

/// A program's connection to a running synth, as `synth ctl` has it: requests are sent, lines awaited. [control thread]
public final class ControlConnection {
  /// What is told of longer than this is no synth.
  private static let lineLimit = 64 << 20

  private let descriptor: Int32
  private let path: String
  private var incoming: ArraySlice<UInt8> = []

  /// Connects, and reads the greeting.
  ///
  /// - Parameter path: nil for `SocketPath.standard`.
  public init(path: String? = nil) throws(SocketError) {
    if let path { self.path = path } else { self.path = try SocketPath.standard() }
    descriptor = try SocketPath.connect(to: self.path)
    let greeting = try next()
    guard greeting?["protocol"] != nil else {
      throw SocketError("connecting to", self.path, "what listens there is no synth")
    }
  }

  deinit { close(descriptor) }

  /// Sends a request, without waiting for its answer.
  public func send(_ request: JSONValue) throws(SocketError) {
    var bytes = Array("\(request)\n".utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SocketError("asking", path, "the connection was lost") }
      bytes = bytes.dropFirst(count)
    }
  }

  /// Sends a request, and waits for its answer.
  public func ask(_ member: String, _ value: JSONValue, _ others: [(String, JSONValue)] = []) throws(SocketError)
    -> JSONValue
  {
    try send(.object([("id", .number(1)), (member, value)] + others))
    while let line = try next() { if line["id"] != nil { return line } }
    throw SocketError("asking", path, "synth has ended")
  }

  /// The next line; nil once the connection has ended.
  public func next() throws(SocketError) -> JSONValue? {
    while true {
      if let end = incoming.firstIndex(of: 0x0A) {
        let line = Array(incoming[..<end])
        incoming = incoming[(end + 1)...]
        guard let value = try? JSONValue(parsing: line) else {
          throw SocketError("reading what synth tells at", path, "it is no JSON")
        }
        return value
      }
      guard incoming.count < Self.lineLimit else {
        throw SocketError("reading from", path, "what listens there is no synth")
      }
      var piece = [UInt8](repeating: 0, count: 65536)
      let count = recv(descriptor, &piece, piece.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      incoming += piece[..<count]
    }
  }
}
