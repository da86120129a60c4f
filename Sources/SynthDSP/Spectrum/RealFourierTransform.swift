@preconcurrency import Glibc

/// The discrete Fourier transform of a real signal, there and back, for taps, callbacks and convolution.
///
/// A spectrum has `binCount` complex bins, real and imaginary parts apart; bin k is k · sampleRate / size hertz. There,
/// nothing is scaled: a sine of amplitude 1 at the frequency of a bin has magnitude size / 2 there. Back, a spectrum
/// gives the signal that it was made from. Rounding adds noise 130 dB below the signal.
///
/// Memory is allocated in `init`; one thread uses it at a time, the audio thread too. Method: half as many complex
/// numbers by Stockham's algorithm, which needs no reordering. Source: C. Van Loan, Computational Frameworks for the
/// Fast Fourier Transform, 1.7 and 4.3.
public struct RealFourierTransform: ~Copyable {
  /// Powers of two.
  public static let sizes = 8...1 << 20

  /// Frames of the signal.
  public let size: Int
  private let half: Int
  /// Cosines and sines of 2π k / size for k below `half`.
  private let cosines: UnsafeMutablePointer<Float>
  private let sines: UnsafeMutablePointer<Float>
  /// Two complex signals of `half` numbers.
  private let work: UnsafeMutablePointer<Float>

  /// - Parameter size: a power of two within `sizes`.
  public init(size: Int) throws(FourierTransformError) {
    guard Self.sizes.contains(size), size & (size - 1) == 0 else { throw FourierTransformError(size: size) }
    self.init(validSize: size)
  }

  init(validSize size: Int) {
    (self.size, half) = (size, size / 2)
    cosines = alignedFloats(half)
    sines = alignedFloats(half)
    work = alignedFloats(4 * half)
    for index in 0..<half {
      let angle = 2 * Double.pi * Double(index) / Double(size)
      (cosines[index], sines[index]) = (Float(cos(angle)), Float(sin(angle)))
    }
  }

  deinit {
    cosines.deallocate()
    sines.deallocate()
    work.deallocate()
  }

  /// Complex bins of a spectrum, from 0 Hz to half the sample rate.
  public var binCount: Int {
    @_noLocks get { half &+ 1 }
  }

  /// The spectrum of `size` samples.
  @_noLocks
  public mutating func forward(
    _ samples: UnsafePointer<Float>, real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>
  ) {
    for index in 0..<half {
      work[index] = samples[2 &* index]
      work[half &+ index] = samples[2 &* index &+ 1]
    }
    let (re, im) = transformWork()
    (real[0], imaginary[0]) = (re[0] + im[0], 0)
    (real[half], imaginary[half]) = (re[0] - im[0], 0)
    // Even samples are the real parts, odd ones the imaginary parts: their spectra are told apart by symmetry.
    for bin in 1..<half {
      let mirror = half &- bin
      let (evenReal, evenImaginary) = ((re[bin] + re[mirror]) / 2, (im[bin] - im[mirror]) / 2)
      let (oddReal, oddImaginary) = ((im[bin] + im[mirror]) / 2, (re[mirror] - re[bin]) / 2)
      real[bin] = evenReal + cosines[bin] * oddReal + sines[bin] * oddImaginary
      imaginary[bin] = evenImaginary + cosines[bin] * oddImaginary - sines[bin] * oddReal
    }
  }

  /// The `size` samples of a spectrum. The imaginary parts of the first and the last bin are taken as 0.
  @_noLocks
  public mutating func inverse(
    real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>, into samples: UnsafeMutablePointer<Float>
  ) {
    // Real and imaginary parts change places, which makes the transform its own inverse.
    (work[half], work[0]) = ((real[0] + real[half]) / 2, (real[0] - real[half]) / 2)
    for bin in 1..<half {
      let mirror = half &- bin
      let (evenReal, evenImaginary) = ((real[bin] + real[mirror]) / 2, (imaginary[bin] - imaginary[mirror]) / 2)
      let (turnedReal, turnedImaginary) = ((real[bin] - real[mirror]) / 2, (imaginary[bin] + imaginary[mirror]) / 2)
      work[half &+ bin] = evenReal - cosines[bin] * turnedImaginary - sines[bin] * turnedReal
      work[bin] = evenImaginary + cosines[bin] * turnedReal - sines[bin] * turnedImaginary
    }
    let (im, re) = transformWork()
    let scale = 1 / Float(Int32(truncatingIfNeeded: half))
    for index in 0..<half {
      samples[2 &* index] = re[index] * scale
      samples[2 &* index &+ 1] = im[index] * scale
    }
  }

  /// The complex transform of the first signal in `work`, and where it is then.
  @_noLocks
  private func transformWork() -> (real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>) {
    var (source, target) = (work, work + 2 &* half)
    var (length, stride) = (half, 1)
    while length > 1 {
      length /= 2
      for place in 0..<length {
        let (input, output) = (source + stride &* place, target + 2 &* stride &* place)
        // The table is for twice as many numbers.
        let (cosine, sine) = (cosines[2 &* place &* stride], sines[2 &* place &* stride])
        if stride < 4 {
          for index in 0..<stride { butterfly(input + index, output + index, stride, stride &* length, cosine, sine) }
        } else {
          butterflies(input, output, stride, stride &* length, cosine, sine)
        }
      }
      swap(&source, &target)
      stride *= 2
    }
    return (source, source + half)
  }

  /// - Parameters:
  ///   - stride: between the two outputs.
  ///   - distance: between the two inputs.
  @_noLocks
  @inline(__always)
  private func butterfly(
    _ input: UnsafeMutablePointer<Float>, _ output: UnsafeMutablePointer<Float>, _ stride: Int, _ distance: Int,
    _ cosine: Float, _ sine: Float
  ) {
    let (aReal, bReal) = (input[0], input[distance])
    let (aImaginary, bImaginary) = (input[half], input[half &+ distance])
    let (real, imaginary) = (aReal - bReal, aImaginary - bImaginary)
    output[0] = aReal + bReal
    output[half] = aImaginary + bImaginary
    output[stride] = real * cosine + imaginary * sine
    output[half &+ stride] = imaginary * cosine - real * sine
  }

  /// A butterfly for each index below `stride`, a multiple of 4.
  @_noLocks
  @inline(__always)
  private func butterflies(
    _ input: UnsafeMutablePointer<Float>, _ output: UnsafeMutablePointer<Float>, _ stride: Int, _ distance: Int,
    _ cosine: Float, _ sine: Float
  ) {
    var index = 0
    while index < stride {
      let (aReal, bReal) = (four(input + index), four(input + distance + index))
      let (aImaginary, bImaginary) = (four(input + half + index), four(input + half + distance + index))
      let (real, imaginary) = (aReal.pointee - bReal.pointee, aImaginary.pointee - bImaginary.pointee)
      four(output + index).pointee = aReal.pointee + bReal.pointee
      four(output + half + index).pointee = aImaginary.pointee + bImaginary.pointee
      four(output + stride + index).pointee = real * cosine + imaginary * sine
      four(output + half + stride + index).pointee = imaginary * cosine - real * sine
      index &+= 4
    }
  }

  @_noLocks
  @inline(__always)
  private func four(_ place: UnsafeMutablePointer<Float>) -> UnsafeMutablePointer<SIMD4<Float>> {
    UnsafeMutableRawPointer(place).assumingMemoryBound(to: SIMD4<Float>.self)
  }
}

/// A transform that cannot be made.
public struct FourierTransformError: Error, Equatable, CustomStringConvertible {
  /// In frames.
  public let size: Int

  public var description: String {
    let sizes = RealFourierTransform.sizes
    return "making a Fourier transform of \(size) frames: the size must be a power of two; "
      + "choose one from \(sizes.lowerBound) to \(sizes.upperBound)"
  }
}

/// Zeros in memory of their own, at the start of a cache line.
func alignedFloats(_ count: Int) -> UnsafeMutablePointer<Float> {
  UnsafeMutableRawPointer.allocate(byteCount: max(1, count) * MemoryLayout<Float>.stride, alignment: 64)
    .initializeMemory(as: Float.self, repeating: 0, count: max(1, count))
}
