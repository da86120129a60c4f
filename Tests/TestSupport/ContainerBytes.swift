// RMID files from bytes.

/// A RIFF chunk, padded to an even length.
public func riff(_ tag: String, _ bytes: [UInt8]) -> [UInt8] {
  Array(tag.utf8) + bigEndian32(bytes.count).reversed() + bytes + (bytes.count % 2 == 1 ? [0] : [])
}

/// A song with what is said about it, and a whole bank.
public func rmid(_ song: [UInt8], bank: [UInt8] = [], info: [(tag: String, bytes: [UInt8])] = []) -> [UInt8] {
  let list = riff("LIST", Array("INFO".utf8) + info.flatMap { riff($0.tag, $0.bytes) })
  return riff("RIFF", Array("RMID".utf8) + riff("data", song) + list + bank)
}
