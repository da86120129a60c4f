import SynthMIDI

/// What a song holds down: its keys, each with the transposition it was struck with and its track, and its pedals.
/// [audio thread]
struct SongKeys: ~Copyable {
  private static var isUp: Int8 {
    @_noLocks get { .min }
  }
  private static var keyCount: Int {
    @_noLocks get { channelCount &* 128 }
  }
  /// Of all ports.
  private static var channelCount: Int {
    @_noLocks get { 16 &* MIDIPorts.count }
  }
  /// Keys, then sustain pedals, then sostenuto pedals.
  static var slotCount: Int {
    @_noLocks get { keyCount &+ 2 &* channelCount }
  }
  /// The first pedal.
  static var firstPedal: Int {
    @_noLocks get { keyCount }
  }

  private let shifts: UnsafeMutablePointer<Int8>
  private let tracks: UnsafeMutablePointer<UInt32>
  private let pedals: UnsafeMutablePointer<UInt32>

  init() {
    shifts = .allocate(capacity: Self.keyCount)
    shifts.initialize(repeating: Self.isUp, count: Self.keyCount)
    tracks = .allocate(capacity: Self.keyCount)
    tracks.initialize(repeating: 0, count: Self.keyCount)
    pedals = .allocate(capacity: 2 * Self.channelCount)
    pedals.initialize(repeating: 0, count: 2 * Self.channelCount)
  }

  deinit {
    shifts.deallocate()
    tracks.deallocate()
    pedals.deallocate()
  }

  /// Nothing is held.
  @_noLocks
  func clear() {
    shifts.update(repeating: Self.isUp, count: Self.keyCount)
    pedals.update(repeating: 0, count: 2 &* Self.channelCount)
  }

  /// The transposition a key was struck with; nil if it is up.
  @_noLocks
  func shift(ofKey key: UInt8, onChannel channel: Int) -> Int? {
    let shift = shifts[channel &* 128 &+ Int(key)]
    return shift == Self.isUp ? nil : Int(shift)
  }

  /// Whether the key of a slot is down.
  @_noLocks
  func isHeld(_ slot: Int) -> Bool { shifts[slot] != Self.isUp }

  /// Whether a track has struck a key that is down.
  @_noLocks
  func holds(key: UInt8, onChannel channel: Int, of track: UInt32) -> Bool {
    let slot = channel &* 128 &+ Int(key)
    return shifts[slot] != Self.isUp && tracks[slot] == track
  }

  /// Follows a message of the song, as it stands there.
  @_noLocks
  func follow(_ message: MIDIMessage, shift: Int, track: UInt32) {
    let channel = message.channelIndex
    let key = channel &* 128 &+ Int(message.note)
    switch message.kind {
    case .noteOn: (shifts[key], tracks[key]) = (Int8(truncatingIfNeeded: shift), track)
    case .noteOff: shifts[key] = Self.isUp
    case .controlChange:
      switch message.controller {
      case .sustain: pedals[channel] = message.value32
      case .sostenuto: pedals[Self.channelCount &+ channel] = message.value32
      case .resetAllControllers: (pedals[channel], pedals[Self.channelCount &+ channel]) = (0, 0)
      // Modes let all keys go.
      case .allSoundOff, .allNotesOff, .omniOff, .omniOn, .monoOn, .polyOn:
        (shifts + 128 &* channel).update(repeating: Self.isUp, count: 128)
      default: break
      }
    default: break
    }
  }

  /// What releases the first key or pedal held from a slot on, which is set to its own; nil without one.
  @_noLocks
  func release(from slot: inout Int) -> MIDIMessage? {
    while slot < Self.keyCount {
      if shifts[slot] != Self.isUp { return release(slot) }
      slot &+= 1
    }
    return pedal(from: &slot, value7: 0)
  }

  /// What releases the first key held by a silent track from a slot on, which is set to its own; nil without one.
  @_noLocks
  func release(from slot: inout Int, of silent: SilentTracks) -> MIDIMessage? {
    while slot < Self.keyCount {
      if shifts[slot] != Self.isUp, silent.contains(tracks[slot]) { return release(slot) }
      slot &+= 1
    }
    return nil
  }

  @_noLocks
  private func release(_ slot: Int) -> MIDIMessage {
    let key = UInt8(truncatingIfNeeded: (slot & 127) &+ Int(shifts[slot]))
    return MIDIMessage.noteOff(channel: 0, note: key, velocity7: 64).onChannelIndex(slot / 128)
  }

  /// What presses the first pedal held from a slot on, which is set to its own; nil without one.
  @_noLocks
  func press(from slot: inout Int) -> MIDIMessage? { pedal(from: &slot, value7: nil) }

  /// Notes that the key of a slot was released. Pedals stay as the song has them, to be given back.
  @_noLocks
  func letGo(_ slot: Int) { if slot < Self.keyCount { shifts[slot] = Self.isUp } }

  @_noLocks
  private func pedal(from slot: inout Int, value7: UInt8?) -> MIDIMessage? {
    while slot < Self.slotCount {
      let index = slot &- Self.keyCount
      if isOn(pedals[index]) {
        let controller: Controller = index < Self.channelCount ? .sustain : .sostenuto
        let message: MIDIMessage =
          if let value7 {
            .controlChange(channel: 0, controller, value7: value7)
          } else {
            .controlChange(channel: 0, controller, value32: pedals[index])
          }
        return message.onChannelIndex(index % Self.channelCount)
      }
      slot &+= 1
    }
    return nil
  }
}
