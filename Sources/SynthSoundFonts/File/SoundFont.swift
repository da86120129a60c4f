/// A SoundFont file, mapped or in memory. Opening it reads only its directory; sample pages come in as they are
/// touched. [control thread]
///
/// Read are versions 2.01 to 2.04, with samples of 16 or 24 bits, and version 3, whose samples are Vorbis streams; also
/// the bank in a song of kind `RMID`. An audio file, or a folder of them, is read as a font of one preset. Source:
/// "SoundFont Technical Specification 2.04", E-mu Systems.
public final class SoundFont: Sendable {
  /// The file that it was read from, or the name that its bytes were given.
  public let path: String
  /// 2 and 1, or 2 and 4; 3 and 0 or more with Vorbis samples.
  public let version: (major: Int, minor: Int)
  /// In file order. A bank and a program may be there twice: the first one is played.
  public let presets: [SoundFontPresetHeader]
  /// How many records the file has for instruments.
  public let instrumentCount: Int
  /// How many records the file has for samples.
  public let sampleCount: Int
  /// What is wrong with the file as a whole; of presets and samples `PlayablePresets` tells.
  public let problems: SoundFontProblems

  let bytes: FontBytes
  let chunks: FontChunks
  let records: FontRecords
  let decodedWaves: DecodedWaves

  /// Opens a file; or reads an audio file, or all those in a folder, into memory. docs/soundfonts.md says which keys
  /// they play.
  public convenience init(path: String) throws(SoundFontError) {
    if let samples = try SampleFont(path: path) {
      try self.init(FontBytes(samples.bytes), path: path, samples.problems)
    } else {
      try self.init(FontBytes(path: path), path: path)
    }
  }

  /// Takes a copy of the bytes of a file: of the bank in a song, or of one that was made.
  ///
  /// - Parameter name: stands for the path in errors.
  public convenience init(bytes: [UInt8], name: String) throws(SoundFontError) {
    try self.init(FontBytes(bytes), path: name)
  }

  /// Takes no memory for pages of the file that are no longer read; those that are come in again, mostly from the
  /// system's cache. Not while a device waits for what plays it. [any thread]
  public func releasePages() { bytes.releasePages() }

  private init(
    _ bytes: FontBytes, path: String, _ problems: SoundFontProblems = SoundFontProblems()
  ) throws(SoundFontError) {
    (self.path, self.bytes) = (path, bytes)
    decodedWaves = DecodedWaves(fileByteCount: bytes.count)
    chunks = try FontChunks(bytes, path: path)
    // A file without a version is read as the first one.
    let place = chunks.version.lowerBound
    let (major, minor) = chunks.version.count >= 4 ? (Int(bytes.word(place)), Int(bytes.word(place + 2))) : (2, 1)
    guard major == 2 || major == 3 else {
      throw SoundFontError(
        .unsupportedVersion(major: major, minor: minor), path: path, chunk: "ifil", offset: place - 8)
    }
    version = (major, minor)
    let records = try FontRecords(bytes, chunks, path: path)
    self.records = records
    presets = (0..<records.count(.presets) - 1).map(records.preset)
    instrumentCount = records.count(.instruments) - 1
    sampleCount = records.count(.samples) - 1
    self.problems = problems.count > 0 ? problems : Self.problems(chunks)
  }

  private static func problems(_ chunks: FontChunks) -> SoundFontProblems {
    var problems = SoundFontProblems()
    for (tag, offset) in chunks.cutOff {
      problems.add("the file", "it is cut off, or the size of a chunk is wrong", chunk: tag, offset: offset)
    }
    for table in FontChunks.Table.allCases {
      guard let data = chunks.tables[table], data.count % table.stride > 0 else { continue }
      problems.add(
        "the file", "a list does not end with a whole record", chunk: table.rawValue, offset: data.lowerBound - 8)
    }
    if !chunks.lowBytes.isEmpty, !chunks.haveAllLowBytes {
      problems.add(
        "the file", "there is not one byte of 24 bits for each word; 16 bits are played", chunk: "sm24",
        offset: chunks.lowBytes.lowerBound - 8)
    }
    return problems
  }

  /// Of the whole file.
  public var byteCount: Int { bytes.count }

  /// Of its samples, with the low bytes of 24 bits.
  public var sampleByteCount: Int { chunks.words.count + chunks.lowBytes.count }

  /// Whether its samples have 24 bits.
  public var is24Bit: Bool { lowBytes != nil }

  /// The description of a sample.
  public func sample(_ index: Int) -> SoundFontSampleHeader { records.sample(index) }

  /// The texts it has, by their tags: `INAM` its name, `ICOP` its copyright, `ICMT` a comment, and more.
  public var information: [(tag: String, text: String)] {
    chunks.information.map { ($0.tag, bytes.text($0.data)) }.filter { !$0.1.isEmpty }
  }

  /// The name it gives itself.
  public var name: String? { information.first { $0.tag == "INAM" }?.text }

  /// The low bytes of 24 bits, where there is one for each word.
  var lowBytes: UnsafePointer<UInt8>? {
    guard version.major > 2 || version.minor >= 4, chunks.haveAllLowBytes else { return nil }
    return (bytes.start + chunks.lowBytes.lowerBound).assumingMemoryBound(to: UInt8.self)
  }
}
