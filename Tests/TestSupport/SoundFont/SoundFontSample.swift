import Glibc

extension SoundFontBytes {
  /// A sample and its header.
  public struct Sample: Sendable {
    public enum Kind: UInt16, Sendable { case mono = 1, right = 2, left = 4, linked = 8, rom = 0x8001 }

    public var name = "Sample"
    public var words: [Int16]
    /// The low eight bits of each of 24.
    public var lowBytes: [UInt8]?
    /// A Vorbis file in place of the words (SF3).
    public var vorbis: [UInt8]?
    /// From the start of the sample.
    public var loop: Range<Int>
    public var rate = 48000
    /// Key at which it sounds as recorded; 255 for none.
    public var key = 60
    /// In cents.
    public var correction = 0
    public var kind = Kind.mono
    /// The other side of a stereo pair, by its place in the font.
    public var link = 0
    /// Zeros after it: 46 as the standard asks.
    public var padding = 46

    /// Looped all over.
    public init(_ words: [Int16]) {
      self.words = words
      loop = 0..<words.count
    }

    /// A sine: at 48 kHz, 480 Hz with a period of 100 words.
    public static func sine(period: Double, count: Int = 4800, amplitude: Double = 0.9) -> Sample {
      Sample(
        (0..<count).map { Int16((32767 * amplitude * sin(2 * .pi * Double($0) / period)).rounded()) })
    }

    /// White noise, the same for each seed.
    public static func noise(seed: UInt64 = 1, count: Int = 24000, amplitude: Double = 0.9) -> Sample {
      var generator = SplitMix64(seed: seed)
      return Sample((0..<count).map { _ in Int16((32767 * amplitude * generator.uniform()).rounded()) })
    }

    /// How much of the sample chunk it takes: words, or bytes where it is compressed.
    var occupied: Int { vorbis?.count ?? words.count + padding }

    var data: [UInt8] {
      if let vorbis { return vorbis }
      return words.flatMap { bytes16(UInt16(bitPattern: $0)) } + [UInt8](repeating: 0, count: 2 * padding)
    }

    var lowData: [UInt8] {
      (lowBytes ?? [UInt8](repeating: 0, count: words.count)) + [UInt8](repeating: 0, count: padding)
    }

    /// What follows the name.
    func header(at start: Int) -> [UInt8] {
      // A compressed sample's loop is told from its own start (SF3).
      let origin = vorbis == nil ? start : 0
      let end = start + (vorbis?.count ?? words.count)
      return bytes32(start, end, origin + loop.lowerBound, origin + loop.upperBound, rate)
        + [UInt8(truncatingIfNeeded: key), UInt8(truncatingIfNeeded: correction)]
        + bytes16(UInt16(link), kind.rawValue | (vorbis == nil ? 0 : 0x10))
    }
  }
}
