/// An instrument's place: the channels and keys it plays, and how its notes become voices.
struct VoicePart: BitwiseCopyable, Hashable {
  /// How many notes of a channel sound at once.
  enum Mode: BitwiseCopyable, Hashable {
    case poly
    /// One; each starts anew.
    case mono
    /// One; notes played without a gap go on with the same voice.
    case legato
  }

  /// A bit for each channel.
  var channels: UInt16
  var lowKey: UInt8 = 0
  var highKey: UInt8 = 127
  var mode = Mode.poly
  /// Voices a note has, 1 to 8.
  var unisonCount = 1
  /// Which patch, in the renderer's table.
  var patch = 0

  @_noLocks
  func plays(channel: UInt8, key: UInt8) -> Bool {
    channels & (1 &<< UInt16(channel & 15)) != 0 && key >= lowKey && key <= highKey
  }
}
