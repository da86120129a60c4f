import SynthRealtime

/// Serves slices of any size from quanta. [audio thread]
///
/// A new plan is adopted at a quantum boundary, so an edit takes effect between two quanta and nowhere else.
struct Renderer: ~Copyable {
  private let plans: Handoff<RenderPlan>.Receiver
  private var changes: ScheduledChanges
  private let clock: UnsafeMutablePointer<EngineClock>
  /// What the clock was told last.
  private var moment = EngineClock.Moment()
  private var plan: Unmanaged<RenderPlan>?
  /// The first frame of the next quantum.
  private var sampleTime: Int64 = 0
  /// Of the plan; a new one begins at sample time 0.
  private var epoch = 0
  /// For how many quanta the plan's fades go on; no other plan is adopted before they end.
  private var fadeQuantaLeft = 0
  /// Whether this life of the engine has had a quantum.
  private(set) var hasRendered = false
  /// How many frames of the last quantum have not been asked for yet; they are its last ones.
  private var leftover = 0

  /// - Parameter clock: must outlive the renderer.
  init(
    plans: Handoff<RenderPlan>.Receiver, changes: consuming ScheduledChanges, clock: UnsafeMutablePointer<EngineClock>
  ) {
    self.plans = plans
    self.changes = changes
    self.clock = clock
  }

  deinit { plan?.release() }

  @_noLocks
  mutating func render(_ slice: RenderSlice) { render(slice, 0..<max(0, slice.frameCount)) }

  /// Renders some of a slice's frames.
  @_noLocks
  mutating func render(_ slice: RenderSlice, _ frames: Range<Int>) {
    var done = frames.lowerBound
    while done < frames.upperBound {
      if leftover == 0 {
        adopt()
        renderQuantumOfPlan(at: sampleTime, hostTime: slice.hostTime)
        sampleTime &+= Int64(renderQuantum)
        leftover = renderQuantum
      }
      let count = min(leftover, frames.upperBound &- done)
      deliver(count, to: slice, at: done)
      leftover &-= count
      done &+= count
    }
    moment.nextFrame = sampleTime &- Int64(leftover)
    moment.sliceFrame = moment.nextFrame &- Int64(done)
    moment.sliceHostTime = slice.hostTime
    clock.pointee.write(moment)
  }

  /// Renders one quantum at a time that is another's, and gives what it has to play; nil without a graph.
  @_noLocks
  mutating func renderSingleQuantum(at sampleTime: Int64, hostTime: UInt64) -> Bus? {
    leftover = 0
    adopt()
    renderQuantumOfPlan(at: sampleTime, hostTime: hostTime)
    moment.nextFrame = sampleTime &+ Int64(renderQuantum)
    // All quanta of a slice have its host time.
    if hostTime != moment.sliceHostTime { (moment.sliceFrame, moment.sliceHostTime) = (sampleTime, hostTime) }
    clock.pointee.write(moment)
    return destination
  }

  /// Forgets what is left of the last quantum, of fades and of what was scheduled, and goes back to sample time 0.
  mutating func startOver() {
    leftover = 0
    changes.startOver()
    repeat { fadeQuantaLeft = 0 } while followPlan()
    sampleTime = 0
    moment = EngineClock.Moment()
    clock.pointee.write(moment)
  }

  /// Knows no host time until the next slice.
  mutating func leaveHostTime() {
    moment.sliceHostTime = 0
    clock.pointee.write(moment)
  }

  /// Takes over the latest plan, unless some of the last quantum is still to be delivered, or a fade is under way.
  @_noLocks
  mutating func adopt() {
    guard leftover == 0, fadeQuantaLeft == 0 else { return }
    _ = followPlan()
    guard fadeQuantaLeft == 0, plans.adopt(&plan), let plan else { return }
    let (epoch, count) = plan._withUnsafeGuaranteedRef { ($0.epoch, $0.fadeQuantumCount) }
    fadeQuantaLeft = count
    guard epoch != self.epoch else { return }
    self.epoch = epoch
    sampleTime = 0
    hasRendered = false
  }

  /// Puts the plan's successor in its place; false where it has none.
  @_noLocks
  private mutating func followPlan() -> Bool {
    guard let plan, plans.hasRoom, let next = plan._withUnsafeGuaranteedRef({ $0.takeSuccessor() }) else {
      return false
    }
    _ = plans.retire(plan)
    self.plan = next
    fadeQuantaLeft = next._withUnsafeGuaranteedRef { $0.fadeQuantumCount }
    return true
  }

  @_noLocks
  private mutating func renderQuantumOfPlan(at sampleTime: Int64, hostTime: UInt64) {
    var underWay: UnsafePointer<ActiveChanges>?
    if changes.hasAny {
      let lookahead = plan?._withUnsafeGuaranteedRef { $0.lookahead } ?? 0
      underWay = changes.advance(to: sampleTime..<sampleTime &+ Int64(renderQuantum), lookahead: lookahead)
    }
    plan?._withUnsafeGuaranteedRef { $0.render(sampleTime: sampleTime, hostTime: hostTime, changes: underWay) }
    if fadeQuantaLeft > 0 { fadeQuantaLeft &-= 1 }
    hasRendered = true
  }

  private var destination: Bus? {
    @_noLocks get {
      guard let plan else { return nil }
      return plan._withUnsafeGuaranteedRef { Bus(buffer: $0.destination) }
    }
  }

  /// Copies what is left of the quantum. Channels the graph does not have are silent.
  @_noLocks
  private func deliver(_ count: Int, to slice: RenderSlice, at offset: Int) {
    var rendered = 0
    if let bus = destination {
      rendered = min(bus.channelCount, slice.channelCount)
      for channel in 0..<rendered {
        let unread = bus[channel] + (renderQuantum &- leftover)
        copySamples(from: unread, to: slice.channels[channel] + offset, count: count)
      }
    }
    for channel in rendered..<slice.channelCount {
      (slice.channels[channel] + offset).update(repeating: 0, count: count)
    }
  }
}

/// One demand of the output: where its frames go. [audio thread]
public struct RenderSlice {
  /// One pointer per channel, each with room for `frameCount` samples.
  public let channels: UnsafePointer<UnsafeMutablePointer<Float>>
  /// How many pointers `channels` has.
  public let channelCount: Int
  /// An output unit's callback may lower it: the stream then ends with these frames.
  public var frameCount: Int
  /// In nanoseconds of the monotonic clock; 0 offline.
  public let hostTime: UInt64

  @_noLocks
  @inlinable public init(
    channels: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int, frameCount: Int, hostTime: UInt64 = 0
  ) {
    self.channels = channels
    self.channelCount = channelCount
    self.frameCount = frameCount
    self.hostTime = hostTime
  }
}
