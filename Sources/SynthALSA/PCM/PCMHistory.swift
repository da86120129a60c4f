import CSynthALSA

/// The latest frames of a stream: those that a device had not played when it was lost are given to the next one, so
/// that the stream goes on where it was last heard. [audio thread]
struct PCMHistory: ~Copyable {
  private var source: PCMSource?
  private let channelCount: Int
  private let period: Int
  /// A ring.
  private let kept: ChannelBuffers
  private let capacity: Int
  /// Where the rest of a slice begins in each channel.
  private let rest: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// Frames that were rendered, and the next to be given: fewer while frames are repeated.
  private var rendered = 0
  private var next = 0
  /// False for a device that follows another's clock: it finds the frame that is due by itself.
  private var repeats = true
  /// Whether the stream has to show whether it goes on at once, after an absence of the device.
  private var isReturning = false
  private var hasEnded = false

  init(_ stream: PCMParameters) {
    channelCount = stream.channelCount
    period = stream.period
    capacity = stream.buffer + stream.period
    kept = ChannelBuffers(channelCount: channelCount, frameCount: capacity)
    rest = .allocate(capacity: channelCount)
  }

  deinit { rest.deallocate() }

  /// Begins a stream, before the start. [control thread]
  mutating func begin(_ source: PCMSource, repeats: Bool) {
    (self.source, self.repeats) = (source, repeats)
    (rendered, next) = (0, 0)
    (isReturning, hasEnded) = (false, false)
  }

  /// Gives the latest frames again, about so many: whole periods, because live notes are the later the less a slice
  /// agrees with what the instruments render at a time.
  mutating func rewind(_ count: Int) {
    guard repeats else { return }
    next = max(next - (count + period / 2) / period * period, rendered - capacity / period * period, 0)
  }

  /// Renders for a device.
  static let callback: PCMRenderCallback = { context, channels, _, frameCount in
    let count = context.assumingMemoryBound(to: PCMHistory.self).pointee.render(channels, Int(frameCount))
    return Int32(truncatingIfNeeded: count)
  }

  /// Renders while there is no device. If that is not silence, the stream has moved on, and nothing is repeated.
  static let unheard: PCMRenderCallback = { context, channels, _, frameCount in
    let count = context.assumingMemoryBound(to: PCMHistory.self).pointee.renderUnheard(channels, Int(frameCount))
    return Int32(truncatingIfNeeded: count)
  }

  @_noLocks @_noAllocation
  private mutating func render(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ frameCount: Int) -> Int {
    if isReturning, let count = renderReturning(channels, frameCount) { return count }
    let repeated = min(rendered &- next, frameCount)
    for frame in 0..<repeated {
      let place = (next &+ frame) % capacity
      for channel in 0..<channelCount { channels[channel][frame] = kept.channels[channel][place] }
    }
    next &+= repeated
    guard repeated < frameCount, !hasEnded else { return repeated }
    for channel in 0..<channelCount { rest[channel] = channels[channel] + repeated }
    let count = renderSource(rest, frameCount &- repeated)
    keep(rest, count)
    next = rendered
    return repeated &+ count
  }

  /// The first slice after an absence. A stream that is silent waits for somebody, and begins then as if nothing had
  /// been lost; any other goes on behind what is repeated, and nil is returned.
  @_noLocks @_noAllocation
  private mutating func renderReturning(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ frameCount: Int
  ) -> Int? {
    isReturning = false
    guard next < rendered, !hasEnded else { return nil }
    let count = renderSource(channels, frameCount)
    if isSilent(channels, count) {
      next = rendered
      return count
    }
    keep(channels, count)
    next = max(next, rendered &- capacity)
    return nil
  }

  @_noLocks @_noAllocation
  private mutating func renderSource(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ frameCount: Int
  ) -> Int {
    let count = source?.render(channels, channelCount: channelCount, frameCount: frameCount) ?? 0
    hasEnded = count < frameCount
    return count
  }

  @_noLocks @_noAllocation
  private mutating func keep(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ count: Int) {
    for frame in 0..<count {
      let place = (rendered &+ frame) % capacity
      for channel in 0..<channelCount { kept.channels[channel][place] = channels[channel][frame] }
    }
    rendered &+= count
  }

  @_noLocks @_noAllocation
  private func isSilent(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ count: Int) -> Bool {
    for channel in 0..<channelCount {
      for frame in 0..<count where channels[channel][frame] != 0 { return false }
    }
    return true
  }

  @_noLocks @_noAllocation
  private mutating func renderUnheard(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ frameCount: Int
  ) -> Int {
    let count = renderSource(channels, frameCount)
    isReturning = true
    if !isSilent(channels, count) { next = rendered }
    return count
  }
}
