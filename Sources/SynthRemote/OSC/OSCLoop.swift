import CSynthALSA
import Glibc
import SynthKit
import SynthRealtime

/// What the thread of an OSC server works with.
struct OSCLoop {
  static let end: eventfd_t = 1 << 40
  /// The most peers that are served at once.
  static let peerLimit = 32
  private static let packetLimit = 65536
  /// The most packets that are read of each socket before peers are told something.
  private static let packetsPerTurn = 32

  private let surface: ControlSurface
  private let udp: Int32
  private let local: Int32?
  private let wakeSignal: Int32
  private let token: WebToken?
  private let isOfThisMachine: @Sendable ([UInt8]) -> Bool
  private let memory: UInt64
  private var peers: [OSCPeer] = []
  private var localCount = 0

  init(
    _ surface: ControlSurface, udp: Int32, local: Int32?, _ wakeSignal: Int32, _ token: WebToken?,
    isOfThisMachine: @escaping @Sendable ([UInt8]) -> Bool, memory: UInt64
  ) {
    (self.surface, self.udp, self.local, self.wakeSignal) = (surface, udp, local, wakeSignal)
    (self.token, self.isOfThisMachine, self.memory) = (token, isOfThisMachine, memory)
  }

  mutating func run() {
    let sockets = [udp] + (local.map { [$0] } ?? [])
    while true {
      var descriptors = ([wakeSignal] + sockets).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      poll(&descriptors, nfds_t(descriptors.count), peers.isEmpty ? -1 : 500)
      var wakes: eventfd_t = 0
      eventfd_read(wakeSignal, &wakes)
      if wakes >= Self.end { break }
      // Read first: the kernel is asked for their senders once for all of them.
      let packets = sockets.flatMap(Self.packets)
      var owners = UDPOwners()
      for packet in packets { serve(packet, &owners) }
      let oldest = HostClock.now - min(memory, HostClock.now)
      for peer in peers {
        peer.tell()
        if peer.heard < oldest { peer.client.close() }
      }
      peers.removeAll { $0.client.isClosed }
    }
    for peer in peers { peer.client.close() }
  }

  private static func packets(_ socket: Int32) -> [OSCPacket] {
    var packets: [OSCPacket] = []
    while packets.count < packetsPerTurn, let packet = packet(socket) { packets.append(packet) }
    return packets
  }

  /// Nil where nothing has come.
  private static func packet(_ socket: Int32) -> OSCPacket? {
    var bytes = [UInt8](repeating: 0, count: packetLimit)
    var sender = [UInt8](repeating: 0, count: MemoryLayout<sockaddr_storage>.size)
    var control = [UInt](repeating: 0, count: 16)
    let (count, message) = bytes.withUnsafeMutableBytes { bytes in
      sender.withUnsafeMutableBytes { sender in
        control.withUnsafeMutableBytes { control in
          var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
          return withUnsafeMutablePointer(to: &part) { part in
            var message = msghdr(
              msg_name: sender.baseAddress, msg_namelen: socklen_t(sender.count), msg_iov: part, msg_iovlen: 1,
              msg_control: control.baseAddress, msg_controllen: control.count, msg_flags: 0)
            return (recvmsg(socket, &message, Int32(MSG_DONTWAIT | MSG_CMSG_CLOEXEC)), message)
          }
        }
      }
    }
    guard count >= 0 else { return nil }
    let user = control.withUnsafeBytes { SocketUser.sender(in: $0.prefix(Int(message.msg_controllen))) }
    return OSCPacket(
      socket: socket, sender: Array(sender.prefix(Int(message.msg_namelen))), bytes: Array(bytes.prefix(count)),
      user: user)
  }

  private mutating func serve(_ packet: OSCPacket, _ owners: inout UDPOwners) {
    let messages = OSCMessage.messages(packet.bytes)
    guard !messages.isEmpty else { return }
    let hasToken = messages.contains { $0.isToken(token) }
    guard let peer = peer(packet, hasToken: hasToken, &owners) else { return refuse(packet) }
    peer.hear(packet, hasToken: hasToken)
    for message in messages where message.address != OSCMessage.tokenAddress || !hasToken { peer.ask(message) }
  }

  /// As long as what has come, at most: the sender's address may be another's.
  private func refuse(_ packet: OSCPacket) {
    let answer = OSCMessage("/error", .text("send /token")).packet
    if answer.count <= packet.bytes.count { packet.answer(answer) }
  }

  /// Who has sent a packet; nil where that one is not served.
  private mutating func peer(_ packet: OSCPacket, hasToken: Bool, _ owners: inout UDPOwners) -> OSCPeer? {
    let known = peers.first { $0.socket == packet.socket && $0.address == packet.sender }
    if packet.socket == local {
      // Also where somebody has changed the mode of the socket's file.
      guard SocketUser.isTrusted(packet.user) else { return nil }
      return known ?? join(packet, .trusted, as: .socket)
    }
    guard isOfThisMachine(packet.sender) else {
      return known ?? join(packet, hasToken ? .trusted : .unproved, as: .network)
    }
    if let known, known.wasJustIdentified { return known }
    let owner = owners.owner(of: packet.sender)
    // The address may have passed to another socket since.
    let isSame = known.map { $0.owner == owner && owner != nil } ?? false
    guard hasToken || owner?.isTrusted == true || isSame else {
      known?.client.close()
      return nil
    }
    if let known, isSame {
      known.identified = HostClock.now
      return known
    }
    if let known {
      known.client.close()
      peers.removeAll { $0 === known }
    }
    return join(packet, .trusted, as: .network, owner)
  }

  /// A new peer, in the place of the one that has the least standing and has been silent longest, if need be; nil where
  /// all places are taken by trusted ones.
  private mutating func join(
    _ packet: OSCPacket, _ standing: OSCPeer.Standing, as asker: Asker, _ owner: UDPOwners.Owner? = nil
  ) -> OSCPeer? {
    if peers.count >= Self.peerLimit {
      let last = peers.min { ($0.standing.rawValue, $0.heard) < ($1.standing.rawValue, $1.heard) }
      guard let last, last.standing != .trusted else { return nil }
      last.client.close()
      peers.removeAll { $0 === last }
    }
    localCount += asker == .socket ? 1 : 0
    let name = asker == .socket ? "osc client \(localCount)" : "osc \(UDPAddress.text(packet.sender))"
    let signal = wakeSignal
    guard let client = try? surface.connect(named: name, as: asker, wake: { eventfd_write(signal, 1) }) else {
      return nil
    }
    let peer = OSCPeer(packet, client, standing, owner)
    peers.append(peer)
    return peer
  }
}

/// A datagram, and where it has come from and to.
struct OSCPacket {
  let socket: Int32
  let sender: [UInt8]
  let bytes: [UInt8]
  /// Whose process has sent it, where the kernel says so: through a local socket.
  let user: uid_t?

  /// Sends a packet back. It gets lost where the sender has no address or takes nothing.
  func answer(_ bytes: [UInt8]) { Self.send(bytes, socket, to: sender) }

  static func send(_ bytes: [UInt8], _ socket: Int32, to address: [UInt8]) {
    address.withUnsafeBytes {
      guard let target = $0.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return }
      _ = sendto(socket, bytes, bytes.count, Int32(MSG_DONTWAIT), target, socklen_t($0.count))
    }
  }
}
