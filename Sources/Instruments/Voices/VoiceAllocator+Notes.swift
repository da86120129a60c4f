// Notes on and off, polyphonic and monophonic.

extension VoiceAllocator {
  @_noLocks
  mutating func noteOn(_ channel: UInt8, _ key: UInt8, velocity: UInt16, frame: UInt8) {
    let state = channels[Int(channel)]
    let source =
      state.glideSource != VoiceSlot.noKey ? state.glideSource : state.isGliding ? state.lastKey : VoiceSlot.noKey
    (channels + Int(channel)).pointee.heldKeys.insert(key, velocity: velocity)
    channels[Int(channel)].lastKey = key
    channels[Int(channel)].glideSource = VoiceSlot.noKey
    var note = VoiceSlot()
    note.channel = channel
    note.key = key
    note.pitch = pitch(key, channel)
    note.glideFrom = source == VoiceSlot.noKey ? note.pitch : pitch(source, channel)
    note.hasPortamento = source != VoiceSlot.noKey
    note.velocity = velocity
    note.startFrame = frame
    note.isKeyDown = true
    note.isSoft = state.isSoft || channels[Int(zones.master(of: channel))].isSoft
    note.isSostenuto = releaseSame(channel, key)
    for part in 0..<partCount where parts[part].plays(channel: zones.master(of: channel), key: key) {
      note.part = UInt8(truncatingIfNeeded: part)
      if isMonophonic(part, channel) {
        startAlone(note, from: source == VoiceSlot.noKey ? state.lastKey : source)
      } else if state.glideSource == VoiceSlot.noKey || !leadOn(from: state.glideSource, to: note) {
        start(note)
      }
    }
  }

  @_noLocks
  mutating func noteOff(_ channel: UInt8, _ key: UInt8, frame: UInt8) {
    (channels + Int(channel)).pointee.heldKeys.remove(key)
    for index in 0..<slotCount {
      let voice = slots[index]
      guard voice.isOn, voice.isKeyDown, voice.channel == channel, voice.key == key else { continue }
      if voice.unisonIndex == 0, isMonophonic(Int(voice.part), channel), goBack(from: voice, frame: frame) { continue }
      // Going back may have moved this voice on to another key.
      if slots[index].isOn, slots[index].serial == voice.serial, slots[index].key == key { keyUp(index) }
    }
  }

  /// Lets a key go; the sustain pedal may keep the voice.
  @_noLocks
  func keyUp(_ index: Int) {
    slots[index].isKeyDown = false
    slots[index].isSustained = isSustaining(slots[index].channel)
  }

  @_noLocks
  mutating func setPressure(_ channel: UInt8, _ key: UInt8, _ pressure: Float) {
    for index in 0..<slotCount where isHeld(index, channel, key) { slots[index].pressure = pressure }
  }

  /// - Parameter bend: −1 to 1 of the range per-note bends have, 48 semitones. Source: M2-104-UM, "Per-Note Pitch Bend".
  @_noLocks
  mutating func setBend(_ channel: UInt8, _ key: UInt8, _ bend: Float) {
    for index in 0..<slotCount where isHeld(index, channel, key) { slots[index].bend = bend * 48 }
  }

  /// Releases the voices of a key that is struck again, as the hammer's second blow ends the string's first note.
  ///
  /// - Returns: whether the sostenuto pedal keeps the key's damper up, for the new note too.
  @_noLocks
  private func releaseSame(_ channel: UInt8, _ key: UInt8) -> Bool {
    var isSostenuto = false
    for index in 0..<slotCount where isHeld(index, channel, key) && !isMonophonic(Int(slots[index].part), channel) {
      isSostenuto = isSostenuto || slots[index].isSostenuto
      slots[index].isKeyDown = false
      slots[index].isSustained = false
      slots[index].isSostenuto = false
    }
    return isSostenuto
  }

  @_noLocks
  private func isHeld(_ index: Int, _ channel: UInt8, _ key: UInt8) -> Bool {
    let voice = slots[index]
    return voice.isOn && voice.channel == channel && voice.key == key && voice.isHeld
  }

  /// Has the voices of a part that hold a key go on with another one; false if there are none. Source: MIDI 1.0 Detailed
  /// Specification, "Portamento Control".
  @_noLocks
  private func leadOn(from key: UInt8, to note: VoiceSlot) -> Bool {
    var isLedOn = false
    for index in 0..<slotCount where isHeld(index, note.channel, key) && slots[index].part == note.part {
      slots[index].key = note.key
      slots[index].pitch = note.pitch
      slots[index].hasPortamento = true
      slots[index].isKeyDown = true
      slots[index].isSustained = false
      isLedOn = true
    }
    return isLedOn
  }

  // MARK: - One note at a time

  @_noLocks
  private func isMonophonic(_ part: Int, _ channel: UInt8) -> Bool {
    switch parts[part].mode {
    case .poly: channels[Int(channel)].isMono
    case .mono, .legato: true
    }
  }

  @_noLocks
  private func isLegato(_ part: UInt8, _ channel: UInt8) -> Bool {
    switch parts[Int(part)].mode {
    case .legato: true
    case .mono, .poly: channels[Int(channel)].isLegato
    }
  }

  /// Begins a note in place of what the part plays on the channel, or leads that on to the new key.
  @_noLocks
  private mutating func startAlone(_ note: VoiceSlot, from lastKey: UInt8) {
    var note = note
    var isLedOn = false
    for index in 0..<slotCount {
      let voice = slots[index]
      guard voice.isOn, voice.channel == note.channel, voice.part == note.part else { continue }
      if voice.isKeyDown, isLegato(note.part, note.channel) {
        slots[index].key = note.key
        slots[index].pitch = note.pitch
        slots[index].hasPortamento = note.hasPortamento
        isLedOn = true
      } else {
        fade(note: voice.serial)
      }
    }
    note.glideFrom = lastKey == VoiceSlot.noKey ? note.pitch : pitch(lastKey, note.channel)
    if !isLedOn { start(note) }
  }

  /// Goes back to the key that was struck before and is still held; false if there is none.
  @_noLocks
  private mutating func goBack(from voice: VoiceSlot, frame: UInt8) -> Bool {
    guard let held = channels[Int(voice.channel)].heldKeys.last,
      parts[Int(voice.part)].plays(channel: zones.master(of: voice.channel), key: held.key)
    else { return false }
    channels[Int(voice.channel)].lastKey = held.key
    var note = voice
    note.key = held.key
    note.pitch = pitch(held.key, voice.channel)
    note.velocity = held.velocity
    note.startFrame = frame
    note.level = 1
    startAlone(note, from: voice.key)
    return true
  }
}
