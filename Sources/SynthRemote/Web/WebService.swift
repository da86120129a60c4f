import CSynthWebSockets
@preconcurrency import Glibc
import Synchronization
import SynthKit
import SynthRealtime

/// What the C side calls, and what it needs in memory while it serves. Clients belong to the server's thread.
final class WebService: @unchecked Sendable {
  private let surface: ControlSurface
  private let gate: WebGate
  private let memory: Memory
  private let isStopping = Atomic(false)
  /// Guards the server against a client's `wake` after its end.
  private let server = CheckedMutex<Server?>(nil)
  private var clients: [UInt64: Client] = [:]
  private let writer = LineWriter()

  private struct Client {
    let surface: SurfaceClient
    /// After a message that is no request: the error is sent, and no more is read.
    var isEnding = false
    /// What did not fit when it was asked for.
    var waiting: String?
  }

  /// The C server, which any thread may wake.
  private struct Server: @unchecked Sendable { let pointer: OpaquePointer }

  init(
    _ surface: ControlSurface, _ address: WebAddress, _ gate: WebGate, _ page: WebPage, _ limits: WebLimits
  ) throws(WebError) {
    self.surface = surface
    self.gate = gate
    memory = Memory(address, page, limits)
    memory.handlers.initialize(to: Self.handlers(Unmanaged.passUnretained(self).toOpaque()))
    var error: Int32 = 0
    guard let pointer = web_server_create(memory.settings, memory.handlers, &error) else {
      switch error {
      case -EADDRINUSE: throw .inUse(address)
      case -ELIBACC: throw .noLibrary
      default: throw .refused(address, String(cString: strerror(-error)))
      }
    }
    server.withLock { $0 = Server(pointer: pointer) }
  }

  var port: UInt16 { server.withLock { $0.map { web_server_port($0.pointer) } ?? 0 } }

  /// Serves until `stop`. On a thread that does nothing else.
  func run() {
    while !isStopping.load(ordering: .acquiring), let present = server.withLock({ $0 }) {
      web_server_turn(present.pointer)
    }
    destroy()
  }

  func stop() {
    isStopping.store(true, ordering: .releasing)
    wake()
  }

  func destroy() {
    // Out of the lock: the clients that depart may wake the server.
    let last = server.withLock { present in
      defer { present = nil }
      return present
    }
    if let last { web_server_destroy(last.pointer) }
  }

  func wake() { server.withLock { if let present = $0 { web_server_wake(present.pointer) } } }

  // MARK: - What the C side calls

  private func joined(_ number: UInt64) -> Bool {
    let wake: @Sendable () -> Void = { [weak self] in self?.wake() }
    guard let client = try? surface.connect(named: "page \(number)", as: .page, wake: wake) else { return false }
    clients[number] = Client(surface: client)
    return true
  }

  private func departed(_ number: UInt64) { clients.removeValue(forKey: number)?.surface.close() }

  private func received(_ message: UnsafeRawBufferPointer, from number: UInt64) {
    guard let client = clients[number], !client.isEnding else { return }
    if !client.surface.ask(json: message) { clients[number]?.isEnding = true }
  }

  private func isReady(_ number: UInt64) -> Bool {
    clients[number].map { $0.surface.mayAsk && !$0.isEnding } ?? false
  }

  private func next(_ number: UInt64, _ room: UnsafeMutableRawBufferPointer) -> Int64 {
    guard let client = clients[number], !client.surface.isClosed else { return -2 }
    guard var text = client.waiting ?? writer.line(for: client.surface) else { return client.isEnding ? -2 : -1 }
    let fits = text.utf8.count <= room.count
    clients[number]?.waiting = fits ? nil : text
    if fits { text.withUTF8 { room.copyBytes(from: $0) } }
    return Int64(text.utf8.count)
  }

  private static func handlers(_ context: UnsafeMutableRawPointer) -> web_handlers {
    func service(_ context: UnsafeMutableRawPointer?) -> WebService {
      Unmanaged<WebService>.fromOpaque(context!).takeUnretainedValue()
    }
    return web_handlers(
      context: context,
      check: { context, request, reason in
        guard let request = request?.pointee else { return 400 }
        let refusal = service(context).gate.refusal(
          of: WebGate.Request(
            path: String(cString: request.path), host: String(cString: request.host),
            origin: String(cString: request.origin), protocols: String(cString: request.protocols),
            isWebSocket: request.is_web_socket))
        guard let refusal else { return 200 }
        reason?.pointee = UnsafeRawPointer(refusal.reason.utf8Start).assumingMemoryBound(to: CChar.self)
        return refusal.status
      },
      joined: { service($0).joined($1) },
      departed: { service($0).departed($1) },
      received: { context, number, text, count in
        service(context).received(UnsafeRawBufferPointer(start: text, count: count), from: number)
      },
      is_ready: { service($0).isReady($1) },
      next: { context, number, text, room in
        service(context).next(number, UnsafeMutableRawBufferPointer(start: text, count: room))
      })
  }

  /// What the C side reads as long as it serves.
  private final class Memory {
    let settings = UnsafeMutablePointer<web_settings>.allocate(capacity: 1)
    let handlers = UnsafeMutablePointer<web_handlers>.allocate(capacity: 1)
    private let texts: [UnsafeMutablePointer<CChar>?]
    private let page: UnsafeMutableRawBufferPointer

    init(_ address: WebAddress, _ page: WebPage, _ limits: WebLimits) {
      texts = [strdup(address.address), strdup(WebGate.protocolName), strdup(page.policy)]
      self.page = .allocate(byteCount: page.bytes.count, alignment: 1)
      self.page.copyBytes(from: page.bytes)
      settings.initialize(
        to: web_settings(
          address: texts[0], port: address.port, protocol: texts[1], page: self.page.baseAddress,
          page_size: page.bytes.count, policy: texts[2], message_limit: limits.message,
          connection_limit: limits.connections,
          address_limit: limits.connectionsOfOne, header_time: limits.headerTime))
    }

    deinit {
      settings.deallocate()
      handlers.deallocate()
      texts.forEach { free($0) }
      page.deallocate()
    }
  }
}
