import CSynthALSA
import Glibc
import SynthKit
import SynthRealtime

/// Lets programs of this user control a synthesizer, through a local socket: lines of JSON, as `docs/control.md` has
/// them.
///
/// One thread serves all connections and waits for none of them. A client that sends what is no request or a line
/// without end, or takes nothing, is told so where that is possible, and disconnected.
public final class SocketServer: Sendable {
  /// Where it listens.
  public var path: String { file.path }
  private let file: SocketFile
  private let listener: Int32
  private let wakeSignal: Int32
  private let thread = CheckedMutex<WorkerThread?>(nil)

  /// Begins to listen. [control thread]
  ///
  /// - Parameters:
  ///   - path: nil for `SocketPath.standard`, and where another synth listens there, one with this process's number.
  ///   - patience: how long a line may take to come, or to be taken, in seconds.
  /// - Throws: where nothing can be listened to, or another process listens at `path`.
  public init(_ surface: ControlSurface, at path: String? = nil, patience: Double = 10) throws(SocketError) {
    if let path {
      guard let socket = try SocketPath.listen(at: path) else {
        throw SocketError("listening at", path, "another synth does; choose another path")
      }
      (listener, file) = (socket, SocketFile(path))
    } else {
      (listener, file) = try SocketPath.claim(try SocketPath.standard(makesDirectory: true))
    }
    wakeSignal = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    var loop = SocketLoop(
      surface, listener: listener, wakeSignal: wakeSignal, patience: HostClock.nanoseconds(patience))
    do throws(WorkerThreadError) {
      let worker = try WorkerThread(named: "socket", stackSize: WorkerThread.smallStack) { loop.run() }
      thread.withLock { $0 = worker }
    } catch {
      // What `deinit` does is not done where `init` throws.
      close(listener)
      close(wakeSignal)
      file.remove()
      throw SocketError("serving", file.path, error.description)
    }
  }

  deinit { stop() }

  /// Disconnects all, and removes the socket. [control thread]
  public func stop() {
    let worker = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    guard let worker else { return }
    // The loop ends at the listener's end.
    shutdown(listener, Int32(SHUT_RDWR))
    eventfd_write(wakeSignal, 1)
    worker.join()
    close(listener)
    close(wakeSignal)
    file.remove()
  }
}

/// What the thread works with.
private struct SocketLoop {
  /// Half of the surface's clients: pages and OSC peers have the others.
  private static let connectionLimit = 128

  private let surface: ControlSurface
  private let listener: Int32
  private let wakeSignal: Int32
  private let patience: UInt64
  private let writer = LineWriter()
  private var connections: [SocketConnection] = []
  private var count = 0

  init(_ surface: ControlSurface, listener: Int32, wakeSignal: Int32, patience: UInt64) {
    (self.surface, self.listener) = (surface, listener)
    (self.wakeSignal, self.patience) = (wakeSignal, patience)
  }

  mutating func run() {
    while true {
      var descriptors = [
        pollfd(fd: wakeSignal, events: Int16(POLLIN), revents: 0),
        pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
      ]
      descriptors += connections.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
      // Time passes for those that wait for something only.
      poll(&descriptors, nfds_t(descriptors.count), connections.contains { $0.isWaiting } ? 500 : -1)
      var wakes: eventfd_t = 0
      eventfd_read(wakeSignal, &wakes)
      if descriptors[1].revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 { break }
      let asked = zip(connections, descriptors.dropFirst(2).map(\.revents))
      // Those who ask are served before those who listen, which may be many.
      for isAsking in [true, false] {
        for (connection, events) in asked where (events & Int16(POLLIN) != 0) == isAsking {
          connection.turn(events, patience: patience)
        }
      }
      connections.removeAll { $0.isOver }
      if descriptors[1].revents & Int16(POLLIN) != 0 { accept() }
    }
    for connection in connections {
      // What has been answered is still told.
      connection.turn(0, patience: patience)
      connection.end()
    }
  }

  /// Makes room: of those that have never asked for anything, the one that has been connected longest is dropped.
  private mutating func dropSilent() -> Bool {
    guard let place = connections.firstIndex(where: \.isSilent) else { return false }
    connections.remove(at: place).end()
    return true
  }

  private mutating func accept() {
    let socket = Glibc.accept(listener, nil, nil)
    guard socket >= 0 else {
      // Without a free descriptor it would be ready at once again.
      if errno != EAGAIN, errno != ECONNABORTED { usleep(50_000) }
      return
    }
    _ = (fcntl(socket, F_SETFL, O_NONBLOCK), fcntl(socket, F_SETFD, FD_CLOEXEC))
    // Also where somebody has changed the mode of the socket's file.
    guard SocketUser.isTrusted(SocketUser.connected(to: socket)) else {
      return SocketConnection.refuse(socket, "this synth is another user's")
    }
    count += 1
    if connections.count >= Self.connectionLimit, !dropSilent() {
      return SocketConnection.refuse(socket, "\(Self.connectionLimit) clients are connected")
    }
    do throws(SurfaceError) {
      let signal = wakeSignal
      let client = try surface.connect(named: "client \(count)", as: .socket) { eventfd_write(signal, 1) }
      connections.append(SocketConnection(socket, client, writer))
    } catch {
      SocketConnection.refuse(socket, "\(error)")
    }
  }
}
