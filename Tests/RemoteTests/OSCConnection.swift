import Glibc
import Testing

@testable import SynthRemote

/// One who sends and gets OSC.
final class OSCConnection {
  private let socket: Int32

  init(_ server: OSCServer) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = try #require(UInt16(server.address.split(separator: ":")[1])).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let code = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, 16) }
    }
    #expect(code == 0)
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(socket) }

  func send(_ address: String, _ values: OSCMessage.Value...) { send(OSCMessage(address, values).packet) }

  func send(_ packet: [UInt8]) { _ = Glibc.send(socket, packet, packet.count, 0) }

  /// The next message; nil after ten seconds.
  func next() -> OSCMessage? {
    var packet = [UInt8](repeating: 0, count: 65536)
    let count = recv(socket, &packet, packet.count, 0)
    return count > 0 ? OSCMessage.messages(packet[..<count]).first : nil
  }

  /// The next message to an address, others left out.
  func next(_ address: String) -> OSCMessage? {
    while let message = next() { if message.address == address { return message } }
    return nil
  }
}
