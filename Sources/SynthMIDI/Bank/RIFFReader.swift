/// Reads numbers and lists of a RIFF file. Nothing beyond its end is read.
struct RIFFReader {
  typealias Chunk = RIFFChunks.Chunk

  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The chunks of the file, behind its header of 12 bytes.
  var all: [Chunk] { Array(RIFFChunks(of: bytes, in: 12..<max(bytes.count, 12))) }

  /// What a list holds.
  func chunks(of list: Chunk) -> [Chunk] { Array(RIFFChunks(of: bytes, in: list.data.dropFirst(4))) }

  func hasTag(_ tag: String, _ chunk: Chunk) -> Bool { bytes[chunk.offset...].starts(with: tag.utf8) }

  func isList(_ kind: String, _ chunk: Chunk) -> Bool {
    hasTag("LIST", chunk) && bytes[chunk.data].starts(with: kind.utf8)
  }

  /// What each list of a kind holds.
  func lists(_ kind: String, among chunks: [Chunk]) -> [[Chunk]] {
    chunks.filter { isList(kind, $0) }.map(self.chunks)
  }

  func word(_ place: Int) -> UInt16? {
    place >= 0 && place + 2 <= bytes.count ? UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8 : nil
  }

  func long(_ place: Int) -> UInt32? {
    guard let low = word(place), let high = word(place + 2) else { return nil }
    return UInt32(low) | UInt32(high) << 16
  }

  /// Two words: the lowest and the highest key or velocity.
  func range(_ place: Int) -> ClosedRange<UInt8>? {
    guard let low = word(place), let high = word(place + 2), low <= high, low < 128 else { return nil }
    return UInt8(low)...UInt8(min(high, 127))
  }

  func text(_ chunk: Chunk) -> String {
    let letters = bytes[chunk.data].prefix { $0 != 0 }
    return TextDecoder([letters]).string(letters)
  }
}
