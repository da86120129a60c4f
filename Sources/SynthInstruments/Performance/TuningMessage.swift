/// A message of the MIDI Tuning Standard, read in place.
///
/// Requests for dumps do not count: nothing is sent. [audio thread]
public struct TuningMessage {
  enum Form: BitwiseCopyable {
    /// The pitches of keys, in a program.
    case keys
    /// What the twelve notes of every octave are off by, in a program.
    case octave
    /// The same, for channels.
    case scale
  }

  let form: Form
  let isRealTime: Bool
  /// Bank × 128 + program, where it is for a program.
  let address: UInt16
  /// A bit for each channel, where it is for channels.
  let channels: UInt16
  /// Keys, or the notes of an octave.
  let count: Int
  /// Whether nothing is missing or too much, and the checksum of a dump is right.
  let isWhole: Bool
  private let entries: UnsafePointer<UInt8>
  /// The bytes of an entry.
  private let size: Int

  /// - Parameter bytes: without F0 and F7; nil unless they are a message that tunes.
  @_noLocks
  init?(_ bytes: UnsafePointer<UInt8>, _ length: Int) {
    guard length > 7, bytes[0] | 1 == 0x7F, bytes[2] == 0x08, let shape = Shape(bytes) else { return nil }
    isRealTime = bytes[0] == 0x7F
    form = shape.form
    size = shape.size
    count = shape.count
    let hasBank = bytes[3] > 2
    address = hasBank ? UInt16(bytes[4]) << 7 | UInt16(bytes[5]) : UInt16(bytes[4])
    // Channels 16 and 15, then 14 to 8, then 7 to 1.
    channels = UInt16(bytes[4] & 3) << 14 | UInt16(bytes[5]) << 7 | UInt16(bytes[6])
    entries = bytes + shape.start
    let end = shape.start &+ count &* size
    isWhole = shape.isDump ? length == end &+ 1 && checksum(bytes, end) == bytes[end] : length == end
  }

  /// The key of an entry.
  @_noLocks
  func key(_ index: Int) -> UInt8 { size == 4 ? entries[index &* 4] : UInt8(truncatingIfNeeded: index) }

  /// The pitch of an entry in semitones; nil leaves the key as it is.
  @_noLocks
  func pitch(_ index: Int) -> Float? {
    let entry = entries + (index &* size &+ size &- 3)
    let (whole, high, low) = (entry[0], entry[1], entry[2])
    if whole & high & low & 0x7F == 0x7F { return nil }
    return Float(Int32(whole & 0x7F)) + Float(Int32(high & 0x7F) << 7 | Int32(low & 0x7F)) / 16384
  }

  /// What a note of the octave is off by, in semitones: ±64 cents in steps of one, or ±100 in steps of 100/8192.
  @_noLocks
  func offset(_ note: Int) -> Float {
    let entry = entries + note &* size
    if size == 1 { return Float(Int32(entry[0] & 0x7F) &- 64) / 100 }
    return Float((Int32(entry[0] & 0x7F) << 7 | Int32(entry[1] & 0x7F)) &- 8192) / 8192
  }

  /// Where a message has its entries, by its second sub-ID.
  private struct Shape {
    let form: Form
    let start: Int
    let count: Int
    let size: Int
    let isDump: Bool

    @_noLocks
    init(_ form: Form, start: Int, count: Int, size: Int, isDump: Bool = false) {
      self.form = form
      self.start = start
      self.count = count
      self.size = size
      self.isDump = isDump
    }

    @_noLocks
    init?(_ bytes: UnsafePointer<UInt8>) {
      switch (bytes[0], bytes[3]) {
      case (0x7E, 0x01): self.init(.keys, start: 21, count: 128, size: 3, isDump: true)
      case (0x7F, 0x02): self.init(.keys, start: 6, count: Int(bytes[5] & 0x7F), size: 4)
      case (0x7E, 0x04): self.init(.keys, start: 22, count: 128, size: 3, isDump: true)
      case (0x7E, 0x05): self.init(.octave, start: 22, count: 12, size: 1, isDump: true)
      case (0x7E, 0x06): self.init(.octave, start: 22, count: 12, size: 2, isDump: true)
      case (_, 0x07): self.init(.keys, start: 7, count: Int(bytes[6] & 0x7F), size: 4)
      case (_, 0x08): self.init(.scale, start: 7, count: 12, size: 1)
      case (_, 0x09): self.init(.scale, start: 7, count: 12, size: 2)
      default: return nil
      }
    }
  }
}

/// All bytes by exclusive or.
@_noLocks
private func checksum(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> UInt8 {
  var sum: UInt8 = 0
  for index in 0..<count { sum ^= bytes[index] }
  return sum & 0x7F
}
