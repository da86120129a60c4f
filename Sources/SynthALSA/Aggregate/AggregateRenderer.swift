import CSynthALSA
import Synchronization

/// Renders for all devices on the first device's thread: it asks the caller for all channels, returns the first
/// device's own and passes on the others'. [audio thread]
struct AggregateRenderer: ~Copyable {
  /// Renders all channels; set before the threads start.
  var source: PCMSource?

  private let clock: UnsafePointer<AggregateClock>
  /// The first device's exchange.
  private let exchange: UnsafePointer<PCMExchange>
  private let links: UnsafeMutablePointer<UnsafeMutablePointer<FollowerLink>>
  private let linkCount: Int
  private let ownCount: Int
  private let channelCount: Int
  /// The first device's buffers, then buffers for the others' channels.
  private let buffers: ChannelBuffers
  private let capacity: Int
  /// A device that takes this many frames without making the thread wait has no clock.
  private let unpacedLength: Int
  /// Frames given to the device, silence included.
  private var given = 0
  /// Whether the stream has begun: until all devices play, there is silence.
  private var isOpen = false
  /// Delays the device's own channels.
  private var delay: LatencyCompensation
  private let alignment: Int
  /// Whether the caller's stream has ended, and how many delayed frames are still to be played then.
  private var isEnding = false
  private var tail = 0

  /// - Parameter alignment: how much later the others play the frames that are rendered now, in frames.
  init(
    _ parameters: PCMParameters, links: [UnsafeMutablePointer<FollowerLink>], alignment: Int,
    clock: UnsafePointer<AggregateClock>, exchange: UnsafePointer<PCMExchange>
  ) {
    self.clock = clock
    self.exchange = exchange
    self.links = .allocate(capacity: links.count)
    self.links.initialize(from: links, count: links.count)
    linkCount = links.count
    ownCount = parameters.channelCount
    channelCount = links.reduce(parameters.channelCount) { $0 + $1.pointee.ring.channelCount }
    capacity = parameters.period
    unpacedLength = 2 * parameters.buffer
    self.alignment = alignment
    delay = LatencyCompensation(channelCount: parameters.channelCount, capacity: alignment)
    buffers = ChannelBuffers(channelCount: channelCount, frameCount: capacity)
  }

  deinit { links.deallocate() }

  private var channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>> {
    @_noLocks @_noAllocation get { buffers.channels }
  }

  /// The first device's render callback.
  static let callback: PCMRenderCallback = { context, channels, _, frameCount in
    let source = context.assumingMemoryBound(to: AggregateRenderer.self)
    while source.pointee.mustWait(withSlice: Int(frameCount)) { PCMPeriod.pause() }
    return Int32(truncatingIfNeeded: source.pointee.render(channels, frameCount: Int(frameCount)))
  }

  /// Begins a stream, before the start. [control thread]
  mutating func reset(_ source: PCMSource) {
    self.source = source
    given = 0
    isOpen = false
    isEnding = false
    delay.begin(length: 0)
  }

  /// Whether a slice must wait, because the first device has no clock and another device's ring is full.
  @_noLocks @_noAllocation
  func mustWait(withSlice frameCount: Int) -> Bool {
    guard !exchange.pointee.isPaced.load(ordering: .relaxed) else { return false }
    guard exchange.pointee.stopRequest.load(ordering: .acquiring) == 0 else { return false }
    for link in 0..<linkCount where links[link].pointee.isFull(for: frameCount) { return true }
    return false
  }

  /// Fills a slice of the first device's channels: how many frames there were before the stream ended.
  @_noLocks @_noAllocation
  mutating func render(_ own: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) -> Int {
    noteTime()
    var done = 0
    // A device that replaces the first one may have longer periods.
    while done < frameCount {
      let asked = min(capacity, frameCount &- done)
      for channel in 0..<ownCount { channels[channel] = own[channel] + done }
      var count = 0
      if !isEnding {
        count = renderAll(asked)
        handOn(count)
        if count < asked { end() }
      }
      if isEnding { count &+= renderTail(from: count, to: asked) }
      delay.delay(channels, frameCount: count)
      done &+= count
      if count < asked { break }
    }
    given &+= done
    return done
  }

  @_noLocks @_noAllocation
  private mutating func end() {
    isEnding = true
    tail = delay.length
    for link in 0..<linkCount { links[link].pointee.ring.end() }
  }

  /// Fills up with silence while delayed frames are still to be played: how many frames.
  @_noLocks @_noAllocation
  private mutating func renderTail(from first: Int, to end: Int) -> Int {
    let count = min(tail, end &- first)
    for channel in 0..<ownCount {
      for frame in first..<first &+ count { channels[channel][frame] = 0 }
    }
    tail &-= count
    return count
  }

  @_noLocks @_noAllocation
  private func noteTime() {
    if exchange.pointee.isPaced.load(ordering: .relaxed) { clock.pointee.notePacing() }
    guard let place = exchange.pointee.position.present else { return clock.pointee.stop() }
    clock.pointee.note(
      played: given &- place.queued, at: place.time, interruptions: exchange.pointee.position.interruptions)
  }

  @_noLocks @_noAllocation
  private mutating func renderAll(_ frameCount: Int) -> Int {
    if !isOpen && isStreamDue {
      isOpen = true
      // Without a clock all devices play the same frames one by one, without a delay.
      delay.begin(length: clock.pointee.isPaced ? alignment : 0)
    }
    guard isOpen, let source else {
      for channel in 0..<channelCount { channels[channel].update(repeating: 0, count: frameCount) }
      return frameCount
    }
    return source.render(channels, channelCount: channelCount, frameCount: frameCount)
  }

  /// Whether all devices play. After a second the stream begins without those that do not.
  private var isStreamDue: Bool {
    @_noLocks @_noAllocation get {
      if given > clock.pointee.rate { return true }
      if !clock.pointee.isPaced { return given > unpacedLength }
      for link in 0..<linkCount where !links[link].pointee.isReady { return false }
      return true
    }
  }

  @_noLocks @_noAllocation
  private func handOn(_ frameCount: Int) {
    var first = ownCount
    for link in 0..<linkCount {
      links[link].pointee.ring.write(channels, from: first, frameCount: frameCount)
      first &+= links[link].pointee.ring.channelCount
    }
  }
}

/// Delays the first device's own channels by as much as the others need, so that all are heard at the same time.
/// [audio thread]
package struct LatencyCompensation: ~Copyable {
  private let channelCount: Int
  private let capacity: Int
  private let samples: UnsafeMutablePointer<Float>
  /// In frames.
  package private(set) var length = 0
  private var place = 0

  /// - Parameter capacity: the longest delay, in frames.
  package init(channelCount: Int, capacity: Int) {
    self.channelCount = channelCount
    self.capacity = capacity
    samples = .allocate(capacity: max(1, channelCount * capacity))
    samples.initialize(repeating: 0, count: max(1, channelCount * capacity))
  }

  deinit { samples.deallocate() }

  /// Begins with silence of that length, at most the capacity.
  @_noLocks @_noAllocation
  package mutating func begin(length: Int) {
    self.length = min(length, capacity)
    place = 0
    for index in 0..<self.length &* channelCount { samples[index] = 0 }
  }

  /// Exchanges the frames for those that came `length` frames earlier.
  @_noLocks @_noAllocation
  package mutating func delay(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
    guard length > 0 else { return }
    for frame in 0..<frameCount {
      for channel in 0..<channelCount {
        let arriving = channels[channel][frame]
        channels[channel][frame] = samples[place &* channelCount &+ channel]
        samples[place &* channelCount &+ channel] = arriving
      }
      place &+= 1
      if place == length { place = 0 }
    }
  }
}
