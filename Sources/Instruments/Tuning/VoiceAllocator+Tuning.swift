import MIDI

// Tunings: which one a channel has selected, and what that makes of a key.

extension VoiceAllocator {
  /// Takes a System Exclusive message, and tells what it tuned; notes that sound follow what is real-time.
  @_noLocks
  mutating func tune(_ payload: UnsafeBufferPointer<UInt8>) -> TuningChange? {
    guard let change = tuning.receive(payload) else { return nil }
    guard change.isRealTime else { return change }
    for index in 0..<slotCount where !slots[index].isFree {
      let (key, channel) = (slots[index].key, slots[index].channel)
      if change.retunes(key, channel: channel, address: tuningAddress(channel)) {
        slots[index].pitch = pitch(key, channel)
      }
    }
    return change
  }

  /// The pitch of a key on a channel, in semitones, 69 at 440 Hz.
  @_noLocks
  func pitch(_ key: UInt8, _ channel: UInt8) -> Float {
    tuning.pitch(key, channel: channel, address: tuningAddress(channel))
  }

  /// Bank × 128 + program of the tuning a channel has selected.
  @_noLocks
  func tuningAddress(_ channel: UInt8) -> UInt16 { channels[Int(channel)].parameters.tuningAddress }

  /// Whether a message selects a tuning. FluidSynth, which allocates for that, must not have it.
  @_noLocks
  func selectsTuning(_ message: MIDIMessage) -> Bool {
    switch message.kind {
    case .registeredController: RegisteredParameters.isTuning(message.parameter)
    case .controlChange:
      switch message.controller {
      case .dataEntry, .dataEntryLSB, .dataIncrement, .dataDecrement:
        channels[Int(message.channel)].parameters.selectsTuning
      default: false
      }
    default: false
    }
  }
}
