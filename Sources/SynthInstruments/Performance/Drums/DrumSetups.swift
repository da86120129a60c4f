/// What the keys of drum channels were told: the drum maps of GS, the drum setups of XG, and the keys of channels by
/// General MIDI 2. Memory is allocated in `init`. [audio thread]
///
/// Channels that play the same map share what its keys are told, by System Exclusive or by assignable parameters.
/// Sources: SC-88Pro owner's manual, 41 mp rr and NRPN 18 to 1F; XG Specifications 1.26, 3n rr xx and NRPN 14 to 1F.
struct DrumSetups: ~Copyable {
  /// GS has two maps, XG four setups.
  private static var sharedCount: Int { @_noLocks get { 4 } }

  /// 128 keys of each shared setup, then of each channel.
  private let keys: UnsafeMutablePointer<DrumKey>
  /// For each channel the shared setup that it plays.
  private let chosen: UnsafeMutablePointer<UInt8>
  /// Whether any key was told anything.
  private(set) var isInUse = false
  /// Whether any key was told what it sends to an effect.
  private(set) var haveSends = false
  /// The channels whose keys General MIDI 2 has set, a bit each.
  private var ownChannels: UInt16 = 0
  /// Counts the notes that begin.
  private var strike: UInt32 = 0

  init() {
    keys = .allocate(capacity: (Self.sharedCount + midiChannelCount) * 128)
    keys.initialize(repeating: DrumKey(), count: (Self.sharedCount + midiChannelCount) * 128)
    chosen = .allocate(capacity: midiChannelCount)
    chosen.initialize(repeating: 0, count: midiChannelCount)
  }

  deinit {
    keys.deallocate()
    chosen.deallocate()
  }

  /// What becomes of a note that begins on a drum channel.
  @_noLocks
  func note(_ key: UInt8, _ channel: UInt8) -> DrumNote {
    isInUse ? DrumNote(entry(key, channel).pointee, strike: strike) : DrumNote()
  }

  /// The group of a key; nil where the font decides.
  @_noLocks
  func group(of key: UInt8, _ channel: UInt8) -> UInt8? {
    let group = entry(key, channel).pointee.group
    return group == DrumKey.unset ? nil : group
  }

  @_noLocks
  private func entry(_ key: UInt8, _ channel: UInt8) -> UnsafeMutablePointer<DrumKey> {
    let isOwn = ownChannels & (1 &<< UInt16(channel & 15)) != 0
    let setup = isOwn ? Self.sharedCount &+ Int(channel & 15) : Int(chosen[Int(channel & 15)])
    return keys + (setup &* 128 &+ Int(key & 127))
  }

  /// A note begins.
  @_noLocks
  mutating func countNote() { strike &+= 1 }

  /// Lets a channel play a shared setup, 0 to 3.
  @_noLocks
  mutating func choose(_ setup: UInt8, _ channel: UInt8) { chosen[Int(channel & 15)] = min(setup, 3) }

  /// Returns everything to its initial state.
  @_noLocks
  mutating func reset() {
    if isInUse { clear(0..<(Self.sharedCount &+ midiChannelCount)) }
    for channel in 0..<midiChannelCount { chosen[channel] = 0 }
    (isInUse, haveSends, ownChannels, strike) = (false, false, 0, 0)
  }

  @_noLocks
  private func clear(_ setups: Range<Int>) {
    for index in setups.lowerBound &* 128..<setups.upperBound &* 128 { keys[index] = DrumKey() }
  }

  // MARK: - Messages

  /// Follows parameters that belong to the style.
  @_noLocks
  mutating func follow(_ data: ParameterData, _ style: BankStyle) {
    for index in 0..<data.count { _ = follow(data, at: index, style) }
  }

  /// Follows one of the parameters; false for one that is not a drum key's, or that is left out.
  @_noLocks
  mutating func follow(_ data: ParameterData, at index: Int, _ style: BankStyle) -> Bool {
    let (address, value) = (data.address(of: index), data.value(index) & 0x7F)
    let (high, middle, low) = (address >> 16, address >> 8 & 0x7F, address & 0x7F)
    switch (data.model, style, high) {
    case (.gs, .gs, 0x41), (.gs, .gm, 0x41), (.gs, .gm2, 0x41):
      guard middle >> 4 < 2 else { return false }
      return set(gs: middle & 15, of: Int(middle >> 4) &* 128 &+ Int(low), to: value)
    case (.xg, .xg, 0x30...0x33): return set(xg: low, of: Int(high & 3) &* 128 &+ Int(middle), to: value)
    case (.xg, .xg, 0) where address == 0x00_00_7D && value < 4: clear(Int(value)..<Int(value) &+ 1)
    default: return false
    }
    return true
  }

  @_noLocks
  mutating func follow(_ control: KeyBasedControl) {
    let channel = Int(control.channel)
    let bit: UInt16 = 1 &<< UInt16(control.channel)
    if ownChannels & bit == 0 {
      ownChannels |= bit
      isInUse = true
      clear(Self.sharedCount &+ channel..<Self.sharedCount &+ channel &+ 1)
    }
    for index in 0..<control.count { _ = follow(control, at: index) }
  }

  /// Follows one of the pairs; false for a controller that is left out.
  @_noLocks
  mutating func follow(_ control: KeyBasedControl, at index: Int) -> Bool {
    let key = entry(control.key, control.channel)
    let (controller, value) = control.pair(index)
    switch controller {
    // 40h is 100 %, 7Fh twice as much.
    case 0x07: key.pointee.level = Float(value) / 64
    case 0x0A: key.pointee.pan = value
    case 0x5B: setSend(.reverb, of: key, to: value)
    case 0x5D: setSend(.chorus, of: key, to: value)
    case 0x78: key.pointee.cents = (Float(value) - 64) * (100 / 64)
    case 0x79: key.pointee.semitones = Float(value) - 64
    default: return false
    }
    return true
  }

  /// Follows an assignable parameter of a drum channel, whose low byte is the key; false for one that is left out.
  @_noLocks
  @discardableResult
  mutating func follow(
    parameter: UInt8, key: UInt8, value: UInt8, _ channel: UInt8, _ style: BankStyle
  ) -> Bool {
    let index = Int(chosen[Int(channel & 15)]) &* 128 &+ Int(key & 127)
    let key = keys + index
    let steps = Float(value) - 64
    switch (parameter, style) {
    case (_, .gm), (_, .gm2): return false
    case (0x14, .xg): key.pointee.cutoff = steps
    case (0x15, .xg): key.pointee.resonance = steps
    case (0x16, .xg): key.pointee.attack = steps
    case (0x17, .xg): key.pointee.decay = steps
    case (0x18, _): key.pointee.semitones = steps
    case (0x19, .xg): key.pointee.cents = steps
    case (0x1A, _): key.pointee.setLevel(value)
    case (0x1C, _): key.pointee.setPan(value)
    case (0x1D, _): setSend(.reverb, of: key, to: value)
    case (0x1E, _): setSend(.chorus, of: key, to: value)
    case (0x1F, _): setSend(.delay, of: key, to: value)
    default: return false
    }
    isInUse = true
    return true
  }

  /// 41 mp rr: p is the parameter.
  @_noLocks
  private mutating func set(gs parameter: UInt32, of index: Int, to value: UInt8) -> Bool {
    let key = keys + index
    switch parameter {
    // The key whose pitch it plays; 60 is that of the instrument itself.
    case 1: key.pointee.semitones = Float(value) - 60
    case 2: key.pointee.setLevel(value)
    case 3: key.pointee.group = value
    case 4: key.pointee.setPan(value)
    case 5: setSend(.reverb, of: key, to: value)
    case 6: setSend(.chorus, of: key, to: value)
    case 7: key.pointee.receivesNoteOff = value != 0
    case 9: setSend(.delay, of: key, to: value)
    default: return false
    }
    isInUse = true
    return true
  }

  /// 3n rr xx: xx is the parameter.
  @_noLocks
  private mutating func set(xg parameter: UInt32, of index: Int, to value: UInt8) -> Bool {
    let key = keys + index
    let steps = Float(value) - 64
    switch parameter {
    case 0x00: key.pointee.semitones = steps
    case 0x01: key.pointee.cents = steps
    case 0x02: key.pointee.setLevel(value)
    case 0x03: key.pointee.group = value
    case 0x04: key.pointee.setPan(value)
    case 0x05: setSend(.reverb, of: key, to: value)
    case 0x06: setSend(.chorus, of: key, to: value)
    case 0x07: setSend(.delay, of: key, to: value)
    case 0x09: key.pointee.receivesNoteOff = value != 0
    case 0x0B: key.pointee.cutoff = steps
    case 0x0C: key.pointee.resonance = steps
    case 0x0D: key.pointee.attack = steps
    case 0x0E: key.pointee.decay = steps
    default: return false
    }
    isInUse = true
    return true
  }

  private enum Effect: Int { case reverb, chorus, delay }

  @_noLocks
  private mutating func setSend(_ effect: Effect, of key: UnsafeMutablePointer<DrumKey>, to value: UInt8) {
    key.pointee.sends[effect.rawValue] = value
    haveSends = true
  }
}
