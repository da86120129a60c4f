@preconcurrency import Glibc

/// The gain of a limiter over time: down before a peak, held, and back up. [audio thread]
///
/// What each frame needs is held over 64 frames, let go by a release, and smoothed over 24 by two running means, so
/// that the reduction is whole from 9 frames before its peak to 31 after it, and never less than any frame needs. The
/// release has two parts: a fast one (60 ms) for a single peak, and a slow one (0.8 s) that grows where peaks follow
/// each other, so that the gain does not breathe with a beat. The fast one waits 15 ms, half a period of 33 Hz, so that
/// it does not follow a bass note's own swings.
struct GainReduction: ~Copyable {
  private static let firstMean = 12
  private static let secondMean = 13
  /// Reductions are summed as whole multiples of 2⁻²⁰, and so exactly: the gain returns to 1 and not beside it.
  private static let scale: Float = 1_048_576
  /// A reduction below this, half a thousandth of a decibel, is over.
  private static let least: Float = 1.0 / 16384

  /// Four blocks: what the frames of the last one needed, of this one, and room to hold both in.
  private let needs: UnsafeMutablePointer<Float>
  private var first: RunningSum
  private var second: RunningSum
  private var fast: Float = 0
  private var slow: Float = 0
  private var hold = 0
  private let holdFrames: Int
  private let fastDecay: Float
  private let slowRise: Float
  private let slowDecay: Float
  private var lastNeededNothing = true

  init(sampleRate: Double) {
    needs = .allocate(capacity: 4 * blockSize)
    needs.initialize(repeating: 0, count: 4 * blockSize)
    first = RunningSum(length: Self.firstMean)
    second = RunningSum(length: Self.secondMean)
    holdFrames = Int(0.015 * sampleRate)
    fastDecay = Float(exp(-1 / (0.06 * sampleRate)))
    slowRise = Float(1 - exp(-1 / (0.3 * sampleRate)))
    slowDecay = Float(1 - exp(-1 / (0.8 * sampleRate)))
  }

  deinit { needs.deallocate() }

  /// Where the share of each frame of a block goes that has to be taken away, 0 to 1, before `advance` is called.
  var block: UnsafeMutablePointer<Float> {
    @_noLocks get { needs + blockSize }
  }

  /// Whether a block that needs nothing will leave every gain at 1.
  var isIdle: Bool {
    @_noLocks get { lastNeededNothing && fast == 0 && slow == 0 && first.sum == 0 && second.sum == 0 }
  }

  /// Writes the gains of 64 frames, which belong to the frames 32 before those of `block`.
  @_noLocks
  mutating func advance(_ gains: UnsafeMutablePointer<Float>) {
    let held = holdNeeds()
    let norm = 1 / (Self.scale * Float(Int32(Self.firstMean * Self.secondMean)))
    for frame in 0..<blockSize {
      let reduction = release(held[frame])
      // Rounded up, so that the gain is never above what is needed, nor below 0.
      let whole = reduction > 0 ? min(Int32(reduction * Self.scale), 1_048_575) &+ 1 : 0
      let sum = second.add(first.add(whole))
      gains[frame] = 1 - Float(sum) * norm
    }
  }

  /// The highest need of each frame and the 63 before it: by powers of two, each the higher of two of the last.
  @_noLocks
  private mutating func holdNeeds() -> UnsafeMutablePointer<Float> {
    let held = needs + 2 * blockSize
    var highest: Float = 0
    for frame in 0..<blockSize {
      held[frame] = needs[frame]
      held[blockSize + frame] = block[frame]
      needs[frame] = block[frame]
      highest = max(highest, block[frame])
    }
    lastNeededNothing = highest == 0
    var distance = 1
    while distance < blockSize {
      var frame = 2 * blockSize - 1
      while frame >= distance {
        held[frame] = max(held[frame], held[frame - distance])
        frame -= 1
      }
      distance *= 2
    }
    return held + blockSize
  }

  @_noLocks
  private mutating func release(_ need: Float) -> Float {
    if need >= fast {
      fast = need
      hold = need > 0 ? holdFrames : 0
    } else if hold > 0 {
      hold -= 1
    } else {
      fast = max(need, fast * fastDecay)
    }
    if fast < Self.least { fast = need }
    slow += (fast - slow) * (fast > slow ? slowRise : slowDecay)
    if slow < Self.least, fast == 0 { slow = 0 }
    return max(fast, slow)
  }
}

/// The sum of the last so many numbers.
private struct RunningSum: ~Copyable {
  private let values: UnsafeMutablePointer<Int32>
  private let length: Int
  private var place = 0
  private(set) var sum: Int32 = 0

  init(length: Int) {
    self.length = length
    values = .allocate(capacity: length)
    values.initialize(repeating: 0, count: length)
  }

  deinit { values.deallocate() }

  @_noLocks
  mutating func add(_ value: Int32) -> Int32 {
    sum = sum &+ value &- values[place]
    values[place] = value
    place = place &+ 1 == length ? 0 : place &+ 1
    return sum
  }
}
