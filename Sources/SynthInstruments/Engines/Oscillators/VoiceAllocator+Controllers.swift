import SynthMIDI

// Pedals, channel modes and tunings: the events that act upon voices.

extension VoiceAllocator {
  @_noLocks
  func followHolds(_ event: EngineEvent) {
    for index in 0..<slotCount { followHold(index, event) }
  }

  @_noLocks
  func followHold(_ index: Int, _ event: EngineEvent) {
    slots[index].hold.follow(event, on: slots[index].channel, key: slots[index].key)
  }

  /// Fades all voices of channels, a bit each.
  @_noLocks
  mutating func fadeAll(_ scope: UInt16) {
    guard scope != 0 else { return }
    forgetKeys(scope)
    for index in 0..<slotCount where slots[index].isOn && isIn(scope, index) { fade(note: slots[index].serial) }
  }

  /// Tunes the notes that sound.
  @_noLocks
  func retune(_ event: EngineEvent, _ performance: borrowing Performance) {
    for index in 0..<slotCount where !slots[index].isFree {
      let (key, channel) = (slots[index].key, slots[index].channel)
      if event.retunes(key, on: channel) { slots[index].pitch = performance.tunedPitch(key, channel) }
    }
  }

  @_noLocks
  func forgetKeys(_ scope: UInt16) {
    for channel in 0..<midiChannelCount where scope & (1 &<< UInt16(truncatingIfNeeded: channel)) != 0 {
      (histories + channel).pointee.releaseAll()
    }
  }

  @_noLocks
  func resetControllers(_ scope: UInt16) {
    for index in 0..<slotCount where isIn(scope, index) {
      slots[index].pressure = 0
      slots[index].bend = 0
    }
  }

  @_noLocks
  private func isIn(_ scope: UInt16, _ index: Int) -> Bool { scope & (1 &<< UInt16(slots[index].channel & 15)) != 0 }
}
