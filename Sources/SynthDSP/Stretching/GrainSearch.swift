/// Finds where a sound goes on most like it does at a place: the grain that follows without being heard as another.
///
/// Normalised correlation of the channels' sum, first of means of a few frames, then frame by frame about the best
/// (waveform similarity, Verhelst and Roelands, ICASSP 1993). [audio thread]
struct GrainSearch: ~Copyable {
  private let longest: Int
  private let reference: UnsafeMutablePointer<Float>
  private let field: UnsafeMutablePointer<Float>
  private let means: UnsafeMutablePointer<Float>
  private let channel: UnsafeMutablePointer<Float>

  /// - Parameters:
  ///   - longestRange: the most frames that are looked at to each side.
  ///   - longest: the most frames that are compared.
  init(longestRange: Int, longest: Int) {
    self.longest = longest
    func memory(_ count: Int) -> UnsafeMutablePointer<Float> {
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: count)
      memory.initialize(repeating: 0, count: count)
      return memory
    }
    reference = memory(longest)
    field = memory(longest + 2 * longestRange + 1)
    means = memory(longest + longestRange)
    channel = memory(longest + 2 * longestRange + 1)
  }

  deinit {
    reference.deallocate()
    field.deallocate()
    means.deallocate()
    channel.deallocate()
  }

  /// By how many frames a grain is to be shifted from a frame of the sound, nearly by `wanted`.
  ///
  /// - Parameters:
  ///   - range: how far from the wanted shift it may be.
  ///   - count: how many frames are compared.
  @_noLocks
  func shift(of frame: Int64, wanted: Int, range: Int, count: Int, in pages: FramePages) -> Int {
    let count = min(count, longest)
    let width = max(4, (count &+ 143) / 144)
    let (length, span) = (count / width, count &+ 2 &* range &+ 1)
    guard length > 1 else { return wanted }
    let first = wanted &- range
    collect(pages, from: frame, count: count, into: reference)
    collect(pages, from: frame &+ Int64(first), count: span, into: field)
    let (coarse, spanMeans) = (means, means + length)
    average(reference, width, length, into: coarse)
    average(field, width, span / width, into: spanMeans)
    let lags = span / width &- length
    var (best, bestScore) = (range / width, -Float.infinity)
    for lag in 0...lags {
      let score = score(coarse, spanMeans + lag, count: length, stride: 1)
      if score > bestScore { (best, bestScore) = (lag, score) }
    }
    let (low, high) = (max(0, (best &- 1) &* width), min(2 &* range, (best &+ 1) &* width))
    var fine = low
    bestScore = -.infinity
    for lag in low...max(low, high) {
      let score = score(reference, field + lag, count: count, stride: max(1, width / 4))
      if score > bestScore { (fine, bestScore) = (lag, score) }
    }
    return first &+ fine
  }

  /// The sum of the channels.
  @_noLocks
  private func collect(_ pages: FramePages, from start: Int64, count: Int, into sum: UnsafeMutablePointer<Float>) {
    pages.copy(0, from: start, count: count, to: sum)
    for number in 1..<max(1, pages.channelCount) {
      pages.copy(number, from: start, count: count, to: channel)
      for frame in 0..<count { sum[frame] += channel[frame] }
    }
  }

  @_noLocks
  private func average(
    _ samples: UnsafeMutablePointer<Float>, _ width: Int, _ count: Int, into means: UnsafeMutablePointer<Float>
  ) {
    for index in 0..<count {
      var sum: Float = 0
      for frame in index &* width..<(index &+ 1) &* width { sum += samples[frame] }
      means[index] = sum
    }
  }

  /// The square of the normalised correlation, with its sign, but for the reference's own energy.
  @_noLocks
  private func score(
    _ first: UnsafeMutablePointer<Float>, _ second: UnsafeMutablePointer<Float>, count: Int, stride: Int
  ) -> Float {
    var (products, squares) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 0))
    var index = 0
    while index &+ 8 &* stride <= count {
      var (a, b) = (SIMD8<Float>(), SIMD8<Float>())
      for lane in 0..<8 {
        a[lane] = first[index &+ lane &* stride]
        b[lane] = second[index &+ lane &* stride]
      }
      products += a * b
      squares += b * b
      index &+= 8 &* stride
    }
    let (product, square) = (products.sum(), squares.sum())
    return product * abs(product) / (square + 1e-9)
  }
}
