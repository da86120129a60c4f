import AudioGraph
import Foundation
import Testing

@Suite("Converting a buffer")
struct BufferConversionTests {
  private func sine(_ rate: Double, seconds: Double, frequency: Double = 441) -> AudioBuffer {
    AudioBuffer(format: .mono(rate), frameCount: Int(rate * seconds)) {
      Float(0.5 * sin(2 * .pi * frequency * Double($1) / rate + Double($0)))
    }
  }

  @Test("to its own format changes nothing, and mono goes to both sides bit for bit")
  func unchanged() throws {
    let mono = sine(44100, seconds: 0.1)
    #expect(try mono.converted(to: mono.format) == mono)
    let stereo = try mono.converted(to: .stereo(44100))
    #expect(stereo.channels == [mono[0], mono[0]])
    #expect(try AudioBuffer([[1], [3]], sampleRate: 10).converted(to: .mono(10))[0] == [2])
  }

  @Test(
    "of the rate keeps every frame at its time, from the first to the last",
    arguments: [(44100.0, 48000.0), (48000, 44100), (8000, 48000), (48000, 8000), (96000, 11025)])
  func rate(from: Double, to: Double) throws {
    let converted = try sine(from, seconds: 1).converted(to: .mono(to))
    let expected = sine(to, seconds: 1)
    #expect(converted.frameCount == expected.frameCount)
    // The filter rings where the tone is cut off.
    let middle = 500..<expected.frameCount - 500
    let error = middle.map { abs(converted[0, $0] - expected[0, $0]) }.max() ?? 1
    #expect(error < 1e-4)
    #expect(converted[0].peak < 0.6)
  }

  @Test("of odd lengths rounds the duration up to a frame", arguments: [0, 1, 2, 7, 20_000])
  func length(frameCount: Int) throws {
    let buffer = AudioBuffer(format: .stereo(44100), frameCount: frameCount)
    let converted = try buffer.converted(to: .stereo(48000))
    #expect(converted.frameCount == (frameCount * 48000 + 44099) / 44100)
    #expect(converted.channels.allSatisfy { $0.peak == 0 })
  }

  @Test("that is impossible is an error, which names both formats")
  func refusals() {
    let buffer = AudioBuffer(format: .mono(1000), frameCount: 10)
    let error = #expect(throws: AudioBufferError.self) { try buffer.converted(to: .mono(65_000)) }
    #expect(
      error?.description == "converting a buffer from 1000 Hz mono to 65000 Hz mono: no converter goes from 1000 Hz to "
        + "65000 Hz; stay within a factor of 64, or use two")
    #expect(throws: AudioBufferError.self) { try buffer.converted(to: .mono(.nan)) }
    #expect(throws: AudioBufferError.self) { try buffer.converted(to: .mono(0)) }
    #expect(throws: AudioBufferError.self) {
      try buffer.converted(to: AudioFormat(sampleRate: 1000, channelCount: 0))
    }
  }

  @Test("to interleaved samples and back keeps what the samples hold", arguments: SampleFormat.allCases)
  func interleaved(samples: SampleFormat) throws {
    let buffer = AudioBuffer([[0, 0.5, -1], [0.25, -0.25, 0]], sampleRate: 48000)
    let bytes = try buffer.interleaved(as: ClientFormat(samples))
    #expect(bytes.count == 6 * samples.byteCount)
    let back = AudioBuffer(interleaved: bytes + [0], as: samples, format: .stereo(48000))
    let isExact = samples == .float32 || samples == .int32
    for channel in 0..<2 {
      for (sample, original) in zip(back[channel], buffer[channel]) {
        #expect(abs(sample - original) <= (isExact ? 0 : samples == .int16 ? 0x1p-14 : 0x1p-22))
      }
    }
    #expect(back[0, 0] == 0 && back[1, 2] == 0)
  }
}
