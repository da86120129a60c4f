import SynthRealtime

/// The waves of a font that cannot be played where they lie in the file: Vorbis samples decoded, each once, when they
/// are first made playable. They are kept as long as the font.
final class DecodedWaves: Sendable {
  struct Wave: @unchecked Sendable {
    let words: UnsafePointer<Int16>
    let count: Int
  }

  private struct Kept {
    var waves: [Range<Int>: Wave] = [:]
    var wordCount = 0
  }

  private let kept = CheckedMutex(Kept())
  /// What a stream of the length of the file can be meant to hold: Vorbis makes 32 bytes of one only of silence.
  private let mostWords: Int

  init(fileByteCount: Int) { mostWords = 16 * fileByteCount + 1 << 18 }

  deinit { kept.withLock { $0.waves.values.forEach { $0.words.deallocate() } } }

  /// What was made of some bytes of the file before, or is made now; nil where that fails, or takes too much memory.
  ///
  /// - Parameter decode: gets the most words that it may take; what it returns is freed by the font.
  func wave(of part: Range<Int>, _ decode: (_ mostWords: Int) -> Wave?) -> Wave? {
    kept.withLock { kept in
      if let known = kept.waves[part] { return known }
      let wave = decode(mostWords - kept.wordCount)
      kept.waves[part] = wave
      kept.wordCount += wave?.count ?? 0
      return wave
    }
  }
}
