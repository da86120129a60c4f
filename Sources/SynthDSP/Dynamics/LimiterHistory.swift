import CSynthRealtime

/// The last four blocks of two channels, side by side in memory, and their peaks. [audio thread]
struct LimiterHistory: ~Copyable {
  /// Blocks that lie side by side: the present one and three before it.
  private static var depth: Int { @_noLocks get { 4 } }
  /// So many blocks are written in a row before the last three go back to the beginning.
  private static var capacity: Int { @_noLocks get { 16 } }
  /// What is read behind the last block, and not used.
  private static var margin: Int { @_noLocks get { 8 } }

  private let lines: UnsafeMutablePointer<Float>
  /// Where the oldest of the four blocks is: the first block goes behind three of silence.
  private var place = -1
  private var peaks: (present: Float, last: Float, third: Float, fourth: Float) = (0, 0, 0, 0)

  init() {
    let count = 2 * (Self.capacity * blockSize + Self.margin)
    lines = .allocate(capacity: count)
    lines.initialize(repeating: 0, count: count)
  }

  deinit { lines.deallocate() }

  private var line: (left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) {
    @_noLocks get { (lines, lines + (Self.capacity &* blockSize &+ Self.margin)) }
  }

  /// The block before the present one, of the left channel. The present one follows it, two are before it.
  var left: UnsafePointer<Float> {
    @_noLocks get { UnsafePointer(line.left + (place &+ Self.depth &- 2) &* blockSize) }
  }

  /// That of the right channel.
  var right: UnsafePointer<Float> {
    @_noLocks get { UnsafePointer(line.right + (place &+ Self.depth &- 2) &* blockSize) }
  }

  /// Of all four blocks.
  var highestPeak: Float {
    @_noLocks get { max(max(peaks.present, peaks.last), max(peaks.third, peaks.fourth)) }
  }

  /// Whether the block before the present one is all zero.
  var isSilent: Bool {
    @_noLocks get { peaks.last == 0 }
  }

  /// Puts a block behind the last one. Non-finite samples become 0, and what is beyond `loudest` is clipped to that.
  @_noLocks
  mutating func take(_ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>) {
    place &+= 1
    if place > Self.capacity &- Self.depth { goBack() }
    let offset = (place &+ Self.depth &- 1) &* blockSize
    let peak = max(Self.copy(left, to: line.left + offset), Self.copy(right, to: line.right + offset))
    peaks = (peak, peaks.present, peaks.last, peaks.third)
  }

  @_noLocks
  private mutating func goBack() {
    let kept = (Self.depth &- 1) &* blockSize
    realtime_copy(line.left, line.left + place &* blockSize, kept)
    realtime_copy(line.right, line.right + place &* blockSize, kept)
    place = 0
  }

  /// 60 dB: the gain of what is louder would be finer than the steps in which `GainReduction` counts.
  private static var loudest: Float { @_noLocks get { 1000 } }

  /// Copies a block, and gives its peak.
  @_noLocks
  private static func copy(_ input: UnsafePointer<Float>, to destination: UnsafeMutablePointer<Float>) -> Float {
    var highest: UInt32 = 0
    for frame in 0..<blockSize {
      destination[frame] = input[frame]
      highest = max(highest, input[frame].bitPattern & 0x7FFF_FFFF)
    }
    // As bit patterns, infinity and NaN are greater than any number.
    if highest <= loudest.bitPattern { return Float(bitPattern: highest) }
    highest = 0
    for frame in 0..<blockSize {
      let sample = destination[frame]
      destination[frame] = sample.isFinite ? min(max(sample, -loudest), loudest) : 0
      highest = max(highest, destination[frame].bitPattern & 0x7FFF_FFFF)
    }
    return Float(bitPattern: highest)
  }
}
