/// What an event asks of the voices of an engine. Channel modes, registered parameters and MPE zones are worked out:
/// channels, a bit each, are all that it is for. [audio thread]
///
/// Values that a channel was told (volume, bend, program) ask for nothing: `Performance` has followed them.
public enum EngineAction: BitwiseCopyable {
  /// A value has changed, which engines read as they render, or nothing has.
  case value
  /// A note begins. It glides from this key, by Portamento Control; `ChannelState.noKey` for none.
  case noteOn(glideSource: UInt8)
  /// The key of a note goes up; pedals may hold it.
  case noteOff
  /// The notes of a key have another pressure, 0 to 1.
  case notePressure(Float)
  /// The notes of a key bend by semitones: those of MIDI 2.0, up to 48. Source: M2-104-UM, "Per-Note Pitch Bend".
  case noteBend(semitones: Float)
  /// All keys go up, by All Notes Off and the channel modes; pedals hold what they hold. Source: MIDI 1.0 Detailed
  /// Specification, "Channel Mode Messages".
  case keysUp(channels: UInt16)
  /// The sustain pedal may have moved: `Performance.isSustaining`.
  case sustain(channels: UInt16)
  /// The sostenuto pedal went down, and holds the notes that are held at this moment, or up.
  case sostenuto(channels: UInt16, isDown: Bool)
  /// Controllers are reset: pedals go up, notes lose their own pressures and bends. Source: RP-015.
  case resetControllers(channels: UInt16)
  /// All sound ends at once or in a few milliseconds, also that of held notes: All Sound Off, and a zone set up or
  /// given up.
  case endSound(channels: UInt16)
  /// Keys that sound are tuned: those for which `EngineEvent.retunes` is true.
  case tune(TuningChange)
}

/// What holds a note: its key, and the pedals. A voice keeps one, follows every event with it, and lets its note go
/// when nothing holds it any more. [audio thread]
public struct NoteHold: BitwiseCopyable {
  /// Whether the key is held.
  public internal(set) var isKeyDown = false
  /// Whether the sustain pedal (controller 64) holds the note.
  public internal(set) var isSustained = false
  /// Whether the sostenuto pedal (controller 66) holds the note.
  public internal(set) var isSostenuto = false

  /// A note whose key is down.
  @_noLocks
  public init() { isKeyDown = true }

  /// A note that nothing holds.
  @_noLocks
  init(isKeyDown: Bool) { self.isKeyDown = isKeyDown }

  /// Whether the key or a pedal holds the note.
  public var isHeld: Bool {
    @_noLocks get { isKeyDown || isSustained || isSostenuto }
  }

  /// Follows an event that may let the key go or move a pedal.
  ///
  /// - Parameters:
  ///   - channel: the note's.
  ///   - key: the note's.
  @_noLocks
  public mutating func follow(_ event: EngineEvent, on channel: UInt8, key: UInt8) {
    let bit: UInt16 = 1 &<< UInt16(channel & 15)
    switch event.action {
    case .noteOff where event.message.channel == channel && event.message.note == key:
      keyUp(event.performance.pointee.isSustaining(channel))
    case .keysUp(let channels) where channels & bit != 0 && isKeyDown:
      keyUp(event.performance.pointee.isSustaining(channel))
    case .sustain(let channels) where channels & bit != 0:
      isSustained = isSustained && event.performance.pointee.isSustaining(channel)
    case .sostenuto(let channels, let isDown) where channels & bit != 0:
      isSostenuto = isDown && isHeld
    case .resetControllers(let channels) where channels & bit != 0:
      isSustained = isSustained && event.performance.pointee.isSustaining(channel)
      isSostenuto = false
    default: break
    }
  }

  /// Lets the key go.
  @_noLocks
  mutating func keyUp(_ isSustaining: Bool) {
    isKeyDown = false
    isSustained = isSustaining
  }
}
