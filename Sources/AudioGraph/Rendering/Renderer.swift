import Realtime

/// Serves slices of any size from quanta. [audio thread]
///
/// A new plan is adopted at a quantum boundary, so an edit takes effect between two quanta and nowhere else.
struct Renderer: ~Copyable {
  private let plans: Handoff<RenderPlan>.Receiver
  private var changes: ScheduledChanges
  private var plan: Unmanaged<RenderPlan>?
  /// The first frame of the next quantum.
  private var sampleTime: Int64 = 0
  /// How many frames of the last quantum have not been asked for yet; they are its last ones.
  private var leftover = 0

  init(plans: Handoff<RenderPlan>.Receiver, changes: consuming ScheduledChanges) {
    self.plans = plans
    self.changes = changes
  }

  deinit { plan?.release() }

  @_noLocks
  mutating func render(_ slice: RenderSlice) {
    var done = 0
    while done < slice.frameCount {
      if leftover == 0 { renderQuantumOfPlan(hostTime: slice.hostTime) }
      let count = min(leftover, slice.frameCount &- done)
      deliver(count, to: slice, at: done)
      leftover &-= count
      done &+= count
    }
  }

  @_noLocks
  private mutating func renderQuantumOfPlan(hostTime: UInt64) {
    _ = plans.adopt(&plan)
    changes.apply(before: sampleTime &+ Int64(renderQuantum))
    let sampleTime = sampleTime
    plan?._withUnsafeGuaranteedRef { $0.render(sampleTime: sampleTime, hostTime: hostTime) }
    self.sampleTime &+= Int64(renderQuantum)
    leftover = renderQuantum
  }

  /// Copies what is left of the quantum. Channels the graph does not have are silent.
  @_noLocks
  private func deliver(_ count: Int, to slice: RenderSlice, at offset: Int) {
    var rendered = 0
    if let plan {
      let bus = plan._withUnsafeGuaranteedRef { Bus(buffer: $0.destination) }
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
  public let channelCount: Int
  public let frameCount: Int
  /// In nanoseconds of the monotonic clock; 0 offline.
  public let hostTime: UInt64

  @inlinable public init(
    channels: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int, frameCount: Int, hostTime: UInt64 = 0
  ) {
    self.channels = channels
    self.channelCount = channelCount
    self.frameCount = frameCount
    self.hostTime = hostTime
  }
}
