/// The samples of a font in memory, checked and corrected as FluidSynth does.
struct SampleMemory {
  let font: SoundFont

  /// - Throws: what is wrong with a sample that cannot be played.
  func sample(_ header: SoundFontSampleHeader) throws(Unplayable) -> PlayableSample {
    if header.isInROM { throw .inROM }
    if header.isUnknownKind { throw .unknownKind }
    let chunk = font.chunks.words
    guard header.start + 2 <= header.end else { throw .noWords }
    guard header.end <= chunk.count / (header.isVorbis ? 1 : 2) else { throw .beyondTheChunk }
    if header.isVorbis {
      let part = chunk.lowerBound + header.start..<chunk.lowerBound + header.end
      guard let wave = font.decodedWaves.wave(of: part, { decoded(part, mostWords: $0) }) else { throw .undecodable }
      guard wave.count > 1 else { throw .noWords }
      return playable(header, words: wave.words, lowBytes: nil, wordCount: wave.count, start: 0, end: wave.count)
    }
    guard let words else { throw .undecodable }
    return playable(
      header, words: words, lowBytes: font.lowBytes, wordCount: chunk.count / 2, start: header.start, end: header.end)
  }

  private func decoded(_ part: Range<Int>, mostWords: Int) -> DecodedWaves.Wave? {
    var stream = VorbisStream(font.bytes.start + part.lowerBound, byteCount: part.count)
    return stream.decode(mostWords: mostWords)
  }

  /// The chunk of all words where it lies, or a copy of it where a chunk of odd size before it was not padded.
  private var words: UnsafePointer<Int16>? {
    let chunk = font.chunks.words
    let start = font.bytes.start + chunk.lowerBound
    if Int(bitPattern: start) % 2 == 0 { return start.assumingMemoryBound(to: Int16.self) }
    return font.decodedWaves.wave(of: chunk) { _ in
      let copy = UnsafeMutablePointer<Int16>.allocate(capacity: chunk.count / 2)
      UnsafeMutableRawPointer(copy).copyMemory(from: start, byteCount: chunk.count / 2 * 2)
      return DecodedWaves.Wave(words: UnsafePointer(copy), count: chunk.count / 2)
    }?.words
  }

  private func playable(
    _ header: SoundFontSampleHeader, words: UnsafePointer<Int16>, lowBytes: UnsafePointer<UInt8>?, wordCount: Int,
    start: Int, end: Int
  ) -> PlayableSample {
    // What lies outside is where the wave begins or ends; what is reversed is turned round.
    var loop = (header.loopStart, header.loopEnd)
    if loop.0 > loop.1 { loop = (loop.1, loop.0) }
    if !(start...wordCount).contains(loop.0) { loop.0 = start }
    if !(start...wordCount).contains(loop.1) { loop.1 = end }
    let (loopStart, loopEnd) = (min(loop.0, loop.1), max(loop.0, loop.1))
    return PlayableSample(
      words: words, lowBytes: lowBytes, wordCount: wordCount, start: start, end: end, loopStart: loopStart,
      loopEnd: loopEnd, loopPeak: peak(words, from: loopStart, to: loopEnd), sampleRate: Float(header.sampleRate),
      rootKey: header.rootKey > 127 ? 60 : header.rootKey,
      correction: header.correction, type: header.type)
  }

  /// A hostile font could have a long loop in each of many samples.
  private func peak(_ words: UnsafePointer<Int16>, from start: Int, to end: Int) -> Float {
    guard end - start <= 16384 else { return 1 }
    var (lowest, highest): (Int16, Int16) = (0, 0)
    for index in start..<end {
      lowest = min(lowest, words[index])
      highest = max(highest, words[index])
    }
    return max(Float(highest), -Float(lowest), 1 / 256) / 32768
  }

  enum Unplayable: Error {
    case inROM, unknownKind, noWords, beyondTheChunk, undecodable

    var description: String {
      switch self {
      case .inROM: "it is in a synthesizer's ROM"
      case .unknownKind: "it is compressed in a way that is not known"
      case .noWords: "it has less than two words"
      case .beyondTheChunk: "it ends behind the font's samples"
      case .undecodable: "it is no Vorbis stream of one channel, or it is too long"
      }
    }
  }
}
