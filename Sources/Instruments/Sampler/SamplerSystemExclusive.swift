import CFluidSynth

// The System Exclusive messages a sampler acts upon: system resets, and the part modes of GS.
//
// FluidSynth hears only device 0 and the broadcast, where GS and XG files mostly speak to device 16; so it is told in its
// own words what a message to any device says. It has no part modes of XG (08 nn 07): there, bank 127 makes a channel play
// drums. MIDI Tuning Standard messages (sub-ID 08) are passed over: FluidSynth allocates for them.

extension Sampler {
  @_noLocks
  mutating func playSystemExclusive(_ payload: UnsafeBufferPointer<UInt8>) {
    if let style = resetStyle(payload) {
      reset(to: style)
    } else if let part = gsPartMode(payload), isGS {
      setDrums(part.isDrum, part.channel)
      // What was the drum channel has its bank of drums still.
      if !part.isDrum, bank(of: part.channel) == 128 { fluid_synth_bank_select(synth, part.channel, 0) }
      changeProgram(part.channel, 0)
    }
  }

  /// Returns all channels to their initial state; sounds end.
  @_noLocks
  mutating func reset(to style: BankStyle) {
    bankStyle = style
    switch style {
    case .gm: fluidsynth_reset_gm(synth)
    case .gs: fluidsynth_reset_gs(synth)
    case .xg: fluidsynth_reset_xg(synth)
    }
    separateChannels()
    forgetChannels()
  }

  private var isGS: Bool {
    @_noLocks get {
      switch bankStyle {
      case .gs: true
      case .gm, .xg: false
      }
    }
  }
}

/// Which kind of reset a message asks for; nil for none. General MIDI off is none to FluidSynth.
@_noLocks
private func resetStyle(_ payload: UnsafeBufferPointer<UInt8>) -> BankStyle? {
  guard isSystemReset(payload), let bytes = payload.baseAddress else { return nil }
  switch bytes[0] {
  case 0x7E: return bytes[3] == 2 ? nil : .gm
  case 0x41: return .gs
  default: return .xg
  }
}

/// Model 42, address 40 1n 15, "use for rhythm part": 00 is off, 01 and 02 are the two drum maps. Part 0 is channel 10,
/// and those up to 9 are counted around it. Source: SC-88Pro owner's manual, "Patch part parameters".
@_noLocks
private func gsPartMode(_ payload: UnsafeBufferPointer<UInt8>) -> (channel: Int32, isDrum: Bool)? {
  guard payload.count == 9, let bytes = payload.baseAddress, bytes[0] == 0x41, bytes[2] == 0x42, bytes[3] == 0x12,
    bytes[4] == 0x40, bytes[5] & 0xF0 == 0x10, bytes[6] == 0x15, bytes[7] <= 2
  else { return nil }
  var sum: Int32 = 0
  for index in 4..<9 { sum &+= Int32(bytes[index]) }
  guard sum & 0x7F == 0 else { return nil }
  let part = Int32(bytes[5] & 0x0F)
  return (part >= 10 ? part : part == 0 ? 9 : part &- 1, bytes[7] != 0)
}
