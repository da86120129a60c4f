import SynthMIDI
import SynthSoundFonts

// Notes begin and end; in mono mode, and while the legato pedal is down, voices go on with the next note.

extension NativeEngine {
  @_noLocks
  mutating func noteOn(_ event: EngineEvent, _ glideSource: UInt8) {
    let message = event.message
    let channel = Int(message.channel)
    guard programs.preset(channel) != nil else { return }
    let note = MonoNotes.Note(
      key: message.note, velocity7: message.velocity7,
      velocity: max(sevenBits(message.velocity16), 1), number: event.number)
    let start = keys.begin(note, event, glideSource)
    let state = event.performance.pointee.channels[channel]
    if !state.isMono, !state.isLegato { endRepeated(event) }
    play(note, event, legatoFrom: start.legatoSource, glideFrom: start.glideSource)
  }

  @_noLocks
  mutating func noteOff(_ event: EngineEvent) {
    let (channel, key) = (Int(event.message.channel), event.message.note)
    switch keys.end(event) {
    case .unknown, .last: letKeyGo(event)
    case .none: break
    case .back(let note):
      let isGliding = event.performance.pointee.channels[channel].isGliding
      play(note, event, legatoFrom: key, glideFrom: isGliding ? key : ChannelState.noKey)
    }
  }

  @_noLocks
  private func letKeyGo(_ event: EngineEvent) {
    let channel = Int(event.message.channel)
    for rank in 0..<pool.count(ofChannel: channel) { follow(event, pool.place(channel, rank: rank)) }
  }

  /// Ends the notes of a key that is struck again, as the part's assign mode says; of those let go, pedals hold some.
  @_noLocks
  private func endRepeated(_ event: EngineEvent) {
    let channel = Int(event.message.channel)
    let mode = event.performance.pointee.assignMode(event.message.channel)
    for rank in 0..<pool.count(ofChannel: channel) {
      let place = pool.place(channel, rank: rank)
      let voice = pool.voices + place
      guard voice.pointee.key == event.message.note else { continue }
      switch mode {
      case .multi: break
      case .single: if voice.pointee.fadeLeft == nil { voice.pointee.beginFade() }
      case .limited:
        guard voice.pointee.hold.isKeyDown else { continue }
        voice.pointee.hold.keyUp(event.performance.pointee.isSustaining(event.message.channel))
        letGoUnlessHeld(event, place)
      }
    }
  }

  /// Begins a note.
  ///
  /// - Parameters:
  ///   - source: the key whose voices go on with this note; `noKey` for none.
  ///   - glideSource: the key from which it glides; `noKey` for none.
  @_noLocks
  private mutating func play(
    _ note: MonoNotes.Note, _ event: EngineEvent, legatoFrom source: UInt8, glideFrom glideSource: UInt8
  ) {
    noteCount &+= 1
    let channel = Int(event.message.channel)
    if source != ChannelState.noKey { goOn(note, event, from: source, glideFrom: glideSource) }
    guard let preset = programs.preset(channel) else { return }
    for index in 0..<preset.pointee.zoneCount {
      let zone = preset.pointee.zones + index
      guard zone.pointee.contains(key: note.key, velocity: note.velocity7), !isPlaying(zone, channel) else { continue }
      start(zone, note, event, glideFrom: glideSource)
    }
  }

  /// Lets the voices of a key go on with a note where their zones have it; the others are let go.
  @_noLocks
  private mutating func goOn(
    _ note: MonoNotes.Note, _ event: EngineEvent, from key: UInt8, glideFrom glideSource: UInt8
  ) {
    let context = context(event.performance)
    let channel = Int(event.message.channel)
    for rank in 0..<pool.count(ofChannel: channel) {
      let voice = pool.voices + pool.place(channel, rank: rank)
      guard voice.pointee.key == key, voice.pointee.hold.isKeyDown, !voice.pointee.isReleased else { continue }
      guard voice.pointee.zone.pointee.contains(key: note.key, velocity: note.velocity7) else {
        voice.pointee.letGo(at: Int32(truncatingIfNeeded: event.frame), shortest: shortestNote)
        continue
      }
      voice.pointee.key = note.key
      voice.pointee.velocity = note.velocity
      voice.pointee.note = noteCount
      voice.pointee.number = note.number
      voice.pointee.changeNote(context)
      voice.pointee.beginAttack(context.conversions)
      if glideSource != ChannelState.noKey { voice.pointee.beginGlide(from: glideSource, context) }
    }
  }

  /// Whether a voice has gone on with the present note in a zone.
  @_noLocks
  private func isPlaying(_ zone: UnsafePointer<PlayableZone>, _ channel: Int) -> Bool {
    for rank in 0..<pool.count(ofChannel: channel) {
      let voice = pool.voices + pool.place(channel, rank: rank)
      if voice.pointee.note == noteCount, voice.pointee.zone == zone { return true }
    }
    return false
  }

  // MARK: - Voices

  @_noLocks
  private mutating func start(
    _ zone: UnsafePointer<PlayableZone>, _ note: MonoNotes.Note, _ event: EngineEvent, glideFrom glideSource: UInt8
  ) {
    let context = context(event.performance)
    var voice = SampleVoice(
      zone, channel: event.message.channel, key: note.key, velocity: note.velocity, note: noteCount,
      number: note.number, frame: Int32(truncatingIfNeeded: event.frame), time: time)
    voice.drum = event.performance.pointee.drumNote(note.key, event.message.channel)
    guard voice.prepare(context) else { return }
    if glideSource != ChannelState.noKey { voice.beginGlide(from: glideSource, context) }
    let place = pool.freePlace() ?? takePlace(event.performance)
    exclude(voice, event, context)
    pool.insert(voice, at: place)
  }

  /// Ends the other notes of a voice's exclusive class on its channel.
  @_noLocks
  private func exclude(_ new: SampleVoice, _ event: EngineEvent, _ context: VoiceContext) {
    guard new.exclusiveClass != 0 else { return }
    let channel = Int(new.channel)
    for rank in 0..<pool.count(ofChannel: channel) {
      let voice = pool.voices + pool.place(channel, rank: rank)
      guard voice.pointee.exclusiveClass == new.exclusiveClass, voice.pointee.note != new.note else { continue }
      voice.pointee.exclude(context)
      voice.pointee.letGo(at: Int32(truncatingIfNeeded: event.frame), shortest: shortestNote)
    }
  }

  /// Frees the place of the least important voice, which fades.
  @_noLocks
  private mutating func takePlace(_ performance: UnsafePointer<Performance>) -> Int {
    var (best, least) = (0, Float.infinity)
    for place in 0..<pool.polyphony {
      let priority = priority(pool.voices + place, performance)
      if priority < least { (best, least) = (place, priority) }
    }
    if stolenCount < pool.polyphony {
      stolen[stolenCount] = pool.voices[best].number
      stolenCount &+= 1
    }
    if pool.voices[best].age == 0 {
      // It has not been heard.
      lostVoiceCount &+= 1
      pool.remove(best)
    } else {
      pool.fade(best)
    }
    return best
  }

  /// How important a voice is, as FluidSynth reckons.
  @_noLocks
  private func priority(_ voice: UnsafePointer<SampleVoice>, _ performance: UnsafePointer<Performance>) -> Float {
    if voice.pointee.fadeLeft != nil { return -.infinity }
    var priority: Float = 0
    if performance.pointee.isDrum(voice.pointee.channel) {
      priority = 4000
    } else if voice.pointee.isReleased {
      priority = -2000
    } else if !voice.pointee.hold.isKeyDown {
      priority = -1000
    }
    let age = max(time &- voice.pointee.startTime, 1)
    priority += 1000 * Float(sampleRate) / Float(age)
    return priority + 500 / max(Float(voice.pointee.attenuation), 0.1)
  }
}
