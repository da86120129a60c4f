import MIDI

// Pedals, channel modes and registered parameters: the controllers that act upon voices.

extension VoiceAllocator {
  @_noLocks
  mutating func control(_ channel: UInt8, _ controller: Controller, _ value32: UInt32) {
    switch controller {
    case .sustain: setSustain(channel, isOn(value32))
    case .sostenuto: setSostenuto(channel, isOn(value32))
    case .allSoundOff: fadeAll(zones.scope(of: channel))
    case .allNotesOff, .omniOff, .omniOn: releaseKeys(zones.scope(of: channel))
    case .monoOn, .polyOn:
      releaseKeys(zones.scope(of: channel))
      channels[Int(channel)].isMono = controller == .monoOn
    case .resetAllControllers: resetControllers(channel)
    default:
      if controller == .dataEntry, channels[Int(channel)].parameters.configures {
        configure(channel, memberCount: UInt8(truncatingIfNeeded: value32 >> 25))
      } else {
        _ = (channels + Int(channel)).pointee.follow(controller, value32)
        shareParameters(channel)
      }
    }
  }

  @_noLocks
  mutating func setParameter(_ channel: UInt8, _ parameter: UInt16, _ value: UInt16) {
    if parameter == RegisteredParameters.configuration {
      configure(channel, memberCount: UInt8(truncatingIfNeeded: value >> 7))
    } else {
      (channels + Int(channel)).pointee.parameters.set(parameter, to: value)
      shareParameters(channel)
    }
  }

  /// Whether the channel's sustain pedal is down, or its zone's.
  @_noLocks
  func isSustaining(_ channel: UInt8) -> Bool {
    channels[Int(channel)].isSustaining || channels[Int(zones.master(of: channel))].isSustaining
  }

  /// Fades all voices of channels, a bit each.
  @_noLocks
  mutating func fadeAll(_ scope: UInt16) {
    for channel in 0..<16 where scope & (1 &<< UInt16(truncatingIfNeeded: channel)) != 0 {
      (channels + channel).pointee.heldKeys.removeAll()
    }
    for index in 0..<slotCount where slots[index].isOn && isIn(scope, index) { fade(note: slots[index].serial) }
  }

  @_noLocks
  private func isIn(_ scope: UInt16, _ index: Int) -> Bool { scope & (1 &<< UInt16(slots[index].channel & 15)) != 0 }

  /// Lets all keys go; pedals keep what they keep.
  @_noLocks
  private func releaseKeys(_ scope: UInt16) {
    for channel in 0..<16 where scope & (1 &<< UInt16(truncatingIfNeeded: channel)) != 0 {
      (channels + channel).pointee.heldKeys.removeAll()
    }
    for index in 0..<slotCount where isIn(scope, index) && slots[index].isKeyDown { keyUp(index) }
  }

  @_noLocks
  private func setSustain(_ channel: UInt8, _ isDown: Bool) {
    channels[Int(channel)].isSustaining = isDown
    releaseSustained(zones.scope(of: channel))
  }

  @_noLocks
  private func releaseSustained(_ scope: UInt16) {
    for index in 0..<slotCount where isIn(scope, index) && !isSustaining(slots[index].channel) {
      slots[index].isSustained = false
    }
  }

  /// Takes hold of the keys that are down at this moment, or lets all go.
  @_noLocks
  private func setSostenuto(_ channel: UInt8, _ isDown: Bool) {
    // A pedal that is down already takes hold of nothing more.
    guard isDown != channels[Int(channel)].isSostenuto else { return }
    channels[Int(channel)].isSostenuto = isDown
    let scope = zones.scope(of: channel)
    for index in 0..<slotCount where isIn(scope, index) && slots[index].isOn {
      slots[index].isSostenuto = isDown && slots[index].isHeld
    }
  }

  @_noLocks
  private func resetControllers(_ channel: UInt8) {
    let scope = zones.scope(of: channel)
    setSostenuto(channel, false)
    for other in 0..<16 where scope & (1 &<< UInt16(truncatingIfNeeded: other)) != 0 {
      (channels + other).pointee.resetControllers()
    }
    releaseSustained(scope)
    for index in 0..<slotCount where isIn(scope, index) {
      slots[index].pressure = 0
      slots[index].bend = 0
    }
  }

  // MARK: - MPE

  /// Sets a zone up: members bend by 48 semitones, the master by 2, and notes that sound on its channels end.
  @_noLocks
  private mutating func configure(_ channel: UInt8, memberCount: UInt8) {
    let before = zones.scope(of: channel)
    guard zones.configure(master: channel, memberCount: memberCount) else { return }
    let scope = zones.scope(of: channel)
    fadeAll(before | scope)
    for other in UInt8(0)..<16 where scope & (1 &<< UInt16(other)) != 0 {
      (channels + Int(other)).pointee.resetControllers()
      (channels + Int(other)).pointee.parameters.setBendRange(semitones: other == channel ? 2 : 48)
    }
  }

  /// A member's bend range is that of all members of its zone, and the master's tuning that of all. Source: M1-100-UM,
  /// section 2.5.
  @_noLocks
  private func shareParameters(_ channel: UInt8) {
    let master = zones.master(of: channel)
    guard master != channel else {
      for other in UInt8(0)..<16 where other != channel && zones.master(of: other) == channel {
        (channels + Int(other)).pointee.parameters.copyTuning(from: channels[Int(channel)].parameters)
      }
      return
    }
    for other in UInt8(0)..<16 where other != master && zones.master(of: other) == master {
      (channels + Int(other)).pointee.parameters.copyBendRange(from: channels[Int(channel)].parameters)
    }
  }
}
