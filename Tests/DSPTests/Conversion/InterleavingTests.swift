import SynthDSP
import TestSupport
import Testing

/// Interleaves whole channels and gives the bytes written, between two guard bytes that must survive.
private func interleaved(_ channels: [[Float]], as format: SampleFormat) -> [UInt8] {
  let frameCount = channels.first?.count ?? 0
  let pointers = channels.map { channel in
    let copy = UnsafeMutablePointer<Float>.allocate(capacity: channel.count)
    copy.initialize(from: channel, count: channel.count)
    return copy
  }
  defer { for pointer in pointers { pointer.deallocate() } }
  var bytes = [UInt8](repeating: 0xAA, count: frameCount * channels.count * format.byteCount + 2)
  bytes.withUnsafeMutableBytes { bytes in
    guard let base = bytes.baseAddress else { return }
    pointers.withUnsafeBufferPointer { pointers in
      guard let first = pointers.baseAddress else { return }
      interleave(first, channelCount: channels.count, frameCount: frameCount, into: base + 1, as: format)
    }
  }
  #expect(bytes.first == 0xAA && bytes.last == 0xAA)
  return Array(bytes.dropFirst().dropLast())
}

/// One channel as signed integers, whatever their width.
private func integers(_ samples: [Float], as format: SampleFormat) -> [Int] {
  let bytes = interleaved([samples], as: format)
  return stride(from: 0, to: bytes.count, by: format.byteCount).map { start in
    let word = bytes[start..<start + format.byteCount].reversed().reduce(0) { $0 << 8 | Int($1) }
    let bits = format.byteCount * 8
    return word >= 1 << (bits - 1) ? word - 1 << bits : word
  }
}

@Test("Full scale, half scale and zero become the integers of each width")
func simpleNumbers() {
  let samples: [Float] = [0, 0.5, -0.5, -1, 1]
  #expect(integers(samples, as: .int16) == [0, 16384, -16384, -32768, 32767])
  #expect(integers(samples, as: .int24) == [0, 4_194_304, -4_194_304, -8_388_608, 8_388_607])
  #expect(integers(samples, as: .int24Packed) == [0, 4_194_304, -4_194_304, -8_388_608, 8_388_607])
  #expect(integers(samples, as: .int32) == [0, 1 << 30, -(1 << 30), -(1 << 31), (1 << 31) - 1])
}

@Test("Samples beyond full scale saturate, infinities too, and NaN is silence", arguments: SampleFormat.integerCases)
func saturation(format: SampleFormat) {
  let top = integers([1], as: format)[0]
  let samples: [Float] = [1.5, -1.5, .infinity, -.infinity, 3e38, .nan, -.nan, -0.0]
  #expect(integers(samples, as: format) == [top, -top - 1, top, -top - 1, top, 0, 0, 0])
}

@Test("Half a step rounds to the even neighbour, on both sides of zero")
func roundsHalfToEven() {
  let step: Float = 1 / 32768
  #expect(integers([0.5, 1.5, 2.5, -0.5, -1.5, 0.49, 0.51].map { $0 * step }, as: .int16) == [0, 2, 2, 0, -2, 0, 1])
}

@Test("The result is the double-precision rounding of the sample, for random samples of every size")
func equalsDoubleRounding() {
  var random = SplitMix64(seed: 1)
  let samples = (0..<10_000).map { _ in
    Float(Double(Int64(bitPattern: random.next())) / 0x1p63)
      * Float(sign: .plus, exponent: -Int.random(in: 0..<33, using: &random), significand: 1)
  }
  for (format, bits) in [(SampleFormat.int16, 16), (.int24, 24), (.int24Packed, 24), (.int32, 32)] {
    let scale = Double(1 << (bits - 1))
    let expected = samples.map { Int(min((Double($0) * scale).rounded(.toNearestOrEven), scale - 1)) }
    #expect(integers(samples, as: format) == expected)
  }
}

@Test("Channels alternate frame by frame, for any number of channels and frames", arguments: 1...9)
func interleavesChannels(channelCount: Int) {
  for frameCount in [0, 1, 7, 8, 9, 17] {
    let channels = (0..<channelCount).map { channel in (0..<frameCount).map { Float($0 * 16 + channel) / 32768 } }
    let expected = (0..<frameCount).flatMap { frame in (0..<channelCount).map { frame * 16 + $0 } }
    let bytes = interleaved(channels, as: .int16)
    #expect(stride(from: 0, to: bytes.count, by: 2).map { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 } == expected)
  }
}

@Test("Float samples pass bit by bit, NaN and beyond full scale included")
func floatsPass() {
  let samples: [Float] = [0, -0.0, 1, -2.5, .infinity, .nan, .leastNonzeroMagnitude, 0.1, 0.2]
  #expect(
    interleaved([samples], as: .float32)
      == samples.flatMap { sample in
        (0..<4).map { UInt8(truncatingIfNeeded: sample.bitPattern >> (8 * $0)) }
      })
}

extension SampleFormat {
  static let integerCases: [SampleFormat] = [.int16, .int24, .int24Packed, .int32]
}
