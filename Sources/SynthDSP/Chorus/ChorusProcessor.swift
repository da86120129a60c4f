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

  private let samplesPerMillisecond: Float
  private let smoothing: Float
  private let radiansPerHertz: Float
  private var wanted: ChorusSetting
  private var depth: Float
  private var feedback: Float
  /// Cosine and sine of the first voice's angle; the other voices' are the same by turns.
  private var cosine: Float = 1
  private var sine: Float = 0

  private let left: UnsafeMutablePointer<Float>
  private let right: UnsafeMutablePointer<Float>
  private let mask: Int
  private var place = 0
  private var silentBlocks: Int32
  /// As many silent blocks as the longest delay has: then there is nothing left in it.
  private let lastingBlocks: Int32

  public init(type: ChorusType = .chorus3, sampleRate: Double) {
    samplesPerMillisecond = Float(sampleRate / 1000)
    smoothing = Float(1 - exp(-1 / (0.05 * sampleRate)))
    radiansPerHertz = Float(2 * Double.pi / sampleRate)
    wanted = type.setting
    depth = wanted.depth
    feedback = wanted.feedback
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
  public mutating func set(_ setting: ChorusSetting) { wanted = setting }

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
    // A turn by so small an angle: two terms of each series are exact to a float.
    let angle = wanted.rate * radiansPerHertz
    let (turnCosine, turnSine) = (1 - angle * angle / 2, angle - angle * angle * angle / 6)
    var sum: Float = 0
    for frame in 0..<blockSize {
      depth += (wanted.depth - depth) * smoothing
      feedback += (wanted.feedback - feedback) * smoothing
      (cosine, sine) = (cosine * turnCosine - sine * turnSine, sine * turnCosine + cosine * turnSine)
      let swing = depth * 0.5 * samplesPerMillisecond
      let centre = swing + Self.leastDelay * samplesPerMillisecond + 2
      let places = SIMD4(sine, -sine, cosine, -cosine) * swing + centre
      let wholes = SIMD4(Int32(places.x), Int32(places.y), Int32(places.z), Int32(places.w))
      let parts = places - SIMD4(Float(wholes.x), Float(wholes.y), Float(wholes.z), Float(wholes.w))
      let weights = CubicWeights(1 - parts)
      let l = (read(left, wholes.x, weights, 0) + read(left, wholes.y, weights, 1)) * 0.5
      let r = (read(right, wholes.z, weights, 2) + read(right, wholes.w, weights, 3)) * 0.5
      left[place] = input[frame] + l * feedback
      right[place] = rightInput[frame] + r * feedback
      place = (place &+ 1) & mask
      leftOutput[frame] = l
      rightOutput[frame] = r
      sum += abs(l) + abs(r)
    }
    // Rounding would let the circle grow or shrink; this pulls it back.
    let correction = 1.5 - 0.5 * (cosine * cosine + sine * sine)
    cosine *= correction
    sine *= correction
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

  /// What was written so many frames ago, by one of four lanes of weights.
  @_noLocks @inline(__always)
  private func read(
    _ samples: UnsafeMutablePointer<Float>, _ frames: Int32, _ weights: CubicWeights, _ lane: Int
  ) -> Float {
    let first = place &- Int(frames) &- 2
    return samples[first & mask] * weights.w0[lane] + samples[(first &+ 1) & mask] * weights.w1[lane]
      + samples[(first &+ 2) & mask] * weights.w2[lane] + samples[(first &+ 3) & mask] * weights.w3[lane]
  }

  @_noLocks
  private mutating func clear() {
    left.update(repeating: 0, count: mask &+ 1)
    right.update(repeating: 0, count: mask &+ 1)
    silentBlocks = lastingBlocks
  }
}
