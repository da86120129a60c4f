/// Convolution with a stretch of impulse responses in partitions of one length: a partition of sound is complete when
/// it begins to be heard. [audio thread]
///
/// The spectra of the last partitions of sound are multiplied by those of the responses, and the products added
/// (overlap and save). Source: T. G. Stockham, High-Speed Convolution and Correlation, AFIPS 28 (1966); the delay line
/// of spectra: G. Garcia (2002).
struct PartitionedConvolution: ~Copyable {
  private let length: Int
  private let partitionCount: Int
  private let inputCount: Int
  private let outputCount: Int
  private let pathCount: Int
  private let routes: UnsafeMutablePointer<(input: Int, output: Int)>
  private var transform: RealFourierTransform
  /// Floats of a spectrum: real parts, then imaginary parts, each a whole number of vectors.
  private let half: Int
  /// For each input the last partition and the present one, and the spectra of the last partitions in a ring.
  private let windows: UnsafeMutablePointer<Float>
  private let sounds: UnsafeMutablePointer<Float>
  /// For each path the spectra of its response.
  private let responses: UnsafeMutablePointer<Float>
  /// For each output a sum of spectra.
  private let sums: UnsafeMutablePointer<Float>
  private let result: UnsafeMutablePointer<Float>
  /// The place in the ring of the latest spectrum.
  private var latest = 0

  /// - Parameter frames: the stretch of the responses.
  init(_ paths: [Convolver.Path], frames: Range<Int>, partition length: Int) {
    self.length = length
    partitionCount = (frames.count + length - 1) / length
    inputCount = 1 + (paths.map(\.input).max() ?? 0)
    outputCount = 1 + (paths.map(\.output).max() ?? 0)
    pathCount = paths.count
    routes = .allocate(capacity: max(1, paths.count))
    for (index, path) in paths.enumerated() { (routes + index).initialize(to: (path.input, path.output)) }
    transform = RealFourierTransform(validSize: 2 * length)
    half = (length + 1 + 7) / 8 * 8
    windows = alignedFloats(inputCount * 2 * length)
    sounds = alignedFloats(inputCount * partitionCount * 2 * half)
    responses = alignedFloats(pathCount * partitionCount * 2 * half)
    sums = alignedFloats(outputCount * 2 * half)
    result = alignedFloats(2 * length)
    for (index, path) in paths.enumerated() { place(path.response, frames, ofPath: index) }
  }

  deinit {
    routes.deallocate()
    for memory in [windows, sounds, responses, sums, result] { memory.deallocate() }
  }

  private mutating func place(_ response: [Float], _ frames: Range<Int>, ofPath path: Int) {
    for partition in 0..<partitionCount {
      let start = frames.lowerBound + partition * length
      for frame in 0..<2 * length {
        let isWithin = frame < length && start + frame < min(response.count, frames.upperBound)
        result[frame] = isWithin ? response[start + frame] : 0
      }
      let spectrum = responses + (path * partitionCount + partition) * 2 * half
      transform.forward(result, real: spectrum, imaginary: spectrum + half)
    }
  }

  /// Takes samples of the present partition of an input.
  @_noLocks
  func take(_ input: Int, _ samples: UnsafePointer<Float>, at place: Int, count: Int) {
    let window = windows + (2 &* input &+ 1) &* length + place
    for frame in 0..<count { window[frame] = samples[frame] }
  }

  /// The present partition of all inputs is complete: a new sum begins.
  @_noLocks
  mutating func begin() {
    guard partitionCount > 0 else { return }
    latest = latest == 0 ? partitionCount &- 1 : latest &- 1
    for input in 0..<inputCount {
      let (window, spectrum) = (windows + 2 &* length &* input, spectrum(ofInput: input, latest))
      transform.forward(window, real: spectrum, imaginary: spectrum + half)
      for frame in 0..<length { window[frame] = window[length &+ frame] }
    }
    for index in 0..<outputCount &* 2 &* half { sums[index] = 0 }
  }

  /// Adds a share of the products to the sums.
  @_noLocks
  func accumulate(part: Int, of count: Int) {
    let (first, end) = (partitionCount &* part / count, partitionCount &* (part &+ 1) / count)
    for path in 0..<pathCount {
      let (input, output) = routes[path]
      let sum = sums + output &* 2 &* half
      for partition in first..<end {
        var place = latest &+ partition
        if place >= partitionCount { place &-= partitionCount }
        let response = responses + (path &* partitionCount &+ partition) &* 2 &* half
        multiply(spectrum(ofInput: input, place), response, addingTo: sum)
      }
    }
  }

  /// The partition of an output that the sum is.
  @_noLocks
  mutating func finish(_ output: Int, into samples: UnsafeMutablePointer<Float>) {
    let sum = sums + output &* 2 &* half
    transform.inverse(real: sum, imaginary: sum + half, into: result)
    for frame in 0..<length { samples[frame] = result[length &+ frame] }
  }

  @_noLocks
  private func spectrum(ofInput input: Int, _ place: Int) -> UnsafeMutablePointer<Float> {
    sounds + (input &* partitionCount &+ place) &* 2 &* half
  }

  @_noLocks
  @inline(__always)
  private func multiply(
    _ one: UnsafeMutablePointer<Float>, _ other: UnsafeMutablePointer<Float>,
    addingTo sum: UnsafeMutablePointer<Float>
  ) {
    let (a, b, c) = (vectors(one), vectors(other), vectors(sum))
    let count = half / 8
    for index in 0..<count {
      let (aReal, aImaginary) = (a[index], a[count &+ index])
      let (bReal, bImaginary) = (b[index], b[count &+ index])
      c[index] += aReal * bReal - aImaginary * bImaginary
      c[count &+ index] += aReal * bImaginary + aImaginary * bReal
    }
  }

  @_noLocks
  @inline(__always)
  private func vectors(_ floats: UnsafeMutablePointer<Float>) -> UnsafeMutablePointer<SIMD8<Float>> {
    UnsafeMutableRawPointer(floats).assumingMemoryBound(to: SIMD8<Float>.self)
  }
}
