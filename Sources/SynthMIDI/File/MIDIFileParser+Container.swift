extension MIDIFile {
  /// What a RIFF container holds beside the song. Source: RMID, RP-029 "Bundling SMF and DLS data in an RMID file", the
  /// "SF2 RMIDI Specification" 1.19, and the INFO list of Microsoft's RIFF.
  public struct Container: Hashable, Sendable {
    /// An entry of the INFO list.
    public struct Entry: Hashable, Sendable {
      /// Four letters: INAM is the title, IART the artist, ICOP the copyright, ICRD the date, ICMT a comment.
      public let tag: String
      /// Without the zeros at its end.
      public let text: String

      /// An entry.
      public init(tag: String, text: String) { (self.tag, self.text) = (tag, text) }
    }

    /// What is said about the song, in the order of the file.
    public internal(set) var info: [Entry]
    /// The bank in the container, with which the song is to be played; nil where it has none. Taken away, the song is
    /// played without it.
    public var bank: Bank?

    /// A container that holds nothing but the song.
    public init() { info = [] }

    /// The text of the first entry with this tag.
    public subscript(tag: String) -> String? { info.first { $0.tag == tag }?.text }
  }
}

extension MIDIFileParser {
  /// Narrows the view to the `data` chunk of a RIFF RMID container, if the file is one, and reads the chunks around it.
  mutating func openContainer() {
    guard hasTag("RIFF", at: 0), hasTag("RMID", at: 8) else { return }
    var container = MIDIFile.Container()
    var bankOffset: Int?
    for chunk in RIFFChunks(of: bytes, in: 12..<bytes.count) {
      let data = chunk.data
      if hasTag("data", at: chunk.offset) {
        if chunk.claimedLength > data.count { warn(.truncatedContainer, at: chunk.offset) }
        (position, limit) = (data.lowerBound, data.upperBound)
      } else if data.count >= 4, hasTag("LIST", at: chunk.offset), hasTag("INFO", at: data.lowerBound) {
        container.info += info(in: data.dropFirst(4))
        bankOffset = self.bankOffset(in: data.dropFirst(4)) ?? bankOffset
      } else if hasTag("RIFF", at: chunk.offset), hasTag("sfbk", at: data.lowerBound) {
        container.bank = .init(kind: .soundFont, bytes: bytes[chunk.offset..<data.upperBound])
      } else if hasTag("RIFF", at: chunk.offset), hasTag("DLS ", at: data.lowerBound) {
        container.bank = .init(kind: .downloadableSounds, bytes: bytes[chunk.offset..<data.upperBound])
      }
    }
    if let bankOffset { container.bank?.offset = bankOffset }
    self.container = container
  }

  /// What is added to the numbers of the bank's own banks, by the list's chunk `DBNK` of two bytes.
  private func bankOffset(in list: Range<Int>) -> Int? {
    RIFFChunks(of: bytes, in: list).first { hasTag("DBNK", at: $0.offset) && $0.data.count == 2 }.map {
      min(Int(bytes[$0.data.lowerBound]) | Int(bytes[$0.data.lowerBound + 1]) << 8, 127)
    }
  }

  private func info(in list: Range<Int>) -> [MIDIFile.Container.Entry] {
    let entries = RIFFChunks(of: bytes, in: list).compactMap { chunk -> (tag: String, text: ArraySlice<UInt8>)? in
      let tag = bytes[chunk.offset..<chunk.offset + 4]
      let text = bytes[chunk.data].prefix { $0 != 0 }
      // A number and a picture are no texts.
      let isText = !hasTag("DBNK", at: chunk.offset) && !hasTag("IPIC", at: chunk.offset)
      guard isText, tag.allSatisfy({ (0x20..<0x7F).contains($0) }), !text.isEmpty else { return nil }
      return (String(decoding: tag, as: UTF8.self), text)
    }
    let encoding = entries.first { $0.tag == "IENC" }.map { String(decoding: $0.text, as: UTF8.self) }
    let decoder =
      textEncoding.map { TextDecoder(encoding: $0) } ?? TextDecoder(entries.map(\.text), named: encoding)
    return entries.map { MIDIFile.Container.Entry(tag: $0.tag, text: decoder.string($0.text)) }
  }
}

/// The chunks of a part of a RIFF file.
struct RIFFChunks: Sequence, IteratorProtocol {
  struct Chunk {
    let offset: Int
    /// Within the part, whatever length is claimed.
    let data: Range<Int>
    let claimedLength: Int
  }

  private let bytes: [UInt8]
  private var position: Int
  private let end: Int

  init(of bytes: [UInt8], in part: Range<Int>) {
    self.bytes = bytes
    (position, end) = (part.lowerBound, part.upperBound)
  }

  mutating func next() -> Chunk? {
    guard position + 8 <= end else { return nil }
    let (offset, start) = (position, position + 8)
    let length = bytes[offset + 4..<start].reversed().reduce(0) { $0 << 8 | Int($1) }
    // Chunks are padded to an even length.
    position = start + length + length % 2
    return Chunk(offset: offset, data: start..<start + Swift.min(length, end - start), claimedLength: length)
  }
}
