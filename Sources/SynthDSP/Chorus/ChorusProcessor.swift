import CSynthSampling
@preconcurrency import Glibc

/// A chorus, stereo in and out, wet only: two voices a side, each a delay that swings.
///
/// The four swings are a quarter of a turn apart, so that the two of a side are opposite and the sides differ. They are
/// sines made by rotation, frame by frame, read with Lagrange's cubic, and a change of depth or feedback is drawn over
/// 50 ms: nothing in it has steps. Lives in raw memory that a node owns; making and destroying are for the control
/// thread, all else for the audio thread.
public struct ChorusProcessor: ~Copyable {
  /// The least delay, in milliseconds: below the swing there is always this.
  private static let leastDelay: Float = 1
  /// Where the magnitudes of a block add up to less, -140 dB, it counts as silent.
  private static let silence: Float = 1e-7

  private let radiansPerHertz: Float
  private var motion: ChorusMotion

  private let left: UnsafeMutablePointer<Float>
  private let right: UnsafeMutablePointer<Float>
  private let mask: Int
  private var place = 0
  private var silentBlocks: Int32
  /// As many silent blocks as the longest delay has: then there is nothing left in it.
  private let lastingBlocks: Int32

  /// - Parameter sampleRate: in hertz, 1000 to 768,000, to which it is clamped.
  public init(type: ChorusType = .chorus3, sampleRate: Double) {
    let sampleRate = clampedRate(sampleRate, to: 1000...768_000)
    radiansPerHertz = Float(2 * Double.pi / sampleRate)
    motion = ChorusMotion(
      type.setting, smoothing: Float(1 - exp(-1 / (0.05 * sampleRate))),
      samplesPerMillisecond: Float(sampleRate / 1000), leastDelay: Self.leastDelay)
    motion.aim(type.setting, radiansPerHertz: radiansPerHertz)
    var capacity = 64
    while Double(capacity) < 0.042 * sampleRate + 8 { capacity *= 2 }
    mask = capacity - 1
    left = .allocate(capacity: capacity)
    right = .allocate(capacity: capacity)
    left.initialize(repeating: 0, count: capacity)
    right.initialize(repeating: 0, count: capacity)
    lastingBlocks = Int32(capacity / blockSize + 1)
    silentBlocks = lastingBlocks
  }

  deinit {
    left.deallocate()
    right.deallocate()
  }

  /// Asks for another setting.
  @_noLocks
  public mutating func set(_ setting: ChorusSetting) { motion.aim(setting, radiansPerHertz: radiansPerHertz) }

  /// Gives a block of chorus; an output may be the same memory as its input.
  ///
  /// Tell by `inputIsSilent` that the input is all zero. Returns true when the output is all zero too: once what was in
  /// the delays has gone, it costs next to nothing.
  @_noLocks
  public mutating func process(
    left input: UnsafePointer<Float>, right rightInput: UnsafePointer<Float>,
    leftOutput: UnsafeMutablePointer<Float>, rightOutput: UnsafeMutablePointer<Float>, inputIsSilent: Bool
  ) -> Bool {
    if inputIsSilent, silentBlocks >= lastingBlocks {
      leftOutput.update(repeating: 0, count: blockSize)
      rightOutput.update(repeating: 0, count: blockSize)
      return true
    }
    let sum = chorus_process(
      &motion, left, right, mask, place, input, rightInput, leftOutput, rightOutput)
    place = (place &+ blockSize) & mask
    motion.pullBack()
    // One bad frame from upstream would otherwise circulate for good.
    if !(sum < .infinity) {
      clear()
      leftOutput.update(repeating: 0, count: blockSize)
      rightOutput.update(repeating: 0, count: blockSize)
    }
    silentBlocks = inputIsSilent && sum < Self.silence ? silentBlocks &+ 1 : 0
    if silentBlocks == lastingBlocks { clear() }
    return false
  }

  @_noLocks
  private mutating func clear() {
    left.update(repeating: 0, count: mask &+ 1)
    right.update(repeating: 0, count: mask &+ 1)
    silentBlocks = lastingBlocks
  }
}

/// How a chorus swings, and how it comes to swing otherwise. [audio thread]
private struct ChorusMotion: BitwiseCopyable {
  // In the order of `chorus_motion`.
  private var depth: Float
  private var feedback: Float
  /// Cosine and sine of the first voice's angle; the other voices' are the same by turns.
  private var cosine: Float = 1
  private var sine: Float = 0
  private var wantedDepth: Float
  private var wantedFeedback: Float
  private let smoothing: Float
  private var turnCosine: Float = 1
  private var turnSine: Float = 0
  private let samplesPerMillisecond: Float
  /// In samples.
  private let leastDelay: Float

  /// - Parameter leastDelay: in milliseconds.
  init(_ setting: ChorusSetting, smoothing: Float, samplesPerMillisecond: Float, leastDelay: Float) {
    (depth, feedback) = (setting.depth, setting.feedback)
    (wantedDepth, wantedFeedback) = (depth, feedback)
    self.smoothing = smoothing
    self.samplesPerMillisecond = samplesPerMillisecond
    self.leastDelay = leastDelay * samplesPerMillisecond
  }

  @_noLocks
  mutating func aim(_ setting: ChorusSetting, radiansPerHertz: Float) {
    (wantedDepth, wantedFeedback) = (setting.depth, setting.feedback)
    // A turn by so small an angle: two terms of each series are exact to a float.
    let angle = setting.rate * radiansPerHertz
    (turnCosine, turnSine) = (1 - angle * angle / 2, angle - angle * angle * angle / 6)
  }

  /// Rounding would let the circle grow or shrink.
  @_noLocks
  mutating func pullBack() {
    let correction = 1.5 - 0.5 * (cosine * cosine + sine * sine)
    cosine *= correction
    sine *= correction
  }
}
