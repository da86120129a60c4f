import CSynthALSA
import Glibc
import SynthMIDI
import SynthRealtime

/// Where clients and the surface's owner meet. [any thread]
final class SurfaceDesk: Sendable {
  private static let clientLimit = 256

  /// Whose parameters clients set on their own threads.
  let synthesizer: Synthesizer
  let keys: VirtualSource
  let release: String
  /// In nanoseconds.
  let patience: UInt64
  let wakeDescriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
  private let start = HostClock.now
  private let state = CheckedMutex(State())

  /// A request that waits for the owner.
  struct Asked: Sendable {
    let client: SurfaceClient
    let request: SurfaceRequest
    let id: SurfaceRequest.ID?
  }

  private struct State: Sendable {
    var clients: [SurfaceClient] = []
    var requests: [Asked] = []
    var clientCount: UInt32 = 0
  }

  init(_ synthesizer: Synthesizer, keys: VirtualSource, release: String, patience: UInt64) {
    (self.synthesizer, self.keys, self.release, self.patience) = (synthesizer, keys, release, patience)
  }

  deinit { Glibc.close(wakeDescriptor) }

  /// In seconds since the surface was made.
  var time: Double { Double(HostClock.now - start) / 1e9 }

  var clients: [SurfaceClient] { state.withLock { $0.clients } }

  func connect(
    named name: String, as asker: Asker, wake: @escaping @Sendable () -> Void
  ) throws(SurfaceError) -> SurfaceClient {
    let client: SurfaceClient? = state.withLock { state in
      guard state.clients.count < Self.clientLimit else { return nil }
      state.clientCount += 1
      let client = SurfaceClient(name, as: asker, number: state.clientCount, self, wake: wake)
      state.clients.append(client)
      return client
    }
    guard let client else { throw .tooManyClients(limit: Self.clientLimit) }
    return client
  }

  func remove(_ client: SurfaceClient) {
    state.withLock { state in
      state.clients.removeAll { $0 === client }
      state.requests.removeAll { $0.client === client }
    }
  }

  /// Releases what a client holds down.
  func letGo(_ port: MIDIPort, hasPlayed: Bool) { if hasPlayed { keys.deliver(.fellSilent(port)) } }

  func add(_ request: Asked) {
    state.withLock { $0.requests.append(request) }
    wakeOwner()
  }

  func takeRequests() -> [Asked] {
    state.withLock { state in
      defer { state.requests = [] }
      return state.requests
    }
  }

  /// Keeps requests, before those that came since, for the next turn.
  func putBack(_ requests: ArraySlice<Asked>) {
    guard !requests.isEmpty else { return }
    state.withLock { $0.requests = requests + $0.requests }
    wakeOwner()
  }

  func wakeOwner() { eventfd_write(wakeDescriptor, 1) }

  /// Takes back what has woken the owner.
  func quiet() {
    var count: eventfd_t = 0
    eventfd_read(wakeDescriptor, &count)
  }
}
