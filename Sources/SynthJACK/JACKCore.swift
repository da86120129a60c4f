import CSynthJACK
import CSynthRealtime
import Synchronization
import SynthRealtime

/// What a JACK output is made of, shared by its owner, its supervisor and JACK's own threads.
final class JACKCore: @unchecked Sendable {
  // Unchecked: the cycle belongs to the audio thread while a client is active, else to the supervisor.

  let request: JACKRequest
  /// Of the first server.
  let sampleRate: Int
  let clientName: String
  private let isRealtime: Bool
  let exchange = Box(JACKExchange())
  let cycle: Box<JACKCycle>
  let midi = JACKMIDIQueue()
  /// Ends the supervisor's wait: the server has gone, or the output ends.
  let wake = Semaphore()
  let news: @Sendable (JACKNews) -> Void
  private let present = CheckedMutex<JACKClient?>(nil)

  /// Opens the client, and begins the cycles.
  init(_ request: JACKRequest, news: @escaping @Sendable (JACKNews) -> Void) throws(JACKError) {
    try request.validate()
    self.request = request
    self.news = news
    cycle = Box(JACKCycle(exchange.pointer, channelCount: request.channelCount, midi))
    let client = try JACKClient(request)
    isRealtime = jack_is_realtime(client.handle) != 0
    sampleRate = client.sampleRate
    clientName = client.name
    try begin(client)
  }

  /// What the server grants a client now; without one, what it has granted last.
  func parameters(of client: JACKClient?) -> JACKParameters {
    JACKParameters(
      clientName: client?.name ?? clientName, sampleRate: sampleRate,
      period: exchange.pointer.pointee.period.load(ordering: .relaxed),
      playbackLatency: exchange.pointer.pointee.playbackLatency.load(ordering: .relaxed), isRealtime: isRealtime)
  }

  /// The client, while there is a server.
  var client: JACKClient? { present.withLock { $0 } }

  /// Calls `body` with the client, which is not closed meanwhile; `body` does not wait for the server. [control thread]
  func withClient<Result>(_ body: (JACKClient) -> Result) -> Result? { present.withLock { $0.map(body) } }

  func begin(_ client: JACKClient) throws(JACKError) {
    exchange.pointer.pointee.isServerGone.store(false, ordering: .releasing)
    present.withLock { $0 = client }
    do throws(JACKError) {
      try client.begin(self)
    } catch {
      end()
      throw error
    }
  }

  /// Closes the client; no cycle is under way afterwards.
  func end() {
    // Closed outside of the lock: JACK's threads may be waiting for it.
    let last = present.withLock { client in
      defer { client = nil }
      return client
    }
    last?.close()
  }
}

/// What happens to an output's server. [any thread]
package enum JACKNews: Sendable {
  /// The server has ended.
  case gone(JACKParameters)
  /// A server runs again, and plays.
  case back(JACKParameters)
}

/// What JACK tells a client outside of its cycles. Each callback's context is the core, which outlives the client.
enum JACKNotices {
  static func join(_ client: OpaquePointer, _ core: JACKCore) {
    let context = Unmanaged.passUnretained(core).toOpaque()
    jack_set_process_callback(client, JACKCycle.entry, UnsafeMutableRawPointer(core.cycle.pointer))
    jack_set_sync_callback(client, JACKCycle.sync, UnsafeMutableRawPointer(core.cycle.pointer))
    jack_set_thread_init_callback(client, { _ in _ = realtime_flush_denormals() }, nil)
    jack_set_buffer_size_callback(
      client,
      { frames, context in
        JACKNotices.exchange(context)?.pointee.period.store(Int(frames), ordering: .relaxed)
        return 0
      }, context)
    jack_set_xrun_callback(
      client,
      { context in
        JACKNotices.exchange(context)?.pointee.xruns.add(1, ordering: .relaxed)
        return 0
      }, context)
    jack_set_freewheel_callback(
      client,
      { isOn, context in
        JACKNotices.exchange(context)?.pointee.isFreewheeling.store(isOn != 0, ordering: .relaxed)
      }, context)
    jack_set_latency_callback(
      client,
      { mode, context in
        guard let core = JACKNotices.core(context) else { return }
        core.client?.tellLatency(mode, core.exchange.pointer)
      }, context)
    jack_on_shutdown(
      client,
      { context in
        guard let core = JACKNotices.core(context) else { return }
        core.exchange.pointer.pointee.isServerGone.store(true, ordering: .releasing)
        core.wake.signal()
      }, context)
  }

  private static func core(_ context: UnsafeMutableRawPointer?) -> JACKCore? {
    context.map { Unmanaged<JACKCore>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func exchange(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<JACKExchange>? {
    core(context)?.exchange.pointer
  }
}
