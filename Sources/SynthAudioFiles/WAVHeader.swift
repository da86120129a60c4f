/// The header of a WAV file, before and after its length is known.
///
/// libsndfile is not used here, because it writes no WAV into a pipe, and the time of day into RF64 files of floats.
/// The layout is that of Microsoft's *Multimedia Programming Interface and Data Specifications 1.0*; from 4 GB on it is
/// RF64 (EBU Tech 3306), whose `ds64` chunk replaces the `JUNK` chunk that reserves its room.
package struct WAVHeader {
  private let format: AudioFileFormat
  private let tags: [UInt8]

  package init(_ format: AudioFileFormat, tags: [AudioFileTag: String] = [:]) {
    self.format = format
    self.tags = tags.riffList
  }

  /// For a pipe: both lengths are 0xFFFFFFFF, which readers take for "until the end" (sox, aplay, ffmpeg).
  var unbounded: [UInt8] {
    Array("RIFF".utf8) + unknown + Array("WAVE".utf8) + formatChunk + tags + Array("data".utf8) + unknown
  }

  /// For a file with `frameCount` frames; its size is the same for every count.
  package func bounded(frameCount: Int) -> [UInt8] {
    let dataLength = frameCount * frameLength
    let tail = formatChunk + tags + Array("data".utf8)
    // Chunks begin at even places; `ds64` and its header take 36 bytes, the form type and the length of the data 8.
    let riffLength = 4 + 36 + tail.count + 4 + dataLength + padding(frameCount: frameCount)
    if riffLength < 0xFFFF_FFFF {
      let free = field(28, 4) + [UInt8](repeating: 0, count: 28)
      return Array("RIFF".utf8) + field(riffLength, 4) + Array("WAVEJUNK".utf8) + free + tail + field(dataLength, 4)
    }
    let lengths = field(28, 4) + field(riffLength, 8) + field(dataLength, 8) + field(frameCount, 8) + field(0, 4)
    return Array("RF64".utf8) + unknown + Array("WAVEds64".utf8) + lengths + tail + unknown
  }

  /// Bytes of padding after the data, which make the file's length even.
  func padding(frameCount: Int) -> Int { frameCount * frameLength % 2 }

  private var unknown: [UInt8] { field(0xFFFF_FFFF, 4) }

  private var width: Int { format.samples.fileFormat.byteCount }

  private var frameLength: Int { format.channelCount * width }

  /// Integers have format tag 1; floats tag 3, with an empty extension.
  private var formatChunk: [UInt8] {
    let isFloat = format.samples == .float32
    return Array("fmt ".utf8) + field(isFloat ? 18 : 16, 4) + field(isFloat ? 3 : 1, 2) + field(format.channelCount, 2)
      + field(format.sampleRate, 4) + field(format.sampleRate * frameLength, 4) + field(frameLength, 2)
      + field(8 * width, 2)
      + (isFloat ? field(0, 2) : [])
  }

  private func field(_ value: Int, _ width: Int) -> [UInt8] {
    (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
