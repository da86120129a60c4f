import SynthMIDI

/// Polyphonic voice allocator: events go in, and each slot tells what its voice does. It renders no audio. [audio
/// thread]
///
/// Sixteen channels share the slots. A slot is a lane of a renderer that is eight lanes wide, so eight neighbours play
/// one part on one channel; there are four times as many slots as voices may sound, for voices that fade and for groups
/// in part use. Memory is allocated in `init`.
///
/// Elements are changed through `pointee`: Swift 6.3 fails to compile `histories[0].reset()` in a noncopyable type
/// under ThreadSanitizer.
struct VoiceAllocator: ~Copyable {
  /// How many voices may sound at once.
  let polyphony: Int
  let slots: UnsafeMutablePointer<VoiceSlot>
  let groups: UnsafeMutablePointer<VoiceGroup>
  /// The keys of each channel.
  let histories: UnsafeMutablePointer<KeyHistory>
  let parts: UnsafeMutablePointer<VoicePart>
  let partCount: Int
  private let groupCapacity: Int

  /// Groups from here on are free.
  private(set) var groupCount = 0
  /// Voices that sound and do not fade.
  private(set) var voiceCount = 0
  /// Voices that could not be had since the renderer read this, because too many were fading.
  var lostVoiceCount = 0
  /// Voices that fade for others, likewise.
  var stolenVoiceCount = 0
  private var serial: UInt32 = 0

  /// - Parameter polyphony: raised to as many voices as one note of all parts has.
  init(polyphony: Int, parts: [VoicePart]) {
    self.polyphony = max(polyphony, parts.reduce(1) { $0 + $1.unisonCount } - 1)
    groupCapacity = (4 * self.polyphony + VoiceGroup.width - 1) / VoiceGroup.width + 16 * parts.count
    slots = .allocate(capacity: groupCapacity * VoiceGroup.width)
    slots.initialize(repeating: VoiceSlot(), count: groupCapacity * VoiceGroup.width)
    groups = .allocate(capacity: groupCapacity)
    groups.initialize(repeating: VoiceGroup(), count: groupCapacity)
    histories = .allocate(capacity: midiChannelCount)
    histories.initialize(repeating: KeyHistory(), count: midiChannelCount)
    partCount = min(parts.count, 255)
    self.parts = .allocate(capacity: max(partCount, 1))
    for index in 0..<partCount { (self.parts + index).initialize(to: parts[index]) }
  }

  deinit {
    slots.deallocate()
    groups.deallocate()
    histories.deallocate()
    parts.deallocate()
  }

  /// The most groups there can be.
  var capacity: Int {
    @_noLocks get { groupCapacity }
  }

  /// Slots from here on are free.
  var slotCount: Int {
    @_noLocks get { groupCount &* VoiceGroup.width }
  }

  /// Plays an event.
  @_noLocks
  mutating func play(_ event: EngineEvent, _ performance: borrowing Performance) {
    let message = event.message
    let channel = message.channel
    switch event.action {
    case .noteOn(let glideSource): noteOn(event, glideSource, performance)
    case .noteOff: noteOff(event, performance)
    case .notePressure(let pressure): setPressure(channel, message.note, pressure)
    case .noteBend(let semitones): setBend(channel, message.note, semitones)
    case .keysUp(let channels):
      forgetKeys(channels)
      followHolds(event)
    case .sustain: followHolds(event)
    case .sostenuto: for index in 0..<slotCount where slots[index].isOn { followHold(index, event) }
    case .resetControllers(let channels):
      followHolds(event)
      resetControllers(channels)
    case .endSound(let channels): fadeAll(channels)
    case .tune: retune(event, performance)
    case .value: break
    }
  }

  /// Returns to the initial state; what sounds fades.
  @_noLocks
  mutating func reset() {
    fadeAll(0xFFFF)
    for channel in 0..<midiChannelCount { histories[channel] = KeyHistory() }
  }

  /// Returns to the state after `init`; what sounds ends.
  @_noLocks
  mutating func clear() {
    for index in 0..<slotCount { finish(index) }
    serial = 0
    reset()
  }

  /// Frees the slot of a voice that has ended.
  @_noLocks
  mutating func finish(_ index: Int) {
    guard !slots[index].isFree else { return }
    if slots[index].isOn { voiceCount &-= 1 }
    slots[index] = VoiceSlot()
    let group = index / VoiceGroup.width
    (groups + group).pointee.lanes &= ~(1 &<< UInt8(truncatingIfNeeded: index % VoiceGroup.width))
    while groupCount > 0, groups[groupCount &- 1].lanes == 0 { groupCount &-= 1 }
  }

  /// Begins a note of a part, with as many voices as it has in unison.
  @_noLocks
  mutating func start(_ note: VoiceSlot) {
    let part = parts[Int(note.part)]
    serial &+= 1
    let hasStolen = makeRoom(part.unisonCount, for: note)
    for unisonIndex in 0..<part.unisonCount {
      guard let index = freeSlot(channel: note.channel, part: note.part) else {
        lostVoiceCount &+= 1
        return
      }
      slots[index] = note
      slots[index].state = .on
      slots[index].isNew = true
      slots[index].hasStolen = hasStolen
      slots[index].unisonIndex = UInt8(truncatingIfNeeded: unisonIndex)
      slots[index].serial = serial
      voiceCount &+= 1
    }
  }

  /// Fades the voices of a note; those that were not heard yet end at once.
  @_noLocks
  mutating func fade(note serial: UInt32, isStolen: Bool = false) {
    for index in 0..<slotCount where slots[index].isOn && slots[index].serial == serial {
      if slots[index].isNew {
        finish(index)
      } else {
        slots[index].state = .fading
        slots[index].isStolen = isStolen
        if isStolen { stolenVoiceCount &+= 1 }
        voiceCount &-= 1
      }
    }
  }

  /// A free slot in a group of this channel and part, else in a free group.
  @_noLocks
  private mutating func freeSlot(channel: UInt8, part: UInt8) -> Int? {
    var freeGroup = groupCapacity
    for group in 0..<groupCount {
      let found = groups[group]
      if found.lanes == 0 {
        freeGroup = min(freeGroup, group)
      } else if found.lanes != 0xFF, found.channel == channel, found.part == part {
        return take((~found.lanes).trailingZeroBitCount, of: group)
      }
    }
    let group = min(freeGroup, groupCount)
    guard group < groupCapacity else { return nil }
    groups[group].channel = channel
    groups[group].part = part
    groupCount = max(groupCount, group &+ 1)
    return take(0, of: group)
  }

  @_noLocks
  private func take(_ lane: Int, of group: Int) -> Int {
    (groups + group).pointee.lanes |= 1 &<< UInt8(truncatingIfNeeded: lane)
    return group &* VoiceGroup.width &+ lane
  }
}

// Which voices are stolen when there are more notes than voices.

extension VoiceAllocator {
  /// Fades notes until `count` more voices may sound; false if they may already.
  ///
  /// The order is: the same key of the same channel, released notes, notes that only a pedal holds, notes that a key
  /// holds; of these the quietest, and of those equally loud, to 6 dB, the oldest.
  @_noLocks
  mutating func makeRoom(_ count: Int, for note: VoiceSlot) -> Bool {
    var hasFaded = false
    while voiceCount &+ count > polyphony {
      var victim: UInt32 = 0
      var lowest = UInt64.max
      for index in 0..<slotCount where slots[index].isOn {
        let reluctance = reluctance(index, note)
        if reluctance < lowest { (victim, lowest) = (slots[index].serial, reluctance) }
      }
      guard lowest < .max else { break }
      fade(note: victim, isStolen: true)
      hasFaded = true
    }
    return hasFaded
  }

  /// The voice with the lowest figure is stolen: its rank, its loudness in steps of 6 dB, its age.
  @_noLocks
  private func reluctance(_ index: Int, _ note: VoiceSlot) -> UInt64 {
    let voice = slots[index]
    let isSameKey = voice.channel == note.channel && voice.key == note.key
    let rank: UInt64 = isSameKey ? 0 : voice.hold.isKeyDown ? 3 : voice.hold.isHeld ? 2 : 1
    let loudness = UInt64(voice.level.bitPattern >> 23 & 0xFF)
    return rank << 48 | loudness << 40 | UInt64(voice.serial)
  }
}
