/// The samples of a font in memory, checked and corrected as FluidSynth does.
struct SampleMemory {
  let font: SoundFont

  private var words: UnsafePointer<Int16> {
    (font.bytes.start + font.chunks.words.lowerBound).assumingMemoryBound(to: Int16.self)
  }

  private var wordCount: Int { font.chunks.words.count / 2 }

  /// - Throws: what is wrong with a sample that cannot be played.
  func sample(_ header: SoundFontSampleHeader) throws(Unplayable) -> PlayableSample {
    if header.isInROM { throw .inROM }
    if header.isUnknownKind { throw .unknownKind }
    if header.isVorbis { throw .unknownKind }
    guard header.start + 2 <= header.end else { throw .noWords }
    guard header.end <= wordCount else { throw .beyondTheChunk }
    return playable(
      header, words: words, lowBytes: font.lowBytes, wordCount: wordCount, start: header.start, end: header.end)
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
    return PlayableSample(
      words: words, lowBytes: lowBytes, wordCount: wordCount, start: start, end: end, loopStart: min(loop.0, loop.1),
      loopEnd: max(loop.0, loop.1), rate: Float(header.rate), rootKey: header.rootKey > 127 ? 60 : header.rootKey,
      correction: header.correction, type: header.type)
  }

  enum Unplayable: Error {
    case inROM, unknownKind, noWords, beyondTheChunk

    var description: String {
      switch self {
      case .inROM: "it is in a synthesizer's ROM"
      case .unknownKind: "it is compressed in a way that is not known"
      case .noWords: "it has less than two words"
      case .beyondTheChunk: "it ends behind the font's samples"
      }
    }
  }
}
