extension MIDIFile {
  /// What a RIFF container holds beside the song. Source: RMID, RP-029 "Bundling SMF and DLS data in an RMID file", and
  /// the INFO list of Microsoft's RIFF.
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

    /// A bank of instruments that the song is to be played with. This library plays the song without it.
    public struct Bank: Hashable, Sendable {
      /// What the bank is.
      public enum Kind: String, Sendable {
        case soundFont = "SoundFont"
        case downloadableSounds = "DLS"
      }
      public let kind: Kind
      /// The size of the chunk in bytes, its header left out; no more than the file has.
      public let byteCount: Int
    }

    /// What is said about the song, in the order of the file.
    public internal(set) var info: [Entry]
    /// The bank in the container; nil where it has none.
    public internal(set) var bank: Bank?

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
    for chunk in RIFFChunks(of: bytes, in: 12..<bytes.count) {
      let data = chunk.data
      if hasTag("data", at: chunk.offset) {
        if chunk.claimedLength > data.count { warn(.truncatedContainer, at: chunk.offset) }
        (position, limit) = (data.lowerBound, data.upperBound)
      } else if data.count >= 4, hasTag("LIST", at: chunk.offset), hasTag("INFO", at: data.lowerBound) {
        container.info += info(in: data.dropFirst(4))
      } else if hasTag("RIFF", at: chunk.offset), hasTag("sfbk", at: data.lowerBound) {
        container.bank = .init(kind: .soundFont, byteCount: data.count)
      } else if hasTag("RIFF", at: chunk.offset), hasTag("DLS ", at: data.lowerBound) {
        container.bank = .init(kind: .downloadableSounds, byteCount: data.count)
      }
    }
    self.container = container
  }

  private func info(in list: Range<Int>) -> [MIDIFile.Container.Entry] {
    let entries = RIFFChunks(of: bytes, in: list).compactMap { chunk -> (tag: String, text: ArraySlice<UInt8>)? in
      let tag = bytes[chunk.offset..<chunk.offset + 4]
      let text = bytes[chunk.data].prefix { $0 != 0 }
      guard tag.allSatisfy({ (0x20..<0x7F).contains($0) }), !text.isEmpty else { return nil }
      return (String(decoding: tag, as: UTF8.self), text)
    }
    let decoder = TextDecoder(entries.map(\.text))
    return entries.map { MIDIFile.Container.Entry(tag: $0.tag, text: decoder.string($0.text)) }
  }
}

/// The chunks of a part of a RIFF file.
private struct RIFFChunks: Sequence, IteratorProtocol {
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
