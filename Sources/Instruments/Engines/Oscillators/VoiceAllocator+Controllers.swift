import MIDI

// Pedals, channel modes and tunings: the events that act upon voices.

extension VoiceAllocator {
  @_noLocks
  mutating func control(_ event: EngineEvent, _ performance: borrowing Performance) {
    let scope = performance.zones.scope(of: event.message.channel)
    switch event.message.controller {
    case .sustain: releaseSustained(scope, performance)
    case .sostenuto:
      if event.change.movesSostenuto {
        moveSostenuto(scope, isDown: performance.channels[Int(event.message.channel)].isSostenuto)
      }
    case .allSoundOff: fadeAll(scope)
    case .allNotesOff, .omniOff, .omniOn, .monoOn, .polyOn: releaseKeys(scope, performance)
    case .resetAllControllers:
      if event.change.movesSostenuto { moveSostenuto(scope, isDown: false) }
      resetControllers(scope, performance)
    default: fadeAll(event.change.reconfiguredChannels)
    }
  }

  /// Fades all voices of channels, a bit each.
  @_noLocks
  mutating func fadeAll(_ scope: UInt16) {
    guard scope != 0 else { return }
    forgetKeys(scope)
    for index in 0..<slotCount where slots[index].isOn && isIn(scope, index) { fade(note: slots[index].serial) }
  }

  /// Tunes the notes that sound; not after a message that is not real-time.
  @_noLocks
  func retune(_ change: TuningChange, _ performance: borrowing Performance) {
    guard change.isRealTime else { return }
    for index in 0..<slotCount where !slots[index].isFree {
      let (key, channel) = (slots[index].key, slots[index].channel)
      if change.retunes(key, channel: channel, address: performance.tuningAddress(channel)) {
        slots[index].pitch = performance.pitch(key, channel)
      }
    }
  }

  @_noLocks
  private func isIn(_ scope: UInt16, _ index: Int) -> Bool { scope & (1 &<< UInt16(slots[index].channel & 15)) != 0 }

  @_noLocks
  private func forgetKeys(_ scope: UInt16) {
    for channel in 0..<midiChannelCount where scope & (1 &<< UInt16(truncatingIfNeeded: channel)) != 0 {
      (histories + channel).pointee.releaseAll()
    }
  }

  /// Lets all keys go; pedals still hold their notes.
  @_noLocks
  private func releaseKeys(_ scope: UInt16, _ performance: borrowing Performance) {
    forgetKeys(scope)
    for index in 0..<slotCount where isIn(scope, index) && slots[index].isKeyDown { keyUp(index, performance) }
  }

  @_noLocks
  private func releaseSustained(_ scope: UInt16, _ performance: borrowing Performance) {
    for index in 0..<slotCount where isIn(scope, index) && !performance.isSustaining(slots[index].channel) {
      slots[index].isSustained = false
    }
  }

  /// Captures the keys that are down at this moment, or lets all go.
  @_noLocks
  private func moveSostenuto(_ scope: UInt16, isDown: Bool) {
    for index in 0..<slotCount where isIn(scope, index) && slots[index].isOn {
      slots[index].isSostenuto = isDown && slots[index].isHeld
    }
  }

  @_noLocks
  private func resetControllers(_ scope: UInt16, _ performance: borrowing Performance) {
    releaseSustained(scope, performance)
    for index in 0..<slotCount where isIn(scope, index) {
      slots[index].pressure = 0
      slots[index].bend = 0
    }
  }
}
