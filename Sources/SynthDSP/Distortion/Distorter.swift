import CSynthRealtime

/// Bends one channel at eight times its rate, and takes away what would alias when it returns to that rate.
///
/// Both low passes are of linear phase: the first lets pass what is below 0.417 of the sample rate and leaves -100 dB
/// of images from 0.583 on, the second leaves -90 dB from 0.5 on. Lives in raw memory that a node owns; making and
/// destroying are for the control thread, all else for the audio thread.
public struct Distorter: ~Copyable {
  /// How many frames later than its input the output is: at eight times the rate 159.5 samples for the first filter,
  /// 280 for the second, and half of one for the curve.
  public static var latency: Int { @_noLocks get { 55 } }
  /// After how many frames of silence nothing is left.
  public static var tail: Int { @_noLocks get { firstLength &+ secondLength } }

  /// In frames.
  private static var firstLength: Int { @_noLocks get { 40 } }
  private static var secondLength: Int { @_noLocks get { 70 } }
  private static var oversampling: Int { @_noLocks get { 8 } }
  /// How many samples a curve bends in a block.
  private static var bentCount: Int { @_noLocks get { oversampling * blockSize } }

  /// For each frame back, its share in the eight samples of a frame.
  private let first: UnsafeMutablePointer<SIMD8<Float>>
  /// For each eight samples back, their shares in a frame, the oldest first.
  private let second: UnsafeMutablePointer<SIMD8<Float>>
  /// `firstLength` frames before the block, and the block.
  private let input: UnsafeMutablePointer<Float>
  /// The samples between the filters before they are bent: the last of the block before, and the block's.
  private let straight: UnsafeMutablePointer<Float>
  /// Bent samples: `secondLength` frames of them before the block, and the block's; and room for one more block.
  private let bent: UnsafeMutablePointer<Float>

  public init() {
    let (length, oversampling) = (Double(Self.firstLength), Double(Self.oversampling))
    let images = WindowedSinc.taps(
      count: Self.firstLength * Self.oversampling, cutoff: 0.5 / oversampling,
      centre: (length * oversampling - 1) / 2, beta: 10)
    let aliases = WindowedSinc.taps(
      count: Self.secondLength * Self.oversampling, cutoff: 0.458 / oversampling, centre: 280, beta: 9)
    first = .allocate(capacity: Self.firstLength)
    for frame in 0..<Self.firstLength {
      var share = SIMD8<Float>()
      for phase in 0..<8 { share[phase] = Float(8 * images[8 * frame + phase]) }
      (first + frame).initialize(to: share)
    }
    second = .allocate(capacity: Self.secondLength)
    for frame in 0..<Self.secondLength {
      var share = SIMD8<Float>()
      for phase in 0..<8 { share[phase] = Float(aliases[8 * frame + 7 - phase]) }
      (second + frame).initialize(to: share)
    }
    input = Self.zeros(Self.firstLength + blockSize)
    straight = Self.zeros(1 + Self.bentCount)
    bent = Self.zeros(Self.secondLength * Self.oversampling + 2 * Self.bentCount)
  }

  private static func zeros(_ count: Int) -> UnsafeMutablePointer<Float> {
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: count)
    samples.initialize(repeating: 0, count: count)
    return samples
  }

  deinit {
    first.deallocate()
    second.deallocate()
    input.deallocate()
    straight.deallocate()
    bent.deallocate()
  }

  /// Bends a block.
  ///
  /// - Parameters:
  ///   - gains: those before the curve, for each frame.
  ///   - last: the shape that `shape` fades in from over the block.
  @_noLocks
  public func process(
    _ source: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>, gains: UnsafePointer<Float>,
    shape: WaveShape, from last: WaveShape?
  ) {
    scaleBlock(source, into: input + Self.firstLength, gains: gains, count: blockSize)
    straight[0] = straight[Self.bentCount]
    for frame in 0..<blockSize { raise(frame) }
    bend(shape, from: last)
    for frame in 0..<blockSize { output[frame] = lower(frame) }
    for place in 0..<Self.firstLength { input[place] = input[place + blockSize] }
    for place in 0..<Self.secondLength * Self.oversampling { bent[place] = bent[place + Self.bentCount] }
  }

  @_noLocks
  @inline(__always)
  private func raise(_ frame: Int) {
    var sum = SIMD8<Float>(repeating: 0)
    let newest = input + Self.firstLength + frame
    for back in 0..<Self.firstLength { sum += first[back] * newest[-back] }
    UnsafeMutableRawPointer(straight + 1 + 8 * frame).storeBytes(of: sum, as: SIMD8<Float>.self)
  }

  @_noLocks
  private func bend(_ shape: WaveShape, from last: WaveShape?) {
    let present = bent + Self.secondLength * Self.oversampling
    shape.bend(straight + 1, into: present, count: Self.bentCount)
    guard let last else { return }
    let old = present + Self.bentCount
    last.bend(straight + 1, into: old, count: Self.bentCount)
    for place in 0..<Self.bentCount {
      let share = Float(Int32(truncatingIfNeeded: place &+ 1)) / Float(Int32(truncatingIfNeeded: Self.bentCount))
      present[place] = old[place] + (present[place] - old[place]) * share
    }
  }

  @_noLocks
  @inline(__always)
  private func lower(_ frame: Int) -> Float {
    var sum = SIMD8<Float>(repeating: 0)
    // The newest eight samples end with the first of the frame.
    let newest = UnsafeRawPointer(bent + Self.secondLength * Self.oversampling + 8 * frame - 7)
    for back in 0..<Self.secondLength {
      sum += second[back] * newest.loadUnaligned(fromByteOffset: -32 &* back, as: SIMD8<Float>.self)
    }
    return sum.sum()
  }
}
