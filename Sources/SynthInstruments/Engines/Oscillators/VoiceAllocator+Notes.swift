// Notes on and off, polyphonic and monophonic.

extension VoiceAllocator {
  @_noLocks
  mutating func noteOn(_ event: EngineEvent, _ glideSource: UInt8, _ performance: borrowing Performance) {
    let (channel, key) = (event.message.channel, event.message.note)
    let state = performance.channels[Int(channel)]
    let lastKey = histories[Int(channel)].lastKey
    let source = glideSource != ChannelState.noKey ? glideSource : state.isGliding ? lastKey : ChannelState.noKey
    (histories + Int(channel)).pointee.strike(
      key, velocity: event.message.velocity16, number: event.number)
    var note = VoiceSlot()
    note.channel = channel
    note.key = key
    note.pitch = performance.tunedPitch(key, channel)
    note.glideFrom = source == ChannelState.noKey ? note.pitch : performance.tunedPitch(source, channel)
    if source != ChannelState.noKey { note.glideSpeed = glideSpeed(from: source, to: key, channel, performance) }
    note.velocity = event.message.velocity16
    note.startFrame = UInt8(truncatingIfNeeded: event.frame)
    note.number = event.number
    note.hold = NoteHold()
    let master = performance.zones.master(of: channel)
    note.isSoft = state.isSoft || performance.channels[Int(master)].isSoft
    note.hold.isSostenuto = endRepeated(channel, key, state, performance.assignMode(channel))
    for part in 0..<partCount where event.isFor(part: part) {
      note.part = UInt8(truncatingIfNeeded: part)
      if isMonophonic(part, state) {
        startAlone(note, from: source == ChannelState.noKey ? lastKey : source, performance)
      } else if glideSource == ChannelState.noKey || !leadOn(from: glideSource, to: note) {
        start(note)
      }
    }
  }

  /// In semitones a millisecond; a glide without a time is over at once.
  @_noLocks
  private func glideSpeed(
    from first: UInt8, to last: UInt8, _ channel: UInt8, _ performance: borrowing Performance
  ) -> Float {
    let interval = abs(performance.tunedPitch(last, channel) - performance.tunedPitch(first, channel))
    return max(interval, 1e-3) / Float(max(performance.glideTime(from: first, to: last, channel), 1e-3))
  }

  @_noLocks
  mutating func noteOff(_ event: EngineEvent, _ performance: borrowing Performance) {
    let (channel, key) = (event.message.channel, event.message.note)
    let state = performance.channels[Int(channel)]
    (histories + Int(channel)).pointee.release(key)
    for index in 0..<slotCount {
      let voice = slots[index]
      guard voice.isOn, voice.hold.isKeyDown, voice.channel == channel, voice.key == key else { continue }
      if voice.unisonIndex == 0, isMonophonic(Int(voice.part), state), goBack(from: voice, event, performance) {
        continue
      }
      // Going back may have moved this voice on to another key.
      if slots[index].isOn, slots[index].serial == voice.serial { followHold(index, event) }
    }
  }

  @_noLocks
  mutating func setPressure(_ channel: UInt8, _ key: UInt8, _ pressure: Float) {
    for index in 0..<slotCount where isHeld(index, channel, key) { slots[index].pressure = pressure }
  }

  @_noLocks
  mutating func setBend(_ channel: UInt8, _ key: UInt8, _ semitones: Float) {
    for index in 0..<slotCount where isHeld(index, channel, key) { slots[index].bend = semitones }
  }

  /// Ends the voices of a key that is struck again, as the assign mode says: at first it releases them, as the hammer's
  /// second blow ends the string's first note.
  ///
  /// - Returns: whether the sostenuto pedal keeps the key's damper up, for the new note too.
  @_noLocks
  private mutating func endRepeated(
    _ channel: UInt8, _ key: UInt8, _ state: ChannelState, _ mode: AssignMode
  ) -> Bool {
    var isSostenuto = false
    for index in 0..<slotCount where isHeld(index, channel, key) && !isMonophonic(Int(slots[index].part), state) {
      isSostenuto = isSostenuto || slots[index].hold.isSostenuto
      switch mode {
      case .multi: break
      case .limited: slots[index].hold = NoteHold(isKeyDown: false)
      case .single: fade(note: slots[index].serial)
      }
    }
    return isSostenuto
  }

  @_noLocks
  private func isHeld(_ index: Int, _ channel: UInt8, _ key: UInt8) -> Bool {
    let voice = slots[index]
    return voice.isOn && voice.channel == channel && voice.key == key && voice.hold.isHeld
  }

  /// Moves the voices of a part that hold a key on to another one; false without such voices. Source: MIDI 1.0 Detailed
  /// Specification, "Portamento Control".
  @_noLocks
  private func leadOn(from key: UInt8, to note: VoiceSlot) -> Bool {
    var isLedOn = false
    for index in 0..<slotCount where isHeld(index, note.channel, key) && slots[index].part == note.part {
      slots[index].key = note.key
      slots[index].number = note.number
      slots[index].pitch = note.pitch
      slots[index].glideSpeed = note.glideSpeed
      slots[index].hold.isKeyDown = true
      slots[index].hold.isSustained = false
      isLedOn = true
    }
    return isLedOn
  }

  // MARK: - One note at a time

  @_noLocks
  private func isMonophonic(_ part: Int, _ state: ChannelState) -> Bool {
    switch parts[part].mode {
    case .poly: state.isMono
    case .mono, .legato: true
    }
  }

  @_noLocks
  private func isLegato(_ part: UInt8, _ state: ChannelState) -> Bool {
    switch parts[Int(part)].mode {
    case .legato: true
    case .mono, .poly: state.isLegato
    }
  }

  /// Begins a note in place of those of its part and channel, or moves their voices on to the new key.
  @_noLocks
  private mutating func startAlone(
    _ note: VoiceSlot, from lastKey: UInt8, _ performance: borrowing Performance
  ) {
    var note = note
    let isLegato = isLegato(note.part, performance.channels[Int(note.channel)])
    var isLedOn = false
    for index in 0..<slotCount {
      let voice = slots[index]
      guard voice.isOn, voice.channel == note.channel, voice.part == note.part else { continue }
      if voice.hold.isKeyDown, isLegato {
        slots[index].key = note.key
        slots[index].number = note.number
        slots[index].pitch = note.pitch
        slots[index].glideSpeed = note.glideSpeed
        isLedOn = true
      } else {
        fade(note: voice.serial)
      }
    }
    note.glideFrom = lastKey == ChannelState.noKey ? note.pitch : performance.tunedPitch(lastKey, note.channel)
    if !isLedOn { start(note) }
  }

  /// Goes back to the key that was struck before and is still held; false without one.
  @_noLocks
  private mutating func goBack(
    from voice: VoiceSlot, _ event: EngineEvent, _ performance: borrowing Performance
  ) -> Bool {
    guard let held = histories[Int(voice.channel)].last,
      event.isFor(part: Int(voice.part), key: held.key)
    else { return false }
    histories[Int(voice.channel)].lastKey = held.key
    var note = voice
    note.key = held.key
    note.pitch = performance.tunedPitch(held.key, voice.channel)
    note.velocity = held.velocity
    note.number = held.number
    note.startFrame = UInt8(truncatingIfNeeded: event.frame)
    note.level = 1
    let isGliding = performance.channels[Int(voice.channel)].isGliding
    note.glideSpeed = isGliding ? glideSpeed(from: voice.key, to: held.key, voice.channel, performance) : 0
    startAlone(note, from: voice.key, performance)
    return true
  }
}

/// The keys of a channel in the order they were struck: what a monophonic instrument goes back to and glides from.
struct KeyHistory: BitwiseCopyable {
  struct Entry: BitwiseCopyable {
    var key: UInt8 = 0
    var velocity: UInt16 = 0
    /// In the log of notes.
    var number: UInt32 = 0
  }

  /// The key a glide begins at; `ChannelState.noKey` for none.
  var lastKey = ChannelState.noKey
  private var held = InlineArray<16, Entry>(repeating: Entry())
  private var count = 0

  @_noLocks
  init() {}

  /// The key that was struck last of those that are held.
  var last: Entry? {
    @_noLocks get { count > 0 ? held[count &- 1] : nil }
  }

  /// Puts a key on top; of more than 16 the oldest is forgotten.
  @_noLocks
  mutating func strike(_ key: UInt8, velocity: UInt16, number: UInt32 = 0) {
    release(key)
    if count == 16 { release(held[0].key) }
    held[count] = Entry(key: key, velocity: velocity, number: number)
    count &+= 1
    lastKey = key
  }

  @_noLocks
  mutating func release(_ key: UInt8) {
    var kept = 0
    for index in 0..<count where held[index].key != key {
      held[kept] = held[index]
      kept &+= 1
    }
    count = kept
  }

  @_noLocks
  mutating func releaseAll() { count = 0 }
}
