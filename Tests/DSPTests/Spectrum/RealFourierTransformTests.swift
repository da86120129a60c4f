@preconcurrency import Glibc
import SynthDSP
import Testing

@Suite("A Fourier transform")
struct RealFourierTransformTests {
  @Test("of noise is what its definition says, and back it is the noise", arguments: [8, 16, 32, 128, 2048])
  func definition(size: Int) throws {
    var transform = try RealFourierTransform(size: size)
    let samples = (0..<size).map { _ in Float.random(in: -1...1) }
    var (real, imaginary) = ([Float](repeating: 9, count: size / 2 + 1), [Float](repeating: 9, count: size / 2 + 1))
    transform.forward(samples, real: &real, imaginary: &imaginary)
    #expect(transform.binCount == real.count)
    for bin in stride(from: 0, through: size / 2, by: max(1, size / 64)) {
      var (x, y) = (0.0, 0.0)
      for (frame, sample) in samples.enumerated() {
        let angle = 2 * Double.pi * Double(bin * frame % size) / Double(size)
        (x, y) = (x + Double(sample) * cos(angle), y - Double(sample) * sin(angle))
      }
      #expect(abs(x - Double(real[bin])) < 1e-5 * Double(size).squareRoot() * 4, "\(bin)")
      #expect(abs(y - Double(imaginary[bin])) < 1e-5 * Double(size).squareRoot() * 4, "\(bin)")
    }
    var back = [Float](repeating: 9, count: size)
    transform.inverse(real: real, imaginary: imaginary, into: &back)
    #expect(zip(samples, back).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  @Test("of a sine in the middle of a bin is that bin")
  func sine() throws {
    var transform = try RealFourierTransform(size: 1024)
    let samples = (0..<1024).map { Float(sin(2 * Double.pi * 5 * Double($0) / 1024)) }
    var (real, imaginary) = ([Float](repeating: 0, count: 513), [Float](repeating: 0, count: 513))
    transform.forward(samples, real: &real, imaginary: &imaginary)
    for bin in 0...512 {
      #expect(abs(real[bin]) < 1e-3 && abs(imaginary[bin] - (bin == 5 ? -512 : 0)) < 1e-3, "\(bin)")
    }
  }

  @Test("of another size is refused", arguments: [0, -8, 4, 12, 1 << 21, .max, .min])
  func refusal(size: Int) {
    #expect(throws: FourierTransformError.self) { _ = try RealFourierTransform(size: size).size }
  }
}
