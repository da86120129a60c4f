import CSynthSampling

/// A recorded wave in memory, and the piece of it that a voice plays.
///
/// The owner of the memory keeps it alive, and its pages present, as long as a voice reads it.
public struct SampledWave: BitwiseCopyable, @unchecked Sendable {
  // Unchecked because of the pointers, to memory that does not change.

  /// The upper 16 bits of each sample.
  public var words: UnsafePointer<Int16>
  /// The lowest eight bits of each sample of 24 bits.
  public var lowBytes: UnsafePointer<UInt8>?
  /// The first word that is played.
  public var start: Int
  /// The word after the last that is played without a loop; behind `start`.
  public var end: Int
  /// The first word of the loop; at least `start`.
  public var loopStart: Int
  /// The word after the loop's last; behind `loopStart`, unless the wave is never looped.
  public var loopEnd: Int

  @_noLocks
  public init(
    words: UnsafePointer<Int16>, lowBytes: UnsafePointer<UInt8>? = nil, start: Int, end: Int, loopStart: Int = 0,
    loopEnd: Int = 0
  ) {
    self.words = words
    self.lowBytes = lowBytes
    self.start = start
    self.end = end
    self.loopStart = loopStart
    self.loopEnd = loopEnd
  }
}

extension SampledWave {
  /// Writes neighbouring words as numbers within ±32,768. [audio thread]
  @_noLocks
  func copy(_ first: Int, count: Int, into numbers: UnsafeMutablePointer<Float>) {
    let words = words + first
    sampling_convert(words, numbers, count)
    guard let lowBytes else { return }
    let bytes = lowBytes + first
    for index in 0..<count { numbers[index] += Float(Int32(bytes[index])) * 0.003_906_25 }
  }

  /// Writes one word's number many times. [audio thread]
  @_noLocks
  func repeatWord(_ index: Int, count: Int, into numbers: UnsafeMutablePointer<Float>) {
    copy(index, count: 1, into: numbers)
    for place in 1..<max(1, count) { numbers[place] = numbers[0] }
  }
}
