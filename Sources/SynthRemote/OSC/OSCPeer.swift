import SynthKit
import SynthRealtime

/// One who sends OSC, on the server's thread.
///
/// The source of a datagram can be forged. As long as a peer has not shown that it receives at its address, it gets at
/// most as many bytes as came from there (RFC 9000, section 8, with a factor of 1 in place of 3): this server cannot be
/// made to flood another machine.
final class OSCPeer {
  enum Standing: Int {
    /// Has shown nothing yet.
    case unproved
    /// Receives what is sent to its address.
    case proved
    /// Has the token, is a process of this user's, or uses the local socket.
    case trusted
  }

  /// For how long a process of this machine that was looked up is taken for the same, in nanoseconds. A look costs up
  /// to a millisecond.
  private static let identity: UInt64 = 100_000_000

  let socket: Int32
  let address: [UInt8]
  let client: SurfaceClient
  /// The socket that sends, where it is of this machine and could be found.
  let owner: UDPOwners.Owner?
  var identified = HostClock.now
  private(set) var standing: Standing
  private(set) var heard = HostClock.now
  /// What it has to send back.
  private var number = Int32.random(in: 1 ... .max)
  /// The bytes that may still be sent to an address that is not proved.
  private var credit = 0

  init(_ packet: OSCPacket, _ client: SurfaceClient, _ standing: Standing, _ owner: UDPOwners.Owner?) {
    (socket, address, self.client) = (packet.socket, packet.sender, client)
    (self.standing, self.owner) = (standing, owner)
  }

  var wasJustIdentified: Bool { HostClock.now < identified + Self.identity }

  func hear(_ packet: OSCPacket, hasToken: Bool) {
    heard = HostClock.now
    credit = min(credit + packet.bytes.count, 1 << 20)
    if hasToken { standing = .trusted }
  }

  /// A datagram may get lost, and one too many does.
  func ask(_ message: OSCMessage) {
    switch message.address {
    case OSCMessage.proofAddress: return prove(message)
    case OSCMessage.tokenAddress: return send(OSCMessage("/error", .text("wrong token")))
    // What is told without being asked for is never within what came.
    case "/subscribe" where standing == .unproved: return askForProof()
    default: break
    }
    do {
      guard let request = try message.request(), client.mayAsk else { return }
      client.ask(request, id: message.id)
    } catch {
      send(OSCMessage("/error", .text("\(error)")))
    }
  }

  private func prove(_ message: OSCMessage) {
    guard standing == .unproved else { return }
    if message.values == [.number(Double(number))] {
      standing = .proved
    } else {
      // One guess for each number.
      number = Int32.random(in: 1 ... .max)
      askForProof()
    }
  }

  private func askForProof() { send(OSCMessage.proof(number)) }

  func tell() {
    while let news = client.take() {
      for message in OSCMessage.messages(of: news) { send(message.shown(to: client.asker)) }
    }
  }

  private func send(_ message: OSCMessage) { send(message.packet) }

  private func send(_ packet: [UInt8]) {
    if standing == .unproved {
      guard packet.count <= credit else { return }
      credit -= packet.count
    }
    OSCPacket.send(packet, socket, to: address)
  }
}

extension OSCMessage {
  static let tokenAddress = "/token"
  static let proofAddress = "/prove"

  /// Whether it has the token.
  func isToken(_ token: WebToken?) -> Bool {
    guard let token, address == Self.tokenAddress, case .text(let text) = values.first else { return false }
    return token.matches(text[...])
  }

  /// A number to send back: 16 bytes, no more than the shortest `/subscribe` has.
  static func proof(_ number: Int32) -> [UInt8] {
    Array("\(proofAddress)\0\0,i\0\0".utf8) + withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }
}
