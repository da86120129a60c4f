import Glibc

/// How many bytes a WAV, AIFF or MP3 file says it has, which tells whether it was cut off: libsndfile plays those as if
/// they were whole.
enum PromisedLength {
  /// How many bytes the header promises and the file lacks; 0 if it has them, or the header does not say.
  static func missingByteCount(_ descriptor: Int32) -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0, let promised = byteCount(descriptor) else { return 0 }
    let missing = promised - Int(status.st_size)
    return missing > tolerance ? missing : 0
  }

  /// Some programs count headers and trailing tags twice. Of 16-bit stereo this is less than a millisecond.
  private static let tolerance = 128

  private static func byteCount(_ descriptor: Int32) -> Int? {
    let head = bytes(descriptor, at: 0, count: 10)
    guard head.count == 10 else { return nil }
    switch String(decoding: head.prefix(4), as: UTF8.self) {
    case "RIFF": return container(number(head[4..<8].reversed()))
    case "FORM": return container(number(head[4..<8]))
    default: return mpeg(descriptor, head)
    }
  }

  /// From 2 GB less 64 KB on it means "until the end", as pipes have it.
  private static func container(_ byteCount: Int) -> Int? { byteCount < 0x7FFF_0000 ? byteCount + 8 : nil }

  /// By the frame that encoders put first: "Xing" or "Info", flags, and, as they say, the counts of frames and bytes.
  private static func mpeg(_ descriptor: Int32, _ head: [UInt8]) -> Int? {
    let start = head.starts(with: Array("ID3".utf8)) ? 10 + number(head[6..<10], bits: 7) : 0
    let frame = bytes(descriptor, at: start, count: 64)
    guard frame.count == 64, frame[0] == 0xFF, frame[1] >= 0xE0 else { return nil }
    // After the frame's header and side information, whose length the version and the channels decide.
    let tag = [13, 21, 36].first { ["Xing", "Info"].contains(String(decoding: frame[$0..<$0 + 4], as: UTF8.self)) }
    guard let tag, frame[tag + 7] & 2 != 0 else { return nil }
    let place = tag + 8 + (frame[tag + 7] & 1 != 0 ? 4 : 0)
    return start + number(frame[place..<place + 4])
  }

  /// The highest byte first.
  private static func number(_ bytes: some Sequence<UInt8>, bits: Int = 8) -> Int {
    bytes.reduce(0) { $0 << bits | Int($1) }
  }

  /// Fewer at the file's end. (pread)
  private static func bytes(_ descriptor: Int32, at offset: Int, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      used = max(0, pread(descriptor, buffer.baseAddress, count, off_t(offset)))
    }
  }
}
