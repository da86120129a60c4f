import Synchronization
import SynthDSP

/// Renders one of the devices that follow the first: from a ring, resampled to the device's own clock. [audio thread]
///
/// If both devices have a clock, frame n is heard a constant time after the first device plays it, and resampling keeps
/// that time constant. If one of them has none (`null`, `file`), the frames pass one by one.
struct Follower: ~Copyable {
  /// Shared with the first device's thread and control threads.
  let link: UnsafeMutablePointer<FollowerLink>
  private let clock: UnsafePointer<AggregateClock>
  /// The device's own exchange.
  private let exchange: UnsafePointer<PCMExchange>

  /// By how much the first device delays its own channels, in its frames.
  private let alignment: Double
  /// This device's delay: the same, unless its buffer has become too large for that.
  private var delay: Double
  /// What the delay must cover besides the buffer.
  private let margin: Double
  private var controller: DriftController
  private var reader: RingReader
  /// Frames given to the device, silence included.
  private var given = 0
  /// Whether the device plays the frames that are due.
  private var isLocked = false
  private var interruptions = (clock: 0, own: 0)

  /// A device that takes this many frames without making the thread wait has no clock.
  private let unpacedLength: Int

  /// A position that is off by more seconds than this counts as an interruption: no jitter is as large.
  private static let interruption = 0.05

  /// - Parameter alignment: the longest `delay` of all followers.
  init(
    _ parameters: PCMParameters, alignment: Int, link: UnsafeMutablePointer<FollowerLink>,
    clock: UnsafePointer<AggregateClock>, exchange: UnsafePointer<PCMExchange>
  ) throws(ResamplerError) {
    let (rate, clockRate) = (Double(parameters.sampleRate), Double(clock.pointee.rate))
    self.link = link
    self.clock = clock
    self.exchange = exchange
    unpacedLength = 2 * parameters.buffer
    self.alignment = Double(alignment)
    delay = Double(alignment)
    margin = Self.margin(step: clockRate / rate, clockRate: clockRate)
    controller = DriftController(producerRate: clockRate, consumerRate: rate, delay: delay)
    reader = try RingReader(channelCount: parameters.channelCount, step: clockRate / rate)
  }

  /// A device's least delay behind the first device, in frames of that: enough to refill its buffer while the first
  /// device's is almost empty.
  static func delay(_ parameters: PCMParameters, clockRate: Int) -> Int {
    let step = Double(clockRate) / Double(parameters.sampleRate)
    return Int(Double(parameters.buffer) * step + margin(step: step, clockRate: Double(clockRate))) + 1
  }

  /// The resampler's lookahead, and a millisecond of tolerance until the drift is known.
  private static func margin(step: Double, clockRate: Double) -> Double {
    Double(StreamResampler.lookahead(step: step)) + clockRate / 1000
  }

  /// The device's render callback.
  static let callback: PCMRenderCallback = { context, channels, _, frameCount in
    let follower = context.assumingMemoryBound(to: Follower.self)
    while follower.pointee.mustWait(forSlice: Int(frameCount)) { PCMPeriod.pause() }
    return Int32(truncatingIfNeeded: follower.pointee.render(channels, frameCount: Int(frameCount)))
  }

  /// Begins a stream; the measured drift is kept, before the start. [control thread]
  mutating func reset() {
    link.pointee.reset()
    reader.restart(at: 0, fadesIn: false)
    given = 0
    isLocked = false
  }

  /// Whether a slice must wait, because the device has no clock and the first device has not rendered that far.
  @_noLocks @_noAllocation
  func mustWait(forSlice frameCount: Int) -> Bool {
    guard !exchange.pointee.isPaced.load(ordering: .relaxed), !link.pointee.ring.hasEnded else { return false }
    guard exchange.pointee.stopRequest.load(ordering: .acquiring) == 0 else { return false }
    return link.pointee.ring.endIndex < reader.end(ofSlice: frameCount, step: controller.nominalStep)
  }

  /// Fills a slice: how many frames there were before the stream ended.
  @_noLocks @_noAllocation
  mutating func render(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) -> Int {
    defer { given &+= frameCount }
    // Read before the ring's end, because the last frames might arrive between the two.
    let hasEnded = link.pointee.ring.hasEnded
    let isPaced = exchange.pointee.isPaced.load(ordering: .relaxed)
    guard isPaced, clock.pointee.isPaced else {
      if !isPaced, given > unpacedLength { link.pointee.noteReady() }
      let step = controller.nominalStep == 1 ? nil : controller.nominalStep
      return read(channels, from: 0, frameCount, step: step, hasEnded: hasEnded)
    }
    guard let place = place() else {
      isLocked = false
      return hasEnded ? 0 : silence(channels, frameCount)
    }
    let step = steer(place)
    let lead = isLocked ? 0 : lock(place, frameCount)
    guard lead < frameCount else { return hasEnded ? 0 : silence(channels, frameCount) }
    for channel in 0..<reader.channelCount { channels[channel].update(repeating: 0, count: lead) }
    return read(channels, from: lead, frameCount, step: step, hasEnded: hasEnded)
  }

  /// The positions of both devices at one time.
  private struct Place {
    /// The frame that the first device plays.
    var clock: Double
    /// The frame that this device plays, in its own count.
    var own: Double
    /// Frames in this device's buffer.
    var queued: Double
  }

  /// Nil while one of the two does not play.
  @_noLocks @_noAllocation
  private mutating func place() -> Place? {
    guard let own = exchange.pointee.position.present, let clock = clock.pointee.position(at: own.time) else {
      return nil
    }
    let interruptions = (clock.interruptions, exchange.pointee.position.interruptions)
    if interruptions != self.interruptions { isLocked = false }
    self.interruptions = interruptions
    return Place(clock: clock.frame, own: Double(given &- own.queued), queued: Double(own.queued))
  }

  /// The step from here on, in the first device's frames per frame of this one.
  @_noLocks @_noAllocation
  private mutating func steer(_ place: Place) -> Double {
    guard isLocked else { return controller.step }
    let surprise = controller.surprise(produced: place.clock, consumed: place.own)
    if abs(surprise) > Self.interruption || link.pointee.ring.startIndex > reader.next {
      isLocked = false
      return controller.step
    }
    let position = reader.position - place.queued * controller.step
    let step = controller.update(produced: place.clock, consumed: place.own, position: position)
    link.pointee.note(controller)
    return step
  }

  /// Moves to the frame that is due: how many frames of silence precede it, because it is no longer in the ring.
  @_noLocks @_noAllocation
  private mutating func lock(_ place: Place, _ frameCount: Int) -> Int {
    // A replacement device may have a larger buffer.
    let buffer = Double(exchange.pointee.bufferLength.load(ordering: .relaxed))
    let longest = Double(link.pointee.ring.capacity / 2)
    delay = max(alignment, min(buffer * controller.nominalStep + margin, longest))
    var due = place.clock + place.queued * controller.step - delay
    let first = link.pointee.ring.startIndex
    var lead = 0
    if due < Double(first) {
      let missing = (Double(first) - due) / controller.step + 1
      guard missing < Double(frameCount) else { return frameCount }
      lead = Int(missing)
      due += Double(lead) * controller.step
    }
    guard due < Double(link.pointee.ring.endIndex) else { return frameCount }
    let start = max(first, Int(due))
    reader.restart(at: start, fadesIn: start > 0)
    link.pointee.ring.release(upTo: start)
    controller.restart(produced: place.clock, consumed: place.own, delay: delay + due - Double(start))
    isLocked = true
    link.pointee.noteLock(behind: delay - alignment)
    return lead
  }

  @_noLocks @_noAllocation
  private mutating func read(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, from first: Int, _ frameCount: Int, step: Double?,
    hasEnded: Bool
  ) -> Int {
    let count = reader.read(
      link.pointee.ring, into: channels, from: first, to: frameCount, step: step, hasEnded: hasEnded)
    guard count < frameCount else { return frameCount }
    if hasEnded { return count }
    if isLocked { link.pointee.noteStarvation() }
    isLocked = false
    for channel in 0..<reader.channelCount {
      (channels[channel] + count).update(repeating: 0, count: frameCount &- count)
    }
    return frameCount
  }

  @_noLocks @_noAllocation
  private func silence(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ frameCount: Int) -> Int {
    for channel in 0..<reader.channelCount { channels[channel].update(repeating: 0, count: frameCount) }
    return frameCount
  }
}
