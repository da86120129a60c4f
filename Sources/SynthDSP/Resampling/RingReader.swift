/// Reads a ring at any speed, for a device with another clock or rate. [audio thread]
package struct RingReader: ~Copyable {
  package let channelCount: Int
  /// The first frame of the ring that has not been taken yet.
  package private(set) var next = 0
  /// The position of the next frame of output in the ring's stream.
  package private(set) var position = 0.0

  private var resampler: StreamResampler
  private let lookahead: Int
  /// A block of interleaved output.
  private let block: UnsafeMutablePointer<Float>
  /// A block of silence, which follows the end.
  private let zeros: UnsafeMutablePointer<Float>
  /// Remaining frames of the fade-in.
  private var fade = 0

  private static var blockLength: Int { 256 }
  /// 5 ms at 48 kHz, so that a stream entered in its middle does not click.
  private static var fadeLength: Int { 240 }

  /// - Parameter step: approximately how many frames of the ring make one of output.
  package init(channelCount: Int, step: Double) throws(ResamplerError) {
    resampler = try StreamResampler(channelCount: channelCount, step: step)
    self.channelCount = channelCount
    lookahead = StreamResampler.lookahead(step: step)
    let count = Self.blockLength * channelCount
    block = .allocate(capacity: count)
    block.initialize(repeating: 0, count: count)
    zeros = .allocate(capacity: count)
    zeros.initialize(repeating: 0, count: count)
  }

  deinit {
    block.deallocate()
    zeros.deallocate()
  }

  /// Moves to a frame, and fades in from there if the stream is entered in its middle.
  @_noLocks @_noAllocation
  package mutating func restart(at index: Int, fadesIn: Bool) {
    resampler.reset()
    (next, position) = (index, Double(index))
    fade = fadesIn ? Self.fadeLength : 0
  }

  /// How far the ring must reach for the next slice.
  @_noLocks @_noAllocation
  package func end(ofSlice frameCount: Int, step: Double) -> Int {
    step == 1 ? next &+ frameCount : Int(position + Double(frameCount) * step) &+ lookahead &+ 2
  }

  /// Fills the channels from `first` to `frameCount`: the end of what was filled. Without resampling if `step` is nil.
  @_noLocks @_noAllocation
  package mutating func read(
    _ ring: borrowing FrameRing, into channels: UnsafePointer<UnsafeMutablePointer<Float>>, from first: Int,
    to frameCount: Int, step: Double?, hasEnded: Bool
  ) -> Int {
    var frame = first
    while frame < frameCount {
      var limit = min(frameCount &- frame, Self.blockLength)
      if hasEnded { limit = min(limit, framesLeft(ring.endIndex, step: step ?? 1)) }
      guard limit > 0 else { break }
      let count: Int
      if let step {
        count = resample(ring, limit, step: step, hasEnded: hasEnded)
        deinterleave(UnsafePointer(block), into: channels, at: frame, count)
      } else {
        let source = ring.frames(from: next, limit: limit)
        count = source.count
        deinterleave(source.first, into: channels, at: frame, count)
        next &+= count
        position = Double(next)
        ring.release(upTo: next)
      }
      guard count > 0 else { break }
      frame &+= count
    }
    return frame
  }

  @_noLocks @_noAllocation
  private func framesLeft(_ end: Int, step: Double) -> Int {
    let left = (Double(end) - position) / step
    return left > 0 ? Int(left) &+ (left > Double(Int(left)) ? 1 : 0) : 0
  }

  /// Fills the block: how many frames.
  @_noLocks @_noAllocation
  private mutating func resample(_ ring: borrowing FrameRing, _ limit: Int, step: Double, hasEnded: Bool) -> Int {
    var count = 0
    while count < limit {
      let end = Int(position + Double(limit &- count) * step) &+ lookahead &+ 1
      var source = ring.frames(from: next, limit: max(1, end &- next))
      let isBeyondEnd = source.count == 0
      if isBeyondEnd {
        guard hasEnded else { break }
        source = (UnsafePointer(zeros), Self.blockLength)
      }
      let (consumed, produced) = resampler.process(
        source.first, inputCount: source.count, into: block + count &* channelCount, outputCount: limit &- count,
        step: step)
      guard consumed > 0 || produced > 0 else { break }
      count &+= produced
      position += Double(produced) * step
      if !isBeyondEnd {
        next &+= consumed
        ring.release(upTo: next)
      }
    }
    return count
  }

  @_noLocks @_noAllocation
  private mutating func deinterleave(
    _ source: UnsafePointer<Float>, into channels: UnsafePointer<UnsafeMutablePointer<Float>>, at first: Int,
    _ count: Int
  ) {
    for frame in 0..<count {
      var gain: Float = 1
      if fade > 0 {
        gain = 1 - Float(fade) / Float(Self.fadeLength)
        fade &-= 1
      }
      for channel in 0..<channelCount {
        channels[channel][first &+ frame] = source[frame &* channelCount &+ channel] * gain
      }
    }
  }
}
