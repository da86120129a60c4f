/// Where the parts of a SoundFont lie in its file. Source: "SoundFont Technical Specification 2.04", E-mu Systems,
/// chapter 4.
///
/// Sizes are taken as what fits: files exist whose RIFF header tells a wrong one, and whose chunks of odd size lack
/// the byte that pads them. Of several chunks of one name the first counts.
struct FontChunks {
  /// Those with records, in the order of the specification.
  enum Table: String, CaseIterable {
    case presets = "phdr", presetZones = "pbag", presetModulators = "pmod", presetGenerators = "pgen"
    case instruments = "inst", instrumentZones = "ibag", instrumentModulators = "imod", instrumentGenerators = "igen"
    case samples = "shdr"

    /// Bytes of a record.
    var stride: Int {
      switch self {
      case .presets: 38
      case .instruments: 22
      case .samples: 46
      case .presetZones, .instrumentZones, .presetGenerators, .instrumentGenerators: 4
      case .presetModulators, .instrumentModulators: 10
      }
    }
  }

  struct Chunk {
    /// Where the tag is.
    let offset: Int
    /// Within the chunk that holds this one, whatever size is told.
    let data: Range<Int>
    let isCutOff: Bool
  }

  /// The texts, by their tags.
  private(set) var information: [(tag: String, data: Range<Int>)] = []
  private(set) var version = 0..<0
  private(set) var words = 0..<0
  private(set) var lowBytes = 0..<0
  private(set) var tables: [Table: Range<Int>] = [:]
  /// Whether there is a low byte for each word; the byte that pads an odd count may be counted.
  var haveAllLowBytes: Bool {
    let count = words.count / 2
    return count > 0 && (lowBytes.count == count || lowBytes.count == count + count % 2)
  }
  /// The tags of chunks that promise more bytes than there are, and where they are.
  private(set) var cutOff: [(tag: String, offset: Int)] = []

  private let bytes: FontBytes

  init(_ bytes: FontBytes, path: String) throws(SoundFontError) {
    self.bytes = bytes
    guard let font = Self.font(in: bytes) else { throw SoundFontError(.notASoundFont, path: path) }
    for list in Sequence(bytes, font) where bytes.hasTag("LIST", at: list.offset) {
      let parts = list.data.dropFirst(4)
      if bytes.hasTag("INFO", at: list.data.lowerBound) { readInformation(parts) }
      if bytes.hasTag("sdta", at: list.data.lowerBound) { readSamples(parts) }
      if bytes.hasTag("pdta", at: list.data.lowerBound) { readTables(parts) }
    }
    for table in Table.allCases {
      let name = table.rawValue
      guard let data = tables[table] else { throw SoundFontError(.missingChunk, path: path, chunk: name) }
      // Modulators and generators may do without the closing record.
      let isList = [.presets, .instruments, .samples, .presetZones, .instrumentZones].contains(table)
      guard !isList || data.count >= table.stride else {
        throw SoundFontError(.emptyChunk, path: path, chunk: name, offset: data.lowerBound - 8)
      }
    }
  }

  /// The lists of the font: those of the file, or of the bank that a song of kind `RMID` holds.
  private static func font(in bytes: FontBytes) -> Range<Int>? {
    guard bytes.hasTag("RIFF", at: 0) else { return nil }
    let rest = min(12, bytes.count)..<bytes.count
    if bytes.hasTag("sfbk", at: 8) { return rest }
    guard bytes.hasTag("RMID", at: 8) else { return nil }
    let bank = Sequence(bytes, rest).first {
      bytes.hasTag("RIFF", at: $0.offset) && bytes.hasTag("sfbk", at: $0.data.lowerBound)
    }
    return bank.map { $0.data.dropFirst(4) }
  }

  private mutating func readInformation(_ list: Range<Int>) {
    for chunk in Sequence(bytes, list) where information.count < 64 {
      if bytes.hasTag("ifil", at: chunk.offset) {
        version = chunk.data
      } else if let tag = tag(chunk) {
        information.append((tag, chunk.data))
      }
    }
  }

  private mutating func readSamples(_ list: Range<Int>) {
    for chunk in Sequence(bytes, list) {
      if words.isEmpty, bytes.hasTag("smpl", at: chunk.offset) { words = chunk.data; note(chunk) }
      if lowBytes.isEmpty, bytes.hasTag("sm24", at: chunk.offset) { lowBytes = chunk.data; note(chunk) }
    }
  }

  private mutating func readTables(_ list: Range<Int>) {
    for chunk in Sequence(bytes, list) {
      guard let table = tag(chunk).flatMap(Table.init), tables[table] == nil else { continue }
      tables[table] = chunk.data
      note(chunk)
    }
  }

  private mutating func note(_ chunk: Chunk) {
    if chunk.isCutOff, let tag = tag(chunk) { cutOff.append((tag, chunk.offset)) }
  }

  private func tag(_ chunk: Chunk) -> String? {
    let letters = (chunk.offset..<chunk.offset + 4).map(bytes.byte)
    return letters.allSatisfy { (0x20..<0x7F).contains($0) } ? String(decoding: letters, as: UTF8.self) : nil
  }

  /// The chunks of a part of the file, one behind the other.
  private struct Sequence: Swift.Sequence, IteratorProtocol {
    private let bytes: FontBytes
    private var place: Int
    private let end: Int

    init(_ bytes: FontBytes, _ part: Range<Int>) {
      (self.bytes, place, end) = (bytes, part.lowerBound, part.upperBound)
    }

    mutating func next() -> Chunk? {
      // Behind what is used, a file may go on with zeros, without end where they take no room on the disk.
      guard place + 8 <= end, bytes.long(place) != 0 else { return nil }
      let (offset, start) = (place, place + 8)
      let size = Int(bytes.long(offset + 4))
      let chunkEnd = start + Swift.min(size, end - start)
      place = size % 2 == 1 && !isUnpadded(chunkEnd) ? chunkEnd + 1 : chunkEnd
      return Chunk(offset: offset, data: start..<chunkEnd, isCutOff: size > end - start)
    }

    /// Whether a tag begins right at the end of a chunk of odd size.
    private func isUnpadded(_ place: Int) -> Bool {
      place + 8 <= end && (place..<place + 4).allSatisfy { (0x61...0x7A).contains(bytes.byte($0) | 0x20) }
    }
  }
}

extension Range<Int> {
  /// The range without its first `count` numbers.
  fileprivate func dropFirst(_ count: Int) -> Range<Int> { Swift.min(lowerBound + count, upperBound)..<upperBound }
}
