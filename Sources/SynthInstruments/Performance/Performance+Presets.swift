import SynthMIDI

// Which preset a channel has: banks as GS, XG and General MIDI read them, and part modes.

extension Performance {
  /// The preset that the notes of a channel have; a member of an MPE zone has its master's, and no drums.
  @_noLocks
  package func presetRequest(_ channel: UInt8) -> PresetRequest {
    let master = zones.master(of: channel)
    var request = states[Int(master)].preset
    if master != channel { request.isDrum = false }
    return request
  }

  /// Chooses the preset of the program and the bank that a channel was told last.
  @_noLocks
  mutating func choosePreset(_ channel: UInt8) {
    let state = states + Int(channel)
    let (high, low) = (state.pointee.bank >> 7, state.pointee.bank & 127)
    var (bank, fallback): (UInt16, UInt16) = (0, 0)
    switch bankStyle {
    case .gm: break
    case .gm2:
      if high == 120 || high == 121 { setDrums(high == 120, channel) }
      bank = low
    case .gs:
      // The SC-55 puts the variation of eight, then the capital tone in place of one that it lacks.
      (bank, fallback) = (high, high & 0x78)
    case .xg:
      setDrums(high >= 126, channel)
      bank = high == 64 ? high : low
    }
    let isDrum = drumChannels & (1 &<< UInt16(channel & 15)) != 0
    state.pointee.preset = PresetRequest(
      isDrum: isDrum, bank: isDrum ? 0 : Int32(bank), fallbackBank: isDrum ? 0 : Int32(fallback),
      program: Int32(state.pointee.program))
  }

  /// The bank before any is selected: channel 10 has drums.
  @_noLocks
  func initialBank(_ channel: UInt8) -> UInt16 {
    switch bankStyle {
    case .gm, .gs: 0
    case .gm2: (channel == 9 ? 120 : 121) << 7
    case .xg: channel == 9 ? 127 << 7 : 0
    }
  }

  /// Makes a channel play drums, or melodic sounds again, with the first program.
  @_noLocks
  mutating func setPartMode(_ isDrum: Bool, _ channel: UInt8) {
    let state = states + Int(channel)
    state.pointee.program = 0
    switch bankStyle {
    case .xg: state.pointee.bank = isDrum ? 127 << 7 : 0
    case .gm, .gm2, .gs: state.pointee.bank = 0
    }
    setDrums(isDrum, channel)
    choosePreset(channel)
  }
}
