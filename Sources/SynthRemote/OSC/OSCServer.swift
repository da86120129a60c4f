import CSynthALSA
import Glibc
import SynthKit
import SynthRealtime

/// Lets controllers and programs steer a synthesizer by Open Sound Control, under the names that nodes and commands
/// have, and tells those that subscribe what changes.
///
/// Datagrams come over UDP, where anybody may claim to be anybody, and through a local socket that only this user may
/// write to. `docs/control.md` has who is served. A peer is an address with a port. It is forgotten a minute after its
/// last message, and what it holds is released.
public final class OSCServer: Sendable {
  /// Where it listens: "127.0.0.1:9000".
  public let address: String
  /// The local socket; nil where none was asked for.
  public var localPath: String? { file?.path }
  private let file: SocketFile?
  private let sockets: [Int32]
  private let wakeSignal: Int32
  private let thread = CheckedMutex<WorkerThread?>(nil)

  /// Begins to listen, without a token and a local socket. [control thread]
  ///
  /// - Parameters:
  ///   - place: "9000", on this machine alone, or "192.168.1.5:9000"; port 0 is any that is free.
  ///   - memory: how long a peer is remembered that sends nothing, in seconds.
  /// - Throws: where the address cannot be used.
  public convenience init(_ surface: ControlSurface, at place: String, memory: Double = 60) throws(SocketError) {
    try self.init(surface, at: place, token: nil, localPath: nil, memory: memory)
  }

  /// Begins to listen. [control thread]
  ///
  /// - Parameters:
  ///   - place: "9000", on this machine alone, or "192.168.1.5:9000"; port 0 is any that is free.
  ///   - token: what lets a peer in that the kernel does not know to be this user's; nil to let none of them in.
  ///   - localPath: of the socket for this user's programs; where another process listens there, one with this
  ///     process's number is taken. Nil for none.
  ///   - memory: how long a peer is remembered that sends nothing, in seconds.
  /// - Throws: where the address or the path cannot be used.
  public convenience init(
    _ surface: ControlSurface, at place: String, token: WebToken?, localPath: String?, memory: Double = 60
  ) throws(SocketError) {
    try self.init(surface, at: place, token: token, localPath: localPath, memory: memory, isOfThisMachine: nil)
  }

  /// - Parameter isOfThisMachine: whether an address is of this machine, where its processes' users can be found out.
  init(
    _ surface: ControlSurface, at place: String, token: WebToken?, localPath: String?, memory: Double,
    isOfThisMachine: (@Sendable ([UInt8]) -> Bool)?
  ) throws(SocketError) {
    let udp = try UDPAddress.socket(at: place)
    address = UDPAddress.text(of: udp)
    // Whatever address a packet has, only this machine can send it to loopback.
    let isLoopback = UDPAddress.isLoopback(UDPAddress.bytes(of: udp))
    do throws(SocketError) {
      let local = try localPath.map { path throws(SocketError) in try SocketPath.claim(path, datagrams: true) }
      (file, sockets) = (local?.file, [udp] + (local.map { [$0.descriptor] } ?? []))
    } catch {
      close(udp)
      throw error
    }
    wakeSignal = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    var loop = OSCLoop(
      surface, udp: udp, local: sockets.dropFirst().first, wakeSignal, token,
      isOfThisMachine: isOfThisMachine ?? { isLoopback || UDPAddress.isLoopback($0) },
      memory: HostClock.nanoseconds(memory))
    do throws(WorkerThreadError) {
      let worker = try WorkerThread(named: "osc", stackSize: WorkerThread.smallStack) { loop.run() }
      thread.withLock { $0 = worker }
    } catch {
      release()
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
    release()
  }

  private func release() {
    for socket in sockets + [wakeSignal] { close(socket) }
    file?.remove()
  }
}
