import CSynthRealtime

/// A look-ahead limiter for one or two channels, linked: no true peak leaves it above its ceiling.
///
/// What stays 0.05 dB below the ceiling passes bit for bit, `latency` frames later. Blocks that cannot reach it even
/// between their samples, as the samples and their second differences tell, cost little more than a copy. Content up to
/// 0.49 of the sample rate leaves at most 0.05 dB above the ceiling, by ideal interpolation. What has much beyond that
/// may be higher: pink noise that is 10 dB too loud by 0.2 dB, white noise that is 13 dB too loud by 1 dB. Lives in raw
/// memory that a node owns; making and destroying are for the control thread, all else for the audio thread.
public struct LookAheadLimiter: ~Copyable {
  /// How many frames later than its input the output is: 1.3 ms at 48 kHz.
  public static let latency = 64

  /// The level no true peak exceeds: -1 dB, as EBU R 128 asks of a programme, so that a lossy coder or a converter
  /// after it has room for what it adds.
  public static let standardCeiling: Decibels = -1

  /// Limiting begins this far below the ceiling: what sixteen points a sample do not see of a peak between them, and
  /// what a gain that moves adds.
  static let margin: Decibels = 0.03

  /// The most that was taken away in the last block: 1 is nothing, 0.5 is 6 dB.
  public private(set) var lowestGain: Float = 1

  /// How many frames of the last block were not passed bit for bit.
  public private(set) var limitedFrames = 0

  private let threshold: Float
  private let detector = TruePeakDetector()
  private var reduction: GainReduction
  private var history = LimiterHistory()
  private let gains: UnsafeMutablePointer<Float>

  /// - Parameters:
  ///   - ceiling: the level that no true peak exceeds, -60 to 0 dB, to which it is clamped; NaN is -60 dB.
  ///   - sampleRate: in hertz, 1 to 1,000,000, likewise.
  public init(ceiling: Decibels = standardCeiling, sampleRate: Double) {
    threshold = Float((Self.clamped(ceiling) - Self.margin).amplitude)
    reduction = GainReduction(sampleRate: clampedRate(sampleRate))
    gains = .allocate(capacity: blockSize)
    gains.initialize(repeating: 1, count: blockSize)
  }

  deinit { gains.deallocate() }

  /// The nearest ceiling that a limiter can have; the lowest for NaN.
  package static func clamped(_ ceiling: Decibels) -> Decibels { Decibels(min(max(-60, ceiling.value), 0)) }

  /// Limits a block; an output may be the same memory as its input, and right the same as left.
  ///
  /// Infinite samples and NaN become silence, and what is above 60 dB is clipped there first. Returns true when the
  /// output is all zero.
  @_noLocks
  public mutating func process(
    left: UnsafePointer<Float>, right: UnsafePointer<Float>,
    leftOutput: UnsafeMutablePointer<Float>, rightOutput: UnsafeMutablePointer<Float>
  ) -> Bool {
    history.take(left, right)
    lowestGain = 1
    limitedFrames = 0
    let isNeeded = history.highestPeak * detector.bound > threshold && findNeeds()
    if isNeeded || !reduction.isIdle {
      if !isNeeded { reduction.block.update(repeating: 0, count: blockSize) }
      reduction.advance(gains)
      apply(history.left, leftOutput)
      apply(history.right, rightOutput)
      countLimitedFrames()
    } else {
      realtime_copy(leftOutput, history.left, blockSize)
      realtime_copy(rightOutput, history.right, blockSize)
    }
    return history.isSilent
  }

  /// What each of the 64 frames needs whose next 32 are known. Whether any needs something.
  @_noLocks
  private func findNeeds() -> Bool {
    let needs = reduction.block
    needs.update(repeating: 0, count: blockSize)
    let distance = blockSize - TruePeakDetector.lookAhead
    detector.raise(needs, to: history.left + distance, above: threshold)
    detector.raise(needs, to: history.right + distance, above: threshold)
    var isNeeded = false
    for frame in 0..<blockSize {
      let isAbove = needs[frame] > threshold
      needs[frame] = isAbove ? 1 - threshold / needs[frame] : 0
      isNeeded = isNeeded || isAbove
    }
    return isNeeded
  }

  @_noLocks
  private func apply(_ line: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>) {
    for frame in 0..<blockSize { output[frame] = line[frame] * gains[frame] }
  }

  @_noLocks
  private mutating func countLimitedFrames() {
    for frame in 0..<blockSize {
      lowestGain = min(lowestGain, gains[frame])
      if gains[frame] < 1 { limitedFrames &+= 1 }
    }
  }
}
