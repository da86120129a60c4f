import SynthAudioFiles
import Testing

private func number(_ bytes: [UInt8], at offset: Int, width: Int) -> Int {
  bytes[offset..<offset + width].reversed().reduce(0) { $0 << 8 | Int($1) }
}

private func text(_ bytes: [UInt8], at offset: Int) -> String {
  String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
}

@Test("Below four gigabytes the header is RIFF with its lengths; its 36 free bytes are a chunk to be skipped")
func smallHeader() {
  let header = WAVHeader(AudioFileFormat(sampleRate: 48000, channelCount: 2)).bounded(frameCount: 100)
  #expect(header.count == 80)
  #expect([0, 8, 12, 48, 72].map { text(header, at: $0) } == ["RIFF", "WAVE", "JUNK", "fmt ", "data"])
  #expect(number(header, at: 4, width: 4) == 80 - 8 + 400)
  #expect(number(header, at: 76, width: 4) == 400)
}

@Test("From four gigabytes on it is RF64, as long as the other, with 64-bit lengths and the frame count")
func bigHeader() {
  let header = WAVHeader(AudioFileFormat(sampleRate: 48000, channelCount: 2)).bounded(frameCount: 1 << 30)
  #expect(header.count == 80)
  #expect([0, 8, 12, 48, 72].map { text(header, at: $0) } == ["RF64", "WAVE", "ds64", "fmt ", "data"])
  #expect([4, 76].map { number(header, at: $0, width: 4) } == [0xFFFF_FFFF, 0xFFFF_FFFF])
  #expect([20, 28, 36].map { number(header, at: $0, width: 8) } == [80 - 8 + (1 << 32), 1 << 32, 1 << 30])
}

@Test("Data of an odd length is padded, and the padding is in the file's length but not in the data's")
func padding() {
  let header = WAVHeader(AudioFileFormat(samples: .int24, sampleRate: 48000, channelCount: 1)).bounded(frameCount: 1)
  #expect(number(header, at: 76, width: 4) == 3)
  #expect(number(header, at: 4, width: 4) == 80 - 8 + 3 + 1)
}
