import SynthDSP
import TestSupport
import Testing

@Test("What was interleaved comes back in every format, channel by channel", arguments: SampleFormat.allCases)
func comesBack(format: SampleFormat) {
  let frameCount = 37
  let channelCount = 3
  func buffers() -> [UnsafeMutablePointer<Float>] {
    (0..<channelCount).map { _ in
      let channel = UnsafeMutablePointer<Float>.allocate(capacity: frameCount)
      channel.initialize(repeating: 9, count: frameCount)
      return channel
    }
  }
  let (sources, results) = (buffers(), buffers())
  defer { for channel in sources + results { channel.deallocate() } }
  for channel in 0..<channelCount {
    // Whole 32768ths from −1 on, which every format holds.
    for frame in 0..<frameCount { sources[channel][frame] = Float(frame * 1700 + channel - 32768) / 32768 }
  }
  // One byte in, as samples need no alignment.
  var bytes = [UInt8](repeating: 0, count: frameCount * channelCount * format.byteCount + 1)
  bytes.withUnsafeMutableBytes { bytes in
    let base = bytes.baseAddress! + 1
    interleave(sources, channelCount: channelCount, frameCount: frameCount, into: base, as: format)
    deinterleave(base, as: format, channelCount: channelCount, frameCount: frameCount, into: results)
  }
  for channel in 0..<channelCount {
    for frame in 0..<frameCount { #expect(results[channel][frame] == sources[channel][frame]) }
  }
}

@Test("The upper byte of 24-bit samples in words does not matter")
func upperByte() {
  let sample = UnsafeMutablePointer<Float>.allocate(capacity: 1)
  defer { sample.deallocate() }
  [UInt8]([0, 0, 0xC0, 0]).withUnsafeBytes { bytes in
    withUnsafePointer(to: sample) {
      deinterleave(bytes.baseAddress!, as: .int24, channelCount: 1, frameCount: 1, into: $0)
    }
  }
  #expect(sample.pointee == -0.5)
}
