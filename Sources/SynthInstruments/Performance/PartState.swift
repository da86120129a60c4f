import SynthMIDI

/// What becomes of the notes of a key that is struck again. Source: SC-88Pro owner's manual, "Assign Mode"; XG
/// specification 1.26, "Same Note Number Key On Assign".
package enum AssignMode: BitwiseCopyable, Sendable {
  /// They end.
  case single
  /// The one whose key is down is let go, as its note-off would; at first.
  case limited
  /// They go on, until the key goes up.
  case multi
}

/// What a part was told that channel messages cannot say. [audio thread]
struct PartState: BitwiseCopyable {
  /// The channel it listens to; nil for none.
  var receiveChannel: UInt8?
  /// What it listens to, a bit for each `PartReceiveSwitch`.
  var switches = UInt32.max
  var lowestKey: UInt8 = 0
  var highestKey: UInt8 = 127
  var hasRandomPan = false
  var assignMode = AssignMode.limited
  /// In semitones.
  var keyShift: Int8 = 0
  /// In hertz.
  var detune: Float = 0
  /// Of 64, by which velocities are multiplied, and what is added to them, about 64.
  var velocityDepth: UInt8 = 64
  var velocityOffset: UInt8 = 64
  /// Of the key that was pressed last.
  var keyPressure: UInt32 = 0
  var routes = ControllerRoutes()
  var offsets = PartOffsets()

  @_noLocks
  init(part: UInt8) { receiveChannel = part }

  /// Whether all messages of the part's own channel reach it as they are.
  @_noLocks
  func isPlain(part: UInt8) -> Bool {
    receiveChannel == part && switches == .max && lowestKey == 0 && highestKey == 127 && !hasRandomPan
  }

  /// Whether a message reaches the part.
  @_noLocks
  func receives(_ message: MIDIMessage) -> Bool {
    guard receiveChannel == message.channel else { return false }
    if message.kind == .noteOn, message.note < lowestKey || message.note > highestKey { return false }
    guard let gate = PartReceiveSwitch(of: message) else { return true }
    if message.kind == .controlChange, switches & PartReceiveSwitch.control.bit == 0 { return false }
    return switches & gate.bit != 0
  }

  /// The velocity of a note by the part's depth and offset; never 0. Source: SC-88Pro owner's manual, "Velocity Sense
  /// Depth" and "Velocity Sense Offset".
  @_noLocks
  func velocity(_ velocity: UInt16) -> UInt16 {
    guard velocityDepth != 64 || velocityOffset != 64 else { return velocity }
    let step: Int32 = 0x1_0000 / 128
    let scaled = Int32(velocity) &* Int32(velocityDepth) / 64 &+ (Int32(velocityOffset) &- 64) &* 2 &* step
    return UInt16(min(max(scaled, step), 0xFFFF))
  }
}

/// The keys that the notes of 16 channels sound at, where key shifts have moved them. Memory is allocated in `init`.
/// [audio thread]
struct SoundingKeys: ~Copyable {
  private let keys: UnsafeMutablePointer<UInt8>

  init() {
    keys = .allocate(capacity: midiChannelCount * 128)
    reset()
  }

  deinit { keys.deallocate() }

  /// The key of a note that began, or its own if none did.
  @_noLocks
  subscript(_ key: UInt8, _ channel: UInt8) -> UInt8 { keys[Int(channel & 15) &* 128 &+ Int(key & 127)] }

  /// A note begins.
  ///
  /// - Returns: where it sounds: shifted, and by octaves into the 128 keys.
  @_noLocks
  func begin(_ key: UInt8, _ channel: UInt8, shift: Int32) -> UInt8 {
    var shifted = Int32(key) &+ shift
    while shifted > 127 { shifted &-= 12 }
    while shifted < 0 { shifted &+= 12 }
    let sounding = UInt8(truncatingIfNeeded: shifted)
    keys[Int(channel & 15) &* 128 &+ Int(key & 127)] = sounding
    return sounding
  }

  @_noLocks
  func reset() {
    for index in 0..<midiChannelCount &* 128 { keys[index] = UInt8(truncatingIfNeeded: index & 127) }
  }
}
