/// A preset of a font, as its list names it.
public struct SoundFontPresetHeader: Sendable, Equatable {
  /// At most 20 bytes in the file; need not be unique.
  public let name: String
  /// 0 to 127 for melodic presets, 128 for drums; a file may have any number of 16 bits.
  public let bank: Int
  /// 0 to 127; a file may have any number of 16 bits.
  public let program: Int
}

/// A sample of a font, as its list describes it; nothing is checked.
public struct SoundFontSampleHeader: Sendable, Equatable {
  /// At most 20 bytes in the file; need not be unique.
  public let name: String
  /// In words from the start of the sample chunk; of a Vorbis sample in bytes.
  public let start: Int
  /// Behind the last one.
  public let end: Int
  /// In words from the start of the sample chunk; of a Vorbis sample from its own start.
  public let loopStart: Int
  /// Behind the last one.
  public let loopEnd: Int
  /// Words per second.
  public let sampleRate: Int
  /// The key at which it sounds as recorded; 255 for a sample without pitch.
  public let rootKey: UInt8
  /// In cents, added to the pitch.
  public let correction: Int8
  /// The other half of a stereo pair.
  public let partner: Int
  /// Bits: 0 mono, 1 right, 2 left, 3 linked, 4 Vorbis, 15 in a synthesizer's ROM.
  public let type: UInt16

  /// Whether its bytes are an Ogg Vorbis stream, as in SF3.
  public var isVorbis: Bool { type & 0x10 != 0 }
  /// Whether its words are in a synthesizer's ROM, so that it is silent here.
  public var isInROM: Bool { type & 0x8000 != 0 }
  /// Whether a bit is set that the specification does not know.
  var isUnknownKind: Bool { type & ~0x801F != 0 }
}

extension FontRecords {
  func preset(_ index: Int) -> SoundFontPresetHeader {
    let place = place(.presets, index)
    return SoundFontPresetHeader(
      name: bytes.text(place..<place + 20), bank: Int(bytes.word(place + 22)), program: Int(bytes.word(place + 20)))
  }

  func instrumentName(_ index: Int) -> String {
    let place = place(.instruments, index)
    return bytes.text(place..<place + 20)
  }

  func sample(_ index: Int) -> SoundFontSampleHeader {
    let place = place(.samples, index)
    return SoundFontSampleHeader(
      name: bytes.text(place..<place + 20), start: Int(bytes.long(place + 20)), end: Int(bytes.long(place + 24)),
      loopStart: Int(bytes.long(place + 28)), loopEnd: Int(bytes.long(place + 32)),
      sampleRate: Int(bytes.long(place + 36)),
      rootKey: bytes.byte(place + 40), correction: Int8(bitPattern: bytes.byte(place + 41)),
      partner: Int(bytes.word(place + 42)), type: bytes.word(place + 44))
  }
}
