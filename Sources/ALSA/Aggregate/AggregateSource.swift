import CALSA
import Synchronization

/// What the first device renders from: it asks the caller for all channels, plays its own and hands on the others'.
/// [the first device's thread]
struct AggregateSource: ~Copyable {
  /// Whom to ask for all channels; set while no thread runs.
  var source: PCMSource?

  private let clock: UnsafePointer<AggregateClock>
  /// The first device's.
  private let exchange: UnsafePointer<PCMExchange>
  private let links: UnsafeMutablePointer<UnsafeMutablePointer<FollowerLink>>
  private let linkCount: Int
  private let ownCount: Int
  private let channelCount: Int
  /// The first device's buffers, then room for the others' channels.
  private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let room: UnsafeMutablePointer<Float>
  private let capacity: Int
  /// Given without having had to wait for the device, they prove that it has no clock.
  private let unpacedLength: Int
  /// Frames given to the device, silence included.
  private var given = 0
  /// Whether the stream has begun: silence is played until all devices do.
  private var isOpen = false
  /// What holds the device's own channels back.
  private var delay: AlignmentDelay
  private let alignment: Int
  /// Whether the caller had no more, and how many frames of what is held back are still to be played then.
  private var isEnding = false
  private var tail = 0

  /// - Parameter alignment: how much later than the first device the others play, in frames.
  init(
    _ parameters: PCMParameters, links: [UnsafeMutablePointer<FollowerLink>], alignment: Int,
    clock: UnsafePointer<AggregateClock>, exchange: UnsafePointer<PCMExchange>
  ) {
    self.clock = clock
    self.exchange = exchange
    self.links = .allocate(capacity: links.count)
    self.links.initialize(from: links, count: links.count)
    linkCount = links.count
    ownCount = parameters.channels
    channelCount = links.reduce(parameters.channels) { $0 + $1.pointee.ring.channelCount }
    capacity = parameters.period
    unpacedLength = 2 * parameters.buffer
    self.alignment = alignment
    delay = AlignmentDelay(channelCount: parameters.channels, capacity: alignment)
    room = .allocate(capacity: capacity * channelCount)
    room.initialize(repeating: 0, count: capacity * channelCount)
    channels = .allocate(capacity: channelCount)
    for channel in 0..<channelCount { (channels + channel).initialize(to: room + channel * capacity) }
  }

  deinit {
    links.deallocate()
    channels.deallocate()
    room.deallocate()
  }

  /// What the first device calls.
  static let callback: PCMRenderCallback = { context, channels, _, frameCount in
    let source = context.assumingMemoryBound(to: AggregateSource.self)
    while source.pointee.mustWait(withSlice: Int(frameCount)) { PCMPeriod.pause() }
    return Int32(truncatingIfNeeded: source.pointee.render(channels, frameCount: Int(frameCount)))
  }

  /// Begins a stream. [no thread runs]
  mutating func reset(_ source: PCMSource) {
    self.source = source
    given = 0
    isOpen = false
    isEnding = false
    delay.begin(length: 0)
  }

  /// Whether a slice has to be waited with: a device that does not wait for a clock has to wait for those that do.
  @_noLocks @_noAllocation
  func mustWait(withSlice frameCount: Int) -> Bool {
    guard !exchange.pointee.isPaced.load(ordering: .relaxed) else { return false }
    guard exchange.pointee.stopRequest.load(ordering: .acquiring) == 0 else { return false }
    for link in 0..<linkCount where links[link].pointee.isFull(for: frameCount) { return true }
    return false
  }

  /// Fills a slice of the first device: how many frames there were before the stream ended.
  @_noLocks @_noAllocation
  mutating func render(_ own: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) -> Int {
    noteTime()
    var done = 0
    // A device that takes the first one's place may have longer periods.
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

  /// Silence, to push out what is held back: how many frames.
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
      // Where no time passes, the frames are one by one the same on all devices.
      delay.begin(length: clock.pointee.isPaced ? alignment : 0)
    }
    guard isOpen, let source else {
      for channel in 0..<channelCount { channels[channel].update(repeating: 0, count: frameCount) }
      return frameCount
    }
    let count = pcm_render(
      source.callback, source.context, channels, Int32(truncatingIfNeeded: channelCount),
      Int32(truncatingIfNeeded: frameCount))
    return min(max(0, Int(count)), frameCount)
  }

  /// Whether all devices play. After a second it begins without those that do not.
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
