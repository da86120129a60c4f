// MIDI files from bytes.

/// A file of the given tracks, whose bytes include their end-of-track events.
public func smf(format: UInt8 = 1, division: UInt16 = 480, tracks: [[UInt8]]) -> [UInt8] {
  header(format: format, trackCount: UInt8(tracks.count), division: division) + tracks.flatMap { chunk("MTrk", $0) }
}

public func header(format: UInt8 = 1, trackCount: UInt8 = 1, division: UInt16 = 480) -> [UInt8] {
  chunk("MThd", [0, format, 0, trackCount, UInt8(division >> 8), UInt8(division & 0xFF)])
}

public func chunk(_ tag: String, _ bytes: [UInt8]) -> [UInt8] { Array(tag.utf8) + bigEndian32(bytes.count) + bytes }

public func bigEndian32(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) } }

/// A variable-length quantity.
public func vlq(_ value: Int) -> [UInt8] {
  var bytes = [UInt8(value & 0x7F)]
  var rest = value >> 7
  while rest > 0 {
    bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
    rest >>= 7
  }
  return bytes
}

/// A tempo event, `delta` ticks after the event before it.
public func tempo(_ microseconds: Int, after delta: Int = 0) -> [UInt8] {
  vlq(delta) + [0xFF, 0x51, 3] + bigEndian32(microseconds).dropFirst()
}

/// A text event of a type.
public func text(_ type: UInt8, _ string: String, after delta: Int = 0) -> [UInt8] {
  vlq(delta) + [0xFF, type] + vlq(string.utf8.count) + Array(string.utf8)
}

/// The end of a track.
public func end(after delta: Int = 0) -> [UInt8] { vlq(delta) + [0xFF, 0x2F, 0] }

/// A note on of channel 0 at velocity 100.
public func note(_ number: UInt8, after delta: Int = 0) -> [UInt8] { vlq(delta) + [0x90, number, 100] }
