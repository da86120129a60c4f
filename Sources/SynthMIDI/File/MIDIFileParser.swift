/// The parser of `MIDIFile`: container, header and chunks here, the events of a track in an extension.
///
/// Every byte is read through the bounds-checked array, and every position is checked against `limit` first.
struct MIDIFileParser {
  let bytes: [UInt8]
  var position = 0
  /// The end of what may be read: of the file, of the container's data, or of the present track.
  var limit: Int

  var tracks: [MIDIFile.Track] = []
  var events: [MIDIFile.Event] = []
  var payloads: [UInt8] = []
  /// The first of them.
  var warnings: [MIDIFile.Warning] = []
  var warningCount = 0
  var container: MIDIFile.Container?
  var state = TrackState()
  /// How all texts are encoded, where someone knows.
  let textEncoding: TextEncoding?

  /// How far from the start a header is looked for: room for the wrappers old transfer programs put in front.
  static let headerSearchLimit = 64 << 10

  init(bytes: [UInt8], textEncoding: TextEncoding?) {
    self.bytes = bytes
    self.textEncoding = textEncoding
    self.limit = bytes.count
  }

  mutating func parse() throws(MIDIFileError.Cause) -> MIDIFile {
    guard !bytes.isEmpty else { throw .empty }
    guard bytes.count <= MIDIFile.maximumByteCount else {
      throw .tooLarge(maximumByteCount: MIDIFile.maximumByteCount)
    }
    if isXMIDI { return parseXMIDI() }
    if isMUS { return try parseMUS() }
    openContainer()
    let header = try parseHeader()
    parseChunks()
    let format = settledFormat(header)
    return file(.standard, format, header.division)
  }

  func file(_ kind: MIDIFile.Kind, _ format: MIDIFile.Format, _ division: Division) -> MIDIFile {
    MIDIFile(
      kind: kind, format: format, division: division, tracks: tracks, events: events, warnings: warnings,
      warningCount: warningCount, container: container, payloads: payloads, textEncoding: textEncoding)
  }

  mutating func warn(_ defect: MIDIFile.Defect, at offset: Int) {
    warningCount += 1
    guard warnings.count < MIDIFile.mostWarnings else { return }
    warnings.append(MIDIFile.Warning(byteOffset: offset, defect: defect))
  }
}

// MARK: - Container and header

extension MIDIFileParser {
  struct Header {
    let offset: Int
    let format: UInt16
    /// Nil where the header ends before it.
    let trackCount: Int?
    let division: Division
  }

  /// Where a file does not say another.
  private static let usualDivision = Division.ticksPerQuarter(480)

  /// Moves to the header, past any bytes before it; whether there is one before the tracks.
  private mutating func findHeader() throws(MIDIFileError.Cause) -> Bool {
    let start = position
    guard let header = find("MThd", in: start..<min(limit, start + Self.headerSearchLimit)) else {
      if hasTag("MTrk", at: start) { return false }
      if let kind = otherKind { throw .anotherFile(kind: kind) }
      throw .notAMIDIFile(found: shown(bytes.prefix(4)))
    }
    if header > start { warn(.junkBeforeHeader(byteCount: header - start), at: start) }
    position = header
    return true
  }

  /// What a file without a MIDI header is, if it is something that people may take for a MIDI file.
  private var otherKind: String? {
    if hasTag("RIFF", at: 0), hasTag("WAVE", at: 8) { return "a WAV audio file" }
    if hasTag("FORM", at: 0), hasTag("AIFF", at: 8) || hasTag("AIFC", at: 8) { return "an AIFF audio file" }
    if hasTag("fLaC", at: 0) { return "a FLAC audio file" }
    if hasTag("OggS", at: 0) { return "an Ogg audio file" }
    if hasTag("ftyp", at: 4) { return "an MPEG-4 audio or video file" }
    if bytes.starts(with: "ID3".utf8) || bytes.count > 1 && bytes[0] == 0xFF && bytes[1] & 0xE6 == 0xE2 {
      return "an MP3 audio file"
    }
    if hasTag("RIFF", at: 0), hasTag("sfbk", at: 8) { return "a SoundFont" }
    return nil
  }

  private mutating func parseHeader() throws(MIDIFileError.Cause) -> Header {
    guard try findHeader() else {
      warn(.headerLength(0), at: position)
      return Header(offset: position, format: 1, trackCount: nil, division: Self.usualDivision)
    }
    let offset = position
    guard limit - offset >= 14 else { throw .truncatedHeader(byteCount: limit - offset) }
    let (length, start) = (bigEndian32(at: offset + 4), offset + 8)
    if length != 6 { warn(.headerLength(length), at: offset + 4) }
    position = endOfHeader(length, from: start)
    func field(at place: Int) -> UInt16? { position - start >= place + 2 ? bigEndian16(at: start + place) : nil }
    return Header(
      offset: offset, format: field(at: 0) ?? 1, trackCount: field(at: 2).map(Int.init),
      division: field(at: 4).map { division(of: $0, at: start + 4) } ?? Self.usualDivision)
  }

  /// Where the header whose data begins at `start` ends. A longer one may come with a later standard. Where its length
  /// leads to nothing that may be a chunk, it is wrong, and the first track ends the header.
  private func endOfHeader(_ length: UInt32, from start: Int) -> Int {
    let claimed = start + Int(length)
    if length == 6 || length > 6 && isTag(at: claimed) || hasTag("MTrk", at: claimed) { return claimed }
    return find("MTrk", in: start..<limit) ?? start + 6
  }

  private mutating func division(of bits: UInt16, at offset: Int) -> Division {
    guard bits & 0x8000 != 0 else {
      if bits != 0 { return .ticksPerQuarter(bits) }
      warn(.invalidDivision(bits, taken: Self.usualDivision), at: offset)
      return Self.usualDivision
    }
    // The upper byte is the negative frame rate in two's complement.
    let frames = UInt8(truncatingIfNeeded: ~(bits >> 8) &+ 1)
    let ticks = UInt8(truncatingIfNeeded: bits)
    let division = Division.smpte(framesPerSecond: frames, ticksPerFrame: max(ticks, 1))
    if ticks == 0 || ![24, 25, 29, 30].contains(frames) { warn(.invalidDivision(bits, taken: division), at: offset) }
    return division
  }

  private mutating func settledFormat(_ header: Header) -> MIDIFile.Format {
    if let count = header.trackCount, count != tracks.count {
      warn(.trackCount(promised: count, found: tracks.count), at: header.offset + 10)
    }
    guard let format = MIDIFile.Format(rawValue: header.format) else {
      warn(.unknownFormat(header.format), at: header.offset + 8)
      return .simultaneous
    }
    guard format == .single, tracks.count > 1 else { return format }
    warn(.severalTracksInFormat0(found: tracks.count), at: header.offset + 8)
    return .simultaneous
  }
}

// MARK: - Chunks

extension MIDIFileParser {
  private mutating func parseChunks() {
    let end = limit
    // A channel message takes four bytes as a rule; what is too much is never touched.
    events.reserveCapacity((end - position) / 4)
    while position < end {
      let chunk = position
      guard end - chunk >= 8, isTag(at: chunk) else {
        position = find("MTrk", in: chunk + 1..<end) ?? end
        // Some programs count the padding of a container's chunk to its data.
        let isPadding = container != nil && end - chunk == 1 && bytes[chunk] == 0
        if !isPadding { warn(.notAChunk(byteCount: position - chunk), at: chunk) }
        continue
      }
      let claimed = bigEndian32(at: chunk + 4)
      position = chunk + 8
      let next = endOfChunk(claimed: claimed, isTrack: hasTag("MTrk", at: chunk), end: end)
      if hasTag("MTrk", at: chunk) {
        limit = next
        parseTrack()
        limit = end
      }
      position = next
    }
  }

  /// Where the chunk whose data begins at `position` ends: where it says, if that can be; else at the next track
  /// header.
  private mutating func endOfChunk(claimed: UInt32, isTrack: Bool, end: Int) -> Int {
    let available = end - position
    guard Int(claimed) <= available else {
      warn(.truncatedChunk(claimed: claimed, available: available), at: position - 4)
      return find("MTrk", in: position..<end) ?? end
    }
    let next = position + Int(claimed)
    if !isTrack || next == end || hasEndOfTrack(before: next) || hasTag("MTrk", at: next) { return next }
    warn(.wrongTrackLength(claimed: claimed), at: position - 4)
    return find("MTrk", in: position..<end) ?? end
  }

  private func hasEndOfTrack(before end: Int) -> Bool {
    end - position >= 3 && bytes[end - 3] == 0xFF && bytes[end - 2] == 0x2F && bytes[end - 1] == 0
  }
}

// Tags and big-endian numbers at byte offsets.

extension MIDIFileParser {
  func bigEndian16(at offset: Int) -> UInt16 { UInt16(bytes[offset]) << 8 | UInt16(bytes[offset + 1]) }

  func bigEndian32(at offset: Int) -> UInt32 {
    UInt32(bigEndian16(at: offset)) << 16 | UInt32(bigEndian16(at: offset + 2))
  }

  /// Whether the four bytes at `offset` are `tag`; false where they lie outside of the file.
  func hasTag(_ tag: StaticString, at offset: Int) -> Bool {
    guard offset + 4 <= bytes.count else { return false }
    return (0..<4).allSatisfy { bytes[offset + $0] == tag.utf8Start[$0] }
  }

  /// Whether a chunk header may stand at `offset`: four printable characters and a length.
  func isTag(at offset: Int) -> Bool {
    guard offset + 8 <= limit else { return false }
    return bytes[offset..<offset + 4].allSatisfy { (0x20..<0x7F).contains($0) }
  }

  /// Where `tag` first stands within `range`.
  func find(_ tag: StaticString, in range: Range<Int>) -> Int? {
    guard range.count >= 4 else { return nil }
    return (range.lowerBound...range.upperBound - 4).first { hasTag(tag, at: $0) }
  }

  /// The first bytes of a file as a person can recognise them: text where they are text, else hexadecimal.
  func shown(_ bytes: ArraySlice<UInt8>) -> String {
    if bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) { return "\"\(String(decoding: bytes, as: UTF8.self))\"" }
    return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
  }
}
