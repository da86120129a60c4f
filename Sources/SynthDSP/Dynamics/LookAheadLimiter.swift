/// A look-ahead limiter for one or two channels, linked: no true peak leaves it above its ceiling.
///
/// What stays below the ceiling passes bit for bit, `latency` frames later. Blocks whose samples cannot reach the
/// ceiling even between them are not looked at more closely: they cost a copy. Lives in raw memory that a node owns;
/// making and destroying are for the control thread, all else for the audio thread.
public struct LookAheadLimiter: ~Copyable {
  /// How many frames later than its input the output is: 1.3 ms at 48 kHz.
  public static let latency = 64

  /// The level no true peak exceeds: -1 dB, as EBU R 128 asks of a programme, so that a lossy coder or a converter
  /// after it has room for what it adds.
  public static let standardCeiling: Decibels = -1

  /// Limiting begins this far below the ceiling: what eight points a sample do not see of a peak between them.
  static let margin: Decibels = 0.6

  /// The most that was taken away in the last block: 1 is nothing, 0.5 is 6 dB.
  public private(set) var lowestGain: Float = 1

  /// How many frames of the last block were not passed bit for bit.
  public private(set) var limitedFrames = 0

  private let threshold: Float
  private let detector = TruePeakDetector()
  private var reduction: GainReduction
  /// Two blocks of each channel: the last one and the present one.
  private let lines: UnsafeMutablePointer<Float>
  private let gains: UnsafeMutablePointer<Float>
  private var lastPeak: Float = 0

  /// - Parameters:
  ///   - ceiling: the level that no true peak exceeds.
  ///   - sampleRate: in hertz.
  public init(ceiling: Decibels = standardCeiling, sampleRate: Double) {
    threshold = Float((ceiling - Self.margin).amplitude)
    reduction = GainReduction(sampleRate: sampleRate)
    lines = .allocate(capacity: 4 * blockSize)
    lines.initialize(repeating: 0, count: 4 * blockSize)
    gains = .allocate(capacity: blockSize)
    gains.initialize(repeating: 1, count: blockSize)
  }

  deinit {
    lines.deallocate()
    gains.deallocate()
  }

  /// Limits a block; an output may be the same memory as its input, and right the same as left.
  ///
  /// Infinite samples and NaN become silence. Returns true when the output is all zero.
  @_noLocks
  public mutating func process(
    left: UnsafePointer<Float>, right: UnsafePointer<Float>,
    leftOutput: UnsafeMutablePointer<Float>, rightOutput: UnsafeMutablePointer<Float>
  ) -> Bool {
    let (first, second) = (lines, lines + 2 * blockSize)
    let peak = max(take(left, into: first), take(right, into: second))
    let highest = max(peak, lastPeak)
    let isSilent = lastPeak == 0
    lastPeak = peak
    lowestGain = 1
    limitedFrames = 0

    let mayExceed = highest * detector.bound > threshold
    if mayExceed || !reduction.isIdle {
      measure(mayExceed: mayExceed)
      reduction.advance(gains)
      apply(first, leftOutput)
      apply(second, rightOutput)
      countLimitedFrames()
    } else {
      copy(first, leftOutput)
      copy(second, rightOutput)
    }
    copy(first + blockSize, first)
    copy(second + blockSize, second)
    return isSilent
  }

  /// Puts a block behind the last one, and gives its peak.
  @_noLocks
  private func take(_ input: UnsafePointer<Float>, into line: UnsafeMutablePointer<Float>) -> Float {
    let destination = line + blockSize
    var highest: UInt32 = 0
    for frame in 0..<blockSize {
      destination[frame] = input[frame]
      highest = max(highest, input[frame].bitPattern & 0x7FFF_FFFF)
    }
    // As bit patterns, infinity and NaN are greater than any number.
    if highest < Float.infinity.bitPattern { return Float(bitPattern: highest) }
    highest = 0
    for frame in 0..<blockSize {
      if !destination[frame].isFinite { destination[frame] = 0 }
      highest = max(highest, destination[frame].bitPattern & 0x7FFF_FFFF)
    }
    return Float(bitPattern: highest)
  }

  /// What each of the 64 frames needs whose next 16 are known: the present block's but for its last 16.
  @_noLocks
  private func measure(mayExceed: Bool) {
    let needs = reduction.block
    guard mayExceed else { return needs.update(repeating: 0, count: blockSize) }
    let start = blockSize - TruePeakDetector.lookAhead
    for group in 0..<blockSize / 8 {
      let offset = start + 8 * group
      var peaks = detector.peaks(lines + offset)
      let right = detector.peaks(lines + 2 * blockSize + offset)
      peaks.replace(with: right, where: right .> peaks)
      UnsafeMutableRawPointer(needs).storeBytes(of: peaks, toByteOffset: 32 &* group, as: SIMD8<Float>.self)
    }
    for frame in 0..<blockSize { needs[frame] = needs[frame] > threshold ? 1 - threshold / needs[frame] : 0 }
  }

  @_noLocks
  private func apply(_ line: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>) {
    for frame in 0..<blockSize { output[frame] = line[frame] * gains[frame] }
  }

  @_noLocks
  private func copy(_ source: UnsafePointer<Float>, _ destination: UnsafeMutablePointer<Float>) {
    for frame in 0..<blockSize { destination[frame] = source[frame] }
  }

  @_noLocks
  private mutating func countLimitedFrames() {
    for frame in 0..<blockSize {
      lowestGain = min(lowestGain, gains[frame])
      if gains[frame] < 1 { limitedFrames &+= 1 }
    }
  }
}
