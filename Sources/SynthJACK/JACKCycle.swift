import AudioGraph
import CSynthJACK
import CSynthRealtime
import Synchronization
import SynthRealtime

/// What one cycle of a JACK client does: it asks for audio straight into the ports' buffers, and passes MIDI on.
///
/// Cycles are of any length; the engine renders in quanta and keeps the rest of the last one. [audio thread]
struct JACKCycle: ~Copyable {
  private let exchange: UnsafeMutablePointer<JACKExchange>
  private let channelCount: Int
  private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let midi: JACKMIDIKeeper

  // Set on the control thread while no cycle runs.
  private let ports: UnsafeMutablePointer<OpaquePointer?>
  private var client: OpaquePointer?
  private var midiPort: OpaquePointer?
  private var nanosecondsPerFrame = 0.0
  /// What is to be added to JACK's clock, in nanoseconds, to have the host's.
  private var clockOffset: Int64 = 0
  private var source: (callback: RenderFunction, context: UnsafeMutableRawPointer)?

  init(
    _ exchange: UnsafeMutablePointer<JACKExchange>, channelCount: Int, _ midi: JACKMIDIQueue
  ) {
    self.exchange = exchange
    self.channelCount = channelCount
    self.midi = JACKMIDIKeeper(midi, losses: exchange)
    channels = .allocate(capacity: channelCount)
    ports = .allocate(capacity: channelCount)
    ports.initialize(repeating: nil, count: channelCount)
  }

  deinit {
    channels.deallocate()
    ports.deallocate()
  }

  /// Before the client is activated. [control thread]
  mutating func attach(
    _ client: OpaquePointer, _ audioPorts: [OpaquePointer], midi: OpaquePointer?, sampleRate: Int, clockOffset: Int64
  ) {
    self.client = client
    for (index, port) in audioPorts.enumerated() { ports[index] = port }
    midiPort = midi
    nanosecondsPerFrame = 1e9 / Double(sampleRate)
    self.clockOffset = clockOffset
  }

  /// While the gate is closed. [control thread]
  mutating func setSource(_ callback: @escaping RenderFunction, _ context: UnsafeMutableRawPointer) {
    source = (callback, context)
  }

  /// JACK's process callback; its context is the cycle.
  static let entry: cjack_frames_callback = { frames, context in
    context?.assumingMemoryBound(to: JACKCycle.self).pointee.process(Int(frames))
    return 0
  }

  @_noLocks
  mutating func process(_ frameCount: Int) {
    guard let client, findBuffers(frameCount) else { return }
    realtime_enter()
    var begin: UInt64 = 0
    var end: UInt64 = 0
    cjack_cycle(client, &begin, &end)
    let hostTime = begin == 0 ? HostClock.now : hostTime(begin)
    var isNews = false
    if let midiPort, let buffer = cjack_buffer(midiPort, UInt32(truncatingIfNeeded: frameCount)) {
      let end = begin == 0 ? UInt64.max : self.hostTime(end)
      isNews = midi.keepEvents(buffer, from: hostTime, to: end, nanosecondsPerFrame)
    }
    if mayAsk(client) { render(frameCount, hostTime, channels) } else { silence(channels, from: 0, to: frameCount) }
    if isNews { midi.wake() }
    realtime_exit()
  }

  @_noLocks
  private func findBuffers(_ frameCount: Int) -> Bool {
    for channel in 0..<channelCount {
      guard let port = ports[channel], let buffer = cjack_buffer(port, UInt32(truncatingIfNeeded: frameCount)) else {
        return false
      }
      channels[channel] = buffer.assumingMemoryBound(to: Float.self)
    }
    return true
  }

  @_noLocks
  private func hostTime(_ microseconds: UInt64) -> UInt64 {
    UInt64(truncatingIfNeeded: Int64(truncatingIfNeeded: microseconds &* 1000) &+ clockOffset)
  }

  /// Asks for a slice, into these channels: those of the ports, or of a timer while there is no server.
  @_noLocks
  mutating func render(
    _ frameCount: Int, _ hostTime: UInt64, _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  ) {
    var count = 0
    let isOpen = exchange.pointee.gate.compareExchange(
      expected: JACKExchange.open, desired: JACKExchange.rendering, ordering: .acquiringAndReleasing
    ).exchanged
    if isOpen {
      let start = HostClock.now
      count = ask(frameCount, hostTime, channels)
      note(HostClock.now &- start, frameCount)
      if count < frameCount { exchange.pointee.drained.store(0, ordering: .relaxed) }
      exchange.pointee.gate.store(
        count < frameCount ? JACKExchange.draining : JACKExchange.open, ordering: .releasing)
    } else {
      drain(frameCount)
    }
    silence(channels, from: count, to: frameCount)
  }

  @_noLocks
  private func silence(_ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, from start: Int, to end: Int) {
    for channel in 0..<channelCount {
      for frame in start..<end { channels[channel][frame] = 0 }
    }
  }

  /// Whether the transport rolls, if that is waited for.
  @_noLocks
  private func mayAsk(_ client: OpaquePointer) -> Bool {
    guard exchange.pointee.waitsForRoll.load(ordering: .acquiring) else { return true }
    guard cjack_rolls(client) else { return false }
    exchange.pointee.waitsForRoll.store(false, ordering: .relaxed)
    return true
  }

  /// JACK's sync callback, on the same thread; its context is the cycle.
  static let sync: @convention(c) (Int32, UnsafeMutablePointer<jack_position>, UnsafeMutableRawPointer?) -> Int32 = {
    state, _, context in
    guard let context else { return 1 }
    return context.assumingMemoryBound(to: JACKCycle.self).pointee.isReady(state) ? 1 : 0
  }

  @_noLocks
  private func isReady(_ state: Int32) -> Bool {
    guard exchange.pointee.isFollowing.load(ordering: .relaxed), cjack_is_starting(state) else { return true }
    return exchange.pointee.isReady.load(ordering: .acquiring)
  }

  @_noLocks
  private func ask(
    _ frameCount: Int, _ hostTime: UInt64, _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  ) -> Int {
    guard let source else { return 0 }
    var slice = RenderSlice(
      channels: UnsafePointer(channels), channelCount: channelCount, frameCount: frameCount, hostTime: hostTime)
    withUnsafeMutablePointer(to: &slice) { call(source.callback, source.context, UnsafeMutableRawPointer($0)) }
    exchange.pointee.framesGiven.add(frameCount, ordering: .relaxed)
    return min(max(0, slice.frameCount), frameCount)
  }

  @_noLocks
  private func note(_ nanoseconds: UInt64, _ frameCount: Int) {
    let load = Double(nanoseconds) / (Double(frameCount) * nanosecondsPerFrame)
    exchange.pointee.load.max(load.bitPattern, ordering: .relaxed)
  }

  /// Ends a stream that has ended by itself once it has been heard.
  @_noLocks
  private func drain(_ frameCount: Int) {
    guard exchange.pointee.gate.load(ordering: .acquiring) == JACKExchange.draining else { return }
    let drained = exchange.pointee.drained.add(frameCount, ordering: .relaxed).newValue
    guard drained >= exchange.pointee.playbackLatency.load(ordering: .relaxed) else { return }
    _ = exchange.pointee.gate.compareExchange(
      expected: JACKExchange.draining, desired: JACKExchange.closed, ordering: .acquiringAndReleasing)
  }
}
