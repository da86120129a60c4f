// Who yields when there are more notes than voices.

extension VoiceAllocator {
  /// Fades notes until so many more voices may sound; false if that was so already.
  ///
  /// First goes the same key of the same channel, then what is released, then what only a pedal holds, then what a key
  /// holds; of these the quietest, and among those equally loud, to 6 dB, the oldest.
  @_noLocks
  mutating func makeRoom(_ count: Int, for note: VoiceSlot) -> Bool {
    var hasFaded = false
    while voiceCount &+ count > polyphony {
      var victim: UInt32 = 0
      var lowest = UInt64.max
      for index in 0..<slotCount where slots[index].isOn {
        let reluctance = reluctance(index, note)
        if reluctance < lowest { (victim, lowest) = (slots[index].serial, reluctance) }
      }
      guard lowest < .max else { break }
      fade(note: victim)
      hasFaded = true
    }
    return hasFaded
  }

  /// How unwilling a voice is to yield: its rank, its loudness in steps of 6 dB, its age.
  @_noLocks
  private func reluctance(_ index: Int, _ note: VoiceSlot) -> UInt64 {
    let voice = slots[index]
    let isSameKey = voice.channel == note.channel && voice.key == note.key
    let rank: UInt64 = isSameKey ? 0 : voice.isKeyDown ? 3 : voice.isHeld ? 2 : 1
    let loudness = UInt64(voice.level.bitPattern >> 23 & 0xFF)
    return rank << 48 | loudness << 40 | UInt64(voice.serial)
  }
}
