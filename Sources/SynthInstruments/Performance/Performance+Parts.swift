import SynthDSP
import SynthMIDI

// What parts were told by System Exclusive messages, and what of it notes and controllers follow.

extension Performance {
  /// Takes over a setting of a part. Those that channel messages say too come as these.
  @_noLocks
  mutating func follow(_ change: PartChange) -> EngineAction {
    let part = parts + Int(change.part)
    switch change.setting {
    case .control, .program, .registered: return .value
    case .masterTuning(let semitones): masterTuning = semitones
    case .masterKeyShift(let semitones): masterKeyShift = semitones
    case .assignMode(let mode): part.pointee.assignMode = mode
    case .keyShift(let semitones): part.pointee.keyShift = semitones
    case .velocityDepth(let depth): part.pointee.velocityDepth = depth
    case .velocityOffset(let offset): part.pointee.velocityOffset = offset
    case .route(let source, let target, let amount):
      part.pointee.routes.set(source, target, to: amount)
      isRouted = true
    case .assign(let source, let controller): part.pointee.routes.assign(source, to: controller)
    case .drums(let setup, let style):
      switch (style, bankStyle) {
      case (.gs, .gs), (.xg, .xg):
        setPartMode(setup != nil, change.part)
        drums.choose(setup ?? 0, change.part)
      default: break
      }
    case .randomPan: setRandomPan(true, change.part)
    case .receiveChannel(let channel): part.pointee.receiveChannel = channel
    case .receives(let number, let isOn):
      let bit: UInt32 = 1 &<< UInt32(number)
      part.pointee.switches = isOn ? part.pointee.switches | bit : part.pointee.switches & ~bit
    case .lowestKey(let key): part.pointee.lowestKey = key
    case .highestKey(let key): part.pointee.highestKey = key
    case .detune(let hertz):
      part.pointee.detune = hertz
      isDetuned = true
      return .tune(TuningChange(ofChannel: change.part))
    case .scale(let note, let semitones):
      tuning.setScale(change.part, note: note, semitones)
      return .tune(TuningChange(ofChannel: change.part))
    }
    findPlainness()
    return .value
  }

  @_noLocks
  mutating func setRandomPan(_ isRandom: Bool, _ part: UInt8) {
    guard parts[Int(part)].hasRandomPan != isRandom else { return }
    (parts + Int(part)).pointee.hasRandomPan = isRandom
    findPlainness()
  }

  @_noLocks
  private mutating func findPlainness() {
    isPlain = true
    for part in UInt8(0)..<16 where !(parts + Int(part)).pointee.isPlain(part: part) { isPlain = false }
  }

  // MARK: - Delivery

  /// The parts that receive a message, a bit each.
  @_noLocks
  func receivers(of message: MIDIMessage) -> UInt16 {
    if isPlain || message.kind == .systemExclusive { return 1 &<< UInt16(message.channel) }
    var receivers: UInt16 = 0
    for part in UInt8(0)..<16 where (parts + Int(part)).pointee.receives(message) { receivers |= 1 &<< UInt16(part) }
    return receivers
  }

  /// Where the next note of a part is panned, 1 to 127, if that is at random. The same song is panned the same.
  @_noLocks
  func randomPan(_ part: UInt8) -> UInt8? {
    guard !isPlain, parts[Int(part)].hasRandomPan else { return nil }
    // Multiplicative hashing; source: Knuth, The Art of Computer Programming, volume 3, 6.4.
    return UInt8(truncatingIfNeeded: ((noteCount &+ 1) &* 2_654_435_769) >> 8 % 127) &+ 1
  }

  /// The assignable parameter that a message sets, 14 bits; nil for other messages.
  @_noLocks
  func assignable(setBy message: MIDIMessage) -> UInt16? {
    switch message.kind {
    case .assignableController: return message.parameter
    case .controlChange where message.controller == .dataEntry:
      return states[Int(message.channel)].parameters.selectedAssignable
    default: return nil
    }
  }

  /// The controller that data entry is the same as, where an assignable parameter of GS and XG is selected; else the
  /// message itself.
  @_noLocks
  func withoutAlias(_ message: MIDIMessage) -> MIDIMessage {
    guard let parameter = assignable(setBy: message),
      let controller = PartSettings.controller(ofAssignable: parameter)
    else { return message }
    return .controlChange(channel: message.channel, controller, value32: message.value32)
  }

  /// A message with the key and velocity that its part gives to notes.
  @_noLocks
  func sounding(_ message: MIDIMessage) -> MIDIMessage {
    guard message.concernsOneNote else { return message }
    let channel = message.channel
    guard message.kind == .noteOn else { return message.onNote(keys[message.note, channel]) }
    let part = parts + Int(channel)
    let shift = isDrum(channel) ? 0 : Int32(part.pointee.keyShift) &+ Int32(masterKeyShift)
    let key = keys.begin(message.note, channel, shift: shift)
    let velocity = part.pointee.velocity(message.velocity16)
    if key == message.note, velocity == message.velocity16 { return message }
    return .noteOn(channel: channel, note: key, velocity16: velocity)
  }

  /// What becomes of the notes of a key that is struck again on a channel.
  @_noLocks
  package func assignMode(_ channel: UInt8) -> AssignMode { parts[Int(channel & 15)].assignMode }

  // MARK: - Controllers

  /// Computes again what the controllers of the channels that a message may concern move.
  @_noLocks
  func refreshOffsets(_ message: MIDIMessage) {
    switch message.kind {
    case .polyPressure: (parts + Int(message.channel)).pointee.keyPressure = message.value32
    case .controlChange, .channelPressure, .pitchBend, .systemExclusive: break
    default: return
    }
    guard isRouted else { return }
    for channel in UInt8(0)..<16 where (parts + Int(channel)).pointee.routes.isActive { refreshOffsets(channel) }
  }

  @_noLocks
  private func refreshOffsets(_ channel: UInt8) {
    let part = parts + Int(channel)
    var sources = SIMD8<Float>(repeating: 0)
    sources[0] = unit(controller(1, channel))
    sources[1] = states[Int(channel)].bend
    sources[2] = unit(channelPressure(channel))
    sources[3] = unit(part.pointee.keyPressure)
    sources[4] = unit(controller(part.pointee.routes.firstController, channel))
    sources[5] = unit(controller(part.pointee.routes.secondController, channel))
    part.pointee.offsets = part.pointee.routes.offsets(sources)
  }

  /// Whether controllers of a channel move more than they always do.
  @_noLocks
  package func hasRoutes(_ channel: UInt8) -> Bool {
    parts[Int(channel)].routes.isActive || states[Int(channel)].parameters.modulationRange != nil
  }

  /// What the controllers of a channel move.
  @_noLocks
  func offsets(_ channel: UInt8) -> PartOffsets { parts[Int(channel)].offsets }

  /// What the controllers of a channel add to a generator of SoundFonts. The vibrato LFO moves pitch alone, so filter
  /// and level swing with the modulation LFO; both have the same rate at first.
  @_noLocks
  func routed(_ generator: Int, _ channel: UInt8) -> Float {
    let part = parts + Int(channel)
    switch generator {
    case 6:
      var cents = part.pointee.offsets.vibrato + part.pointee.offsets.soundFontVibrato
      if let range = states[Int(channel)].parameters.modulationRange {
        // SoundFonts have 50 cents.
        cents += (range * 100 - 50) * states[Int(channel)].modulation
      }
      return cents
    case 8: return part.pointee.offsets.cutoff
    case 10: return part.pointee.offsets.filterSwing
    // 12 dB at most, in centibels.
    case 13: return part.pointee.offsets.tremolo * 120
    case 48:
      let factor = part.pointee.offsets.amplitude
      return factor == 1 ? 0 : factor > 0.001 ? -60.206 * logarithm2(factor) : 1440
    default: return 0
    }
  }
}
