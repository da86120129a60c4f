import SynthDSP
import SynthMIDI

/// What the 16 channels of a rack were told: controllers, programs, registered parameters, MPE zones, tunings and the
/// bank style. All engines share one; it follows each event once, before an engine plays it. [audio thread]
///
/// Memory is allocated in `init`. Elements are changed through `pointee`: Swift 6.3 fails to compile
/// `states[0].reset()` in a noncopyable type under ThreadSanitizer.
public struct Performance: ~Copyable {
  /// The channels that MPE groups, by RPN 6.
  public private(set) var zones = MPEZones()
  var tuning = TuningTable()
  /// What the keys of drum channels were told.
  var drums = DrumSetups()
  private var table = ControllerTable()
  private let glideTimes = GlideTimes()
  /// How bank select is read, by the last reset that said so.
  public private(set) var bankStyle = BankStyle.gs
  /// The channels that play drums, a bit each: channel 10, and those that GS and XG make such.
  public private(set) var drumChannels = Self.initialDrumChannels
  let states: UnsafeMutablePointer<ChannelState>
  let parts: UnsafeMutablePointer<PartState>
  let keys = SoundingKeys()
  /// Of all parts, and of all melodic ones, in semitones.
  var masterTuning: Float = 0
  var masterKeyShift: Int8 = 0
  /// Whether each part receives all messages of its own channel.
  var isPlain = true
  /// Whether a part has a frequency offset.
  var isDetuned = false
  /// Whether a controller of a part moves something beside what it always does.
  var isRouted = false
  private(set) var noteCount: UInt32 = 0

  private static var initialDrumChannels: UInt16 {
    @_noLocks get { 1 &<< 9 }
  }

  public init() {
    states = .allocate(capacity: midiChannelCount)
    states.initialize(repeating: ChannelState(), count: midiChannelCount)
    parts = .allocate(capacity: midiChannelCount)
    for part in 0..<midiChannelCount { (parts + part).initialize(to: PartState(part: UInt8(part))) }
    resetChannels()
  }

  deinit {
    states.deallocate()
    parts.deallocate()
  }

  /// The state of each channel, 0 to 15.
  public var channels: UnsafePointer<ChannelState> {
    @_noLocks get { UnsafePointer(states) }
  }

  /// Follows an event, and tells what it asks of voices.
  @_noLocks
  mutating func follow(_ message: MIDIMessage, _ systemExclusive: SystemExclusive = .other) -> EngineAction {
    let state = states + Int(message.channel)
    table.follow(message, scope: zones.scope(of: message.channel))
    let action = action(message, systemExclusive, state)
    refreshOffsets(message)
    return action
  }

  @_noLocks
  private mutating func action(
    _ message: MIDIMessage, _ systemExclusive: SystemExclusive, _ state: UnsafeMutablePointer<ChannelState>
  ) -> EngineAction {
    switch message.kind {
    case .noteOn:
      noteCount &+= 1
      let glideSource = state.pointee.glideSource
      state.pointee.glideSource = ChannelState.noKey
      state.pointee.lastKey = message.note
      drums.countNote()
      return .noteOn(glideSource: glideSource)
    case .noteOff: return .noteOff
    case .polyPressure: return .notePressure(unit(message.value32))
    case .perNotePitchBend: return .noteBend(semitones: signed(message.value32) * 48)
    case .controlChange:
      if message.controller == .pan, case .other = systemExclusive { setRandomPan(false, message.channel) }
      return control(message)
    case .channelPressure: state.pointee.pressure = unit(message.value32)
    case .pitchBend: state.pointee.bend = signed(message.value32)
    case .registeredController: return set(message.parameter, UInt16(message.value32 >> 18), message.channel)
    case .programChange:
      state.pointee.program = message.program
      if let bank = message.bank { state.pointee.bank = bank }
      choosePreset(message.channel)
    case .assignableController:
      tellDrumKey(
        UInt8(message.parameter >> 7), UInt8(message.parameter & 127), UInt8(message.value32 >> 25), message.channel)
    case .systemExclusive: return follow(systemExclusive)
    default: break
    }
    return .value
  }

  /// Returns everything to its initial state.
  @_noLocks
  public mutating func reset() {
    bankStyle = .gs
    resetChannels()
  }

  @_noLocks
  private mutating func resetChannels() {
    zones = MPEZones()
    tuning.reset()
    drums.reset()
    drumChannels = Self.initialDrumChannels
    table.reset()
    keys.reset()
    (masterTuning, masterKeyShift, noteCount) = (0, 0, 0)
    (isPlain, isDetuned, isRouted) = (true, false, false)
    for channel in UInt8(0)..<UInt8(midiChannelCount) {
      states[Int(channel)] = ChannelState()
      states[Int(channel)].bank = initialBank(channel)
      parts[Int(channel)] = PartState(part: channel)
      choosePreset(channel)
    }
  }

  @_noLocks
  private mutating func follow(_ systemExclusive: SystemExclusive) -> EngineAction {
    switch systemExclusive {
    case .reset(let reset):
      switch reset {
      case .gm: bankStyle = .gm
      case .gm2: bankStyle = .gm2
      case .gs, .gmOff: bankStyle = .gs
      case .xg: bankStyle = .xg
      }
      resetChannels()
    case .tuning(let message):
      if let change = tuning.receive(message), change.isRealTime { return .tune(change) }
    case .keyBased(let control): drums.follow(control)
    case .parameters(let data): drums.follow(data, bankStyle)
    case .part(let change): return follow(change)
    case .effects, .master, .parts, .other: break
    }
    return .value
  }

  /// An assignable parameter of a drum channel, whose low byte is the key.
  @_noLocks
  private mutating func tellDrumKey(_ parameter: UInt8, _ key: UInt8, _ value: UInt8, _ channel: UInt8) {
    if isDrum(channel) { drums.follow(parameter: parameter, key: key, value: value, channel, bankStyle) }
  }

  @_noLocks
  mutating func setDrums(_ isDrum: Bool, _ channel: UInt8) {
    let bit: UInt16 = 1 &<< UInt16(channel)
    drumChannels = isDrum ? drumChannels | bit : drumChannels & ~bit
  }

  @_noLocks
  private mutating func control(_ message: MIDIMessage) -> EngineAction {
    let (channel, controller, value) = (message.channel, message.controller, message.value32)
    let state = states + Int(channel)
    switch controller {
    case .sustain:
      state.pointee.isSustaining = isOn(value)
      return .sustain(channels: zones.scope(of: channel))
    case .sostenuto:
      guard isOn(value) != state.pointee.isSostenuto else { return .value }
      state.pointee.isSostenuto = isOn(value)
      return .sostenuto(channels: zones.scope(of: channel), isDown: isOn(value))
    case .allSoundOff: return .endSound(channels: zones.scope(of: channel))
    case .allNotesOff, .omniOff, .omniOn: return .keysUp(channels: zones.scope(of: channel))
    case .monoOn, .polyOn:
      state.pointee.isMono = controller == .monoOn
      return .keysUp(channels: zones.scope(of: channel))
    case .resetAllControllers:
      let scope = zones.scope(of: channel)
      resetControllers(scope)
      return .resetControllers(channels: scope)
    case .dataEntry where state.pointee.parameters.configures:
      return configure(channel, memberCount: UInt8(truncatingIfNeeded: value >> 25))
    default:
      if controller == .dataEntry, !state.pointee.parameters.isRegistered {
        tellDrumKey(
          UInt8(table.value(99, channel) >> 25), UInt8(table.value(98, channel) >> 25), UInt8(value >> 25), channel)
      }
      _ = state.pointee.follow(controller, value)
      shareParameters(channel)
      return .value
    }
  }

  /// Sets a registered parameter.
  @_noLocks
  private mutating func set(_ parameter: UInt16, _ value: UInt16, _ channel: UInt8) -> EngineAction {
    if parameter == RegisteredParameters.configuration {
      return configure(channel, memberCount: UInt8(truncatingIfNeeded: value >> 7))
    }
    (states + Int(channel)).pointee.parameters.set(parameter, to: value)
    shareParameters(channel)
    return .value
  }

  /// - Parameter scope: channels, a bit each.
  @_noLocks
  private mutating func resetControllers(_ scope: UInt16) {
    for channel in 0..<midiChannelCount where scope & (1 &<< UInt16(truncatingIfNeeded: channel)) != 0 {
      (states + channel).pointee.resetControllers()
      (parts + channel).pointee.keyPressure = 0
      table.resetControllers(channel)
    }
  }

  // MARK: - MPE

  /// Sets a zone up: members bend by 48 semitones, the master by 2.
  @_noLocks
  private mutating func configure(_ channel: UInt8, memberCount: UInt8) -> EngineAction {
    let before = zones.scope(of: channel)
    guard zones.configure(master: channel, memberCount: memberCount) else { return .value }
    let scope = zones.scope(of: channel)
    resetControllers(scope)
    for other in UInt8(0)..<16 where scope & (1 &<< UInt16(other)) != 0 {
      (states + Int(other)).pointee.parameters.setBendRange(semitones: other == channel ? 2 : 48)
    }
    return .endSound(channels: before | scope)
  }

  /// All members of a zone share a bend range, and the tuning of their master. Source: M1-100-UM, section 2.5.
  @_noLocks
  private func shareParameters(_ channel: UInt8) {
    let master = zones.master(of: channel)
    let parameters = states[Int(channel)].parameters
    for other in UInt8(0)..<16 where other != channel && other != master && zones.master(of: other) == master {
      if master == channel {
        (states + Int(other)).pointee.parameters.copyTuning(from: parameters)
      } else {
        (states + Int(other)).pointee.parameters.copyBendRange(from: parameters)
      }
    }
  }

  // MARK: - What engines ask

  /// What a controller, 0 to 127, was set to last; before that its initial value. A member of an MPE zone has its
  /// master's, if that was set later.
  @_noLocks
  public func controller(_ number: UInt8, _ channel: UInt8) -> UInt32 { table.value(number, channel) }

  /// Whether a sound controller of the channel is out of its middle, or its soft pedal down.
  @_noLocks
  func isShaped(_ channel: UInt8) -> Bool { table.shapedChannels & (1 &<< UInt16(channel & 15)) != 0 }

  /// The pressure of a key, which notes to come have too.
  @_noLocks
  public func keyPressure(_ key: UInt8, _ channel: UInt8) -> UInt32 { table.keyPressure(key, channel) }

  /// The pressure of a channel, or of its zone's master, whichever was set last.
  @_noLocks
  public func channelPressure(_ channel: UInt8) -> UInt32 { table.channelPressure(channel) }

  /// What NRPN 120 and the channel's controllers add to a generator of SoundFonts, in its unit.
  @_noLocks
  public func generatorOffset(_ generator: Int, _ channel: UInt8) -> Float {
    table.generatorOffset(generator, channel) + routed(generator, channel)
  }

  /// What a key is tuned to on a channel, in semitones, 69 at 440 Hz; bends are not in it.
  @_noLocks
  public func tunedPitch(_ key: UInt8, _ channel: UInt8) -> Float {
    let pitch = tuning.pitch(key, channel: channel, address: tuningAddress(channel))
    let detune = parts[Int(channel & 15)].detune
    if detune == 0 { return pitch }
    let frequency = 440 * exponential2((pitch - 69) / 12)
    return pitch + 12 * logarithm2(max(1 + detune / frequency, 0.01))
  }

  /// Whether no key has another pitch than its equal-tempered one.
  package var isEqualTempered: Bool {
    @_noLocks get { tuning.isEqualTempered && !isDetuned }
  }

  /// The bend and the tuning of a channel and of its zone's master, and what its controllers bend it by, in semitones.
  @_noLocks
  public func pitchOffset(_ channel: UInt8) -> Float {
    let (own, master) = (states[Int(channel)].pitchOffset, zones.master(of: channel))
    let sum = master == channel ? own : own + states[Int(master)].pitchOffset
    return sum + masterTuning + parts[Int(channel)].offsets.pitch
  }

  /// The same without the bend of a channel that is in no zone.
  @_noLocks
  func tuningOffset(_ channel: UInt8) -> Float {
    states[Int(channel)].parameters.tuning + masterTuning + parts[Int(channel)].offsets.pitch
  }

  /// The frequency of a key on a channel, bends included, in hertz.
  @_noLocks
  public func frequency(_ key: UInt8, _ channel: UInt8) -> Float {
    440 * exponential2((tunedPitch(key, channel) + pitchOffset(channel) - 69) / 12)
  }

  /// Bank × 128 + program of the tuning a channel has selected.
  @_noLocks
  func tuningAddress(_ channel: UInt8) -> UInt16 { states[Int(channel)].parameters.tuningAddress }

  /// How long a glide takes from one key to another, in milliseconds: controllers 5 and 37 together as a number of 14
  /// bits, or where 5 alone was sent, by the curve of GS and XG, which depends on the interval.
  @_noLocks
  public func glideTime(from first: UInt8, to last: UInt8, _ channel: UInt8) -> Double {
    let coarse = sevenBits(table.value(5, channel))
    if states[Int(channel)].hasFineGlideTime || states[Int(zones.master(of: channel))].hasFineGlideTime {
      return Double(Int32(coarse)) * 128 + sevenBits(table.value(37, channel))
    }
    return Double(glideTimes.time(coarse, interval: Int32(last) &- Int32(first)))
  }

  /// Whether a channel plays drums; a member of an MPE zone does not.
  @_noLocks
  public func isDrum(_ channel: UInt8) -> Bool {
    drumChannels & (1 &<< UInt16(channel & 15)) != 0 && zones.master(of: channel) == channel
  }

  /// What its drum setup makes of the note that began last.
  @_noLocks
  package func drumNote(_ key: UInt8, _ channel: UInt8) -> DrumNote {
    drums.isInUse && isDrum(channel) ? drums.note(key, channel) : DrumNote()
  }

  /// Whether any drum key was told what it sends to an effect.
  var drumKeysHaveSends: Bool {
    @_noLocks get { drums.haveSends }
  }

  /// The group of a drum's key; nil where the font decides.
  @_noLocks
  package func drumGroup(_ key: UInt8, _ channel: UInt8) -> UInt8? { drums.group(of: key, channel) }

  /// The bend range of a channel in whole semitones.
  @_noLocks
  package func wholeBendRange(_ channel: UInt8) -> Int32 { states[Int(channel)].parameters.wholeBendRange }

  /// Whether the channel's sustain pedal is down, or its zone's.
  @_noLocks
  public func isSustaining(_ channel: UInt8) -> Bool {
    states[Int(channel)].isSustaining || states[Int(zones.master(of: channel))].isSustaining
  }

  /// Whether a message selects a tuning.
  @_noLocks
  package func selectsTuning(_ message: MIDIMessage) -> Bool {
    switch message.kind {
    case .registeredController: return RegisteredParameters.isTuning(message.parameter)
    case .controlChange:
      switch message.controller {
      case .dataEntry, .dataEntryLSB, .dataIncrement, .dataDecrement:
        return states[Int(message.channel)].parameters.selectsTuning
      default: return false
      }
    default: return false
    }
  }
}

/// What bank select means, decided by the last system reset.
public enum BankStyle: BitwiseCopyable, Sendable {
  /// Nothing.
  case gm
  /// The bank is controller 32's, and controller 0 chooses drums (120) or melodic sounds (121).
  case gm2
  /// The bank is controller 0's; the initial style.
  case gs
  /// The bank is controller 32's, and controller 0 chooses drums (126 and 127), effects (64) or melodic sounds.
  case xg
}
