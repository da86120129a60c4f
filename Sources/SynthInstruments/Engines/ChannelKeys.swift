import SynthMIDI

/// The keys of each channel, for mono mode, the legato pedal and portamento. Memory is allocated in `init`.
/// [audio thread]
package struct ChannelKeys: ~Copyable {
  private let notes: UnsafeMutablePointer<MonoNotes>

  package init() {
    notes = .allocate(capacity: midiChannelCount)
    notes.initialize(repeating: MonoNotes(), count: midiChannelCount)
  }

  deinit { notes.deallocate() }

  /// What a note that begins goes on with.
  package struct Start {
    /// The key whose voices go on with the note; `noKey` for none.
    package var legatoSource = ChannelState.noKey
    /// The key from which it glides; `noKey` for none.
    package var glideSource = ChannelState.noKey
    /// Whether no other key of the channel is down.
    package var isDetached = true

    @_noLocks
    init() {}
  }

  /// A note begins.
  ///
  /// - Parameter glideSource: by Portamento Control; `noKey` for none.
  @_noLocks
  package mutating func begin(_ note: MonoNotes.Note, _ event: EngineEvent, _ glideSource: UInt8) -> Start {
    let channel = Int(event.message.channel)
    let state = event.performance.pointee.channels[channel]
    let isMono = state.isMono || state.isLegato
    (notes + channel).pointee.add(note, isAlone: !isMono)
    let keys = notes[channel]
    var start = Start()
    start.isDetached = !keys.isLegato
    if isMono, keys.isLegato { start.legatoSource = keys.previous }
    if glideSource != ChannelState.noKey {
      // By Portamento Control a note goes on with the voices of that key.
      if !isMono { start.legatoSource = glideSource }
      start.glideSource = glideSource
    } else if state.isGliding {
      start.glideSource = start.legatoSource == ChannelState.noKey ? keys.previous : start.legatoSource
    }
    return start
  }

  /// A key goes up.
  @_noLocks
  package mutating func end(_ event: EngineEvent) -> MonoNotes.Release {
    let channel = Int(event.message.channel)
    let state = event.performance.pointee.channels[channel]
    var release = MonoNotes.Release.unknown
    if state.isMono || state.isLegato {
      release = (notes + channel).pointee.remove(event.message.note)
    } else {
      (notes + channel).pointee.removeInPoly(event.message.note)
    }
    (notes + channel).pointee.forgetPrevious(isGliding: state.isGliding)
    return release
  }

  /// Follows an event that is no note.
  @_noLocks
  package mutating func follow(_ event: EngineEvent) {
    switch event.action {
    case .keysUp(let channels), .endSound(let channels): forget(channels)
    case .value where event.message.kind == .controlChange:
      let channel = Int(event.message.channel)
      let state = event.performance.pointee.channels[channel]
      switch event.message.controller {
      case .legato where !state.isLegato && !state.isMono: (notes + channel).pointee.keepLast()
      case .portamento: (notes + channel).pointee.forgetPrevious(isGliding: state.isGliding)
      default: break
      }
    default: break
    }
  }

  /// - Parameter channels: a bit each.
  @_noLocks
  package mutating func forget(_ channels: UInt16) {
    for channel in 0..<midiChannelCount where channels & (1 &<< UInt16(truncatingIfNeeded: channel)) != 0 {
      notes[channel] = MonoNotes()
    }
  }
}
