import SynthMIDI

// Events become notes and what voices follow. Notes take effect on their frame, all else at the start of the quantum.

extension NativeEngine {
  @_noLocks
  mutating func play(_ event: EngineEvent) {
    programs.follow(event)
    noteChanges(event)
    switch event.action {
    case .noteOn(let glideSource): noteOn(event, glideSource)
    case .noteOff: noteOff(event)
    case .noteBend(let semitones): bend(event, by: semitones)
    case .keysUp(let channels): followHolds(event, channels)
    case .sustain(let channels), .sostenuto(let channels, _), .resetControllers(let channels):
      followHolds(event, channels)
    case .endSound(let channels): endSound(channels)
    case .tune: retune(event)
    case .notePressure, .value: break
    }
    keys.follow(event)
  }

  @_noLocks
  mutating func reset(_ reset: EngineReset) {
    if reset.isComplete {
      pool.clear()
      noteCount = 0
      time = 0
    } else {
      endSound(.max)
    }
    keys.forget(.max)
    for channel in 0..<midiChannelCount { changes[channel] = SourceChanges() }
    (stolenCount, lostVoiceCount) = (0, 0)
    (renderedQuanta, givenQuanta) = (0, 0)
    programs.reset(reset.performance.pointee)
  }

  @_noLocks
  mutating func takeOver(_ handover: EngineHandover) {
    programs.takeOver(handover.performance.pointee)
  }

  /// Notes what the voices of channels are to follow in the next quantum.
  @_noLocks
  private func noteChanges(_ event: EngineEvent) {
    let message = event.message
    let zones = event.performance.pointee.zones
    let scope = zones.scope(of: message.channel)
    switch message.kind {
    case .controlChange:
      switch message.controller {
      case .dataEntry, .dataEntryLSB, .dataIncrement, .dataDecrement:
        noteAll(zones.contain(message.channel) ? .max : bit(Int(message.channel)))
      case .resetAllControllers: noteAll(scope)
      default:
        for channel in 0..<midiChannelCount where scope & bit(channel) != 0 {
          (changes + channel).pointee.insert(controller: message.controller.rawValue)
        }
      }
    case .pitchBend: note(source: 14, scope)
    case .channelPressure: note(source: 13, scope)
    case .polyPressure: note(source: 10, bit(Int(message.channel)))
    case .registeredController, .assignableController:
      noteAll(zones.contain(message.channel) ? .max : bit(Int(message.channel)))
    case .systemExclusive: if case .part(let change) = event.systemExclusive { noteAll(change.scope) }
    default: break
    }
    noteRoutes(event, scope)
  }

  /// Notes all of the channels whose controllers move more than the modulators of their zones.
  @_noLocks
  private func noteRoutes(_ event: EngineEvent, _ scope: UInt16) {
    switch event.message.kind {
    case .controlChange, .pitchBend, .channelPressure, .polyPressure: break
    default: return
    }
    var left = scope
    while left != 0 {
      let channel = left.trailingZeroBitCount
      left &= left &- 1
      if event.performance.pointee.hasRoutes(UInt8(truncatingIfNeeded: channel)) { noteAll(bit(channel)) }
    }
  }

  @_noLocks
  private func note(source: UInt32, _ channels: UInt16) {
    for channel in 0..<midiChannelCount where channels & bit(channel) != 0 {
      (changes + channel).pointee.insert(source: source)
    }
  }

  @_noLocks
  private func noteAll(_ channels: UInt16) {
    for channel in 0..<midiChannelCount where channels & bit(channel) != 0 {
      (changes + channel).pointee.concernAll = true
    }
  }

  @_noLocks
  private func bit(_ channel: Int) -> UInt16 { 1 &<< UInt16(truncatingIfNeeded: channel & 15) }

  /// Lets pedals and keys of channels take effect.
  @_noLocks
  private func followHolds(_ event: EngineEvent, _ channels: UInt16) {
    for channel in 0..<midiChannelCount where channels & bit(channel) != 0 {
      for rank in 0..<pool.count(ofChannel: channel) { follow(event, pool.place(channel, rank: rank)) }
    }
  }

  /// Lets what holds a voice follow an event, and lets the voice go if nothing does any more.
  @_noLocks
  func follow(_ event: EngineEvent, _ place: Int) {
    let voice = pool.voices + place
    voice.pointee.hold.follow(event, on: voice.pointee.channel, key: voice.pointee.key)
    letGoUnlessHeld(event, place)
  }

  @_noLocks
  func letGoUnlessHeld(_ event: EngineEvent, _ place: Int) {
    let voice = pool.voices + place
    guard !voice.pointee.hold.isHeld, !voice.pointee.isReleased else { return }
    voice.pointee.letGo(at: Int32(truncatingIfNeeded: event.frame), shortest: shortestNote)
  }

  /// Lets all voices of channels fade.
  @_noLocks
  private func endSound(_ channels: UInt16) {
    for channel in 0..<midiChannelCount where channels & bit(channel) != 0 {
      for rank in 0..<pool.count(ofChannel: channel) {
        let voice = pool.voices + pool.place(channel, rank: rank)
        if voice.pointee.fadeLeft == nil { voice.pointee.beginFade() }
      }
    }
  }

  @_noLocks
  private func bend(_ event: EngineEvent, by semitones: Float) {
    let context = context(event.performance)
    let channel = Int(event.message.channel)
    for rank in 0..<pool.count(ofChannel: channel) {
      let voice = pool.voices + pool.place(channel, rank: rank)
      guard voice.pointee.key == event.message.note else { continue }
      voice.pointee.noteBend = 100 * Double(semitones)
      voice.pointee.setPitch(context)
    }
  }

  @_noLocks
  private func retune(_ event: EngineEvent) {
    let context = context(event.performance)
    for channel in 0..<midiChannelCount {
      for rank in 0..<pool.count(ofChannel: channel) {
        let voice = pool.voices + pool.place(channel, rank: rank)
        guard event.retunes(voice.pointee.key, on: voice.pointee.channel) else { continue }
        voice.pointee.setKeyPitch(context)
        voice.pointee.setPitch(context)
      }
    }
  }
}
