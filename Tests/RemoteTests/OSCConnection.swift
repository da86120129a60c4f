import Glibc
import Testing

@testable import SynthRemote

/// One who sends and gets OSC.
final class OSCConnection {
  private let socket: Int32

  /// - Parameter source: the last number of the address in 127.0.0.0/24 that it sends from.
  init(_ server: OSCServer, from source: UInt8 = 1) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    let port = try #require(UInt16(server.address.split(separator: ":")[1]))
    #expect(Self.with(0x7F00_0000 | UInt32(source), 0) { bind(socket, $0, 16) } == 0)
    #expect(Self.with(0x7F00_0001, port) { connect(socket, $0, 16) } == 0)
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(socket) }

  private static func with(_ host: UInt32, _ port: UInt16, _ body: (UnsafePointer<sockaddr>) -> Int32) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = host.bigEndian
    return withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0) }
    }
  }

  func send(_ address: String, _ values: OSCMessage.Value...) { send(OSCMessage(address, values).packet) }

  func send(_ packet: [UInt8]) { _ = Glibc.send(socket, packet, packet.count, 0) }

  /// The next message; nil after ten seconds.
  func next() -> OSCMessage? {
    var packet = [UInt8](repeating: 0, count: 65536)
    let count = recv(socket, &packet, packet.count, 0)
    return count > 0 ? OSCMessage.messages(packet[..<count]).first : nil
  }

  /// All packets that have come.
  func waiting() -> [[UInt8]] {
    var packets: [[UInt8]] = []
    var packet = [UInt8](repeating: 0, count: 65536)
    while case let count = recv(socket, &packet, packet.count, Int32(MSG_DONTWAIT)), count > 0 {
      packets.append(Array(packet[..<count]))
    }
    return packets
  }

  /// The next message to an address, others left out.
  func next(_ address: String) -> OSCMessage? {
    while let message = next() { if message.address == address { return message } }
    return nil
  }
}
