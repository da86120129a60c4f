import CSynthALSA
import Glibc
import SynthKit
import SynthRealtime
import SynthText

/// Lets controllers and programs steer a synthesizer by Open Sound Control over UDP, under the names that nodes and
/// commands have, and tells those that subscribe what changes.
///
/// A peer is an address with a port. It is forgotten a minute after its last message, and what it holds is released.
public final class OSCServer: Sendable {
  /// Where it listens: "127.0.0.1:9000".
  public let address: String
  private let socket: Int32
  private let wakeSignal = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
  private let thread = CheckedMutex<WorkerThread?>(nil)

  /// Begins to listen. [control thread]
  ///
  /// - Parameters:
  ///   - place: "9000", on this machine alone, or "192.168.1.5:9000"; port 0 is any that is free.
  ///   - memory: how long a peer is remembered that sends nothing, in seconds.
  /// - Throws: where the address cannot be had.
  public init(_ surface: ControlSurface, at place: String, memory: Double = 60) throws(SocketError) {
    socket = try UDPAddress.socket(at: place)
    address = UDPAddress.text(of: socket)
    var loop = OSCLoop(surface, socket, wakeSignal, memory: UInt64(max(0, memory) * 1e9))
    do throws(WorkerThreadError) {
      let worker = try WorkerThread(named: "osc", stackSize: WorkerThread.smallStack) { loop.run() }
      thread.withLock { $0 = worker }
    } catch {
      close(socket)
      close(wakeSignal)
      throw SocketError("serving", place, error.description)
    }
  }

  deinit { stop() }

  /// Forgets all peers. [control thread]
  public func stop() {
    let worker = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    guard let worker else { return }
    // The loop ends at a count that no wake of a client reaches.
    eventfd_write(wakeSignal, OSCLoop.end)
    worker.join()
    close(socket)
    close(wakeSignal)
  }
}

/// What the thread works with.
private struct OSCLoop {
  static let end: eventfd_t = 1 << 40
  /// As many are served at once; who is next has to wait until one has been forgotten.
  private static let peerLimit = 32
  private static let packetLimit = 65536
  /// As many packets are read before peers are told something.
  private static let packetsPerTurn = 64

  private let surface: ControlSurface
  private let socket: Int32
  private let wakeSignal: Int32
  private let memory: UInt64
  private var peers: [OSCPeer] = []

  init(_ surface: ControlSurface, _ socket: Int32, _ wakeSignal: Int32, memory: UInt64) {
    (self.surface, self.socket, self.wakeSignal, self.memory) = (surface, socket, wakeSignal, memory)
  }

  mutating func run() {
    while true {
      var descriptors = [wakeSignal, socket].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      poll(&descriptors, 2, peers.isEmpty ? -1 : 500)
      var wakes: eventfd_t = 0
      eventfd_read(wakeSignal, &wakes)
      if wakes >= Self.end { break }
      for _ in 0..<Self.packetsPerTurn { guard receive() else { break } }
      let oldest = HostClock.now - min(memory, HostClock.now)
      for peer in peers {
        peer.tell(socket)
        if peer.heard < oldest { peer.client.close() }
      }
      peers.removeAll { $0.client.isClosed }
    }
    for peer in peers { peer.client.close() }
  }

  /// Reads a packet; false for none.
  private mutating func receive() -> Bool {
    var packet = [UInt8](repeating: 0, count: Self.packetLimit)
    var sender = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let count = withUnsafeMutablePointer(to: &sender) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        recvfrom(socket, &packet, packet.count, Int32(MSG_DONTWAIT), $0, &size)
      }
    }
    guard count >= 0 else { return false }
    let address = withUnsafeBytes(of: sender) { Array($0.prefix(Int(size))) }
    let messages = OSCMessage.messages(packet[..<count])
    guard !messages.isEmpty, let peer = peer(at: address) else { return true }
    for message in messages { peer.ask(message, socket) }
    return true
  }

  private mutating func peer(at address: [UInt8]) -> OSCPeer? {
    if let peer = peers.first(where: { $0.address == address }) { return peer }
    guard peers.count < Self.peerLimit else { return nil }
    let signal = wakeSignal
    let client = try? surface.connect(named: "osc \(UDPAddress.text(address))", as: .network) { eventfd_write(signal, 1) }
    guard let client else { return nil }
    let peer = OSCPeer(address, client)
    peers.append(peer)
    return peer
  }
}

/// One who sends OSC, on the server's thread.
private final class OSCPeer {
  let address: [UInt8]
  let client: SurfaceClient
  private(set) var heard = HostClock.now

  init(_ address: [UInt8], _ client: SurfaceClient) { (self.address, self.client) = (address, client) }

  /// A datagram may get lost, and one too many does.
  func ask(_ message: OSCMessage, _ socket: Int32) {
    heard = HostClock.now
    do throws(OSCProblem) {
      guard let request = try message.request(), client.mayAsk else { return }
      client.ask(Array(request.description.utf8))
    } catch {
      send(OSCMessage("/error", .text("\(error)")), socket)
    }
  }

  func tell(_ socket: Int32) {
    while let line = client.take() {
      guard let value = try? JSONValue(parsing: Array(line.utf8)) else { continue }
      for message in OSCMessage.messages(of: value) { send(message, socket) }
    }
  }

  private func send(_ message: OSCMessage, _ socket: Int32) {
    let packet = message.packet
    address.withUnsafeBytes { bytes in
      guard let target = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return }
      _ = sendto(socket, packet, packet.count, Int32(MSG_DONTWAIT), target, socklen_t(bytes.count))
    }
  }
}
