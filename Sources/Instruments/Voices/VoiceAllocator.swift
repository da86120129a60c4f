import MIDI

/// Decides which notes have a voice: MIDI messages go in, and out comes what each slot does. There is no audio in it.
///
/// Sixteen channels share the slots. A slot is a lane of a renderer that is eight lanes wide, so eight neighbours play one
/// part on one channel; there are four times as many slots as voices may sound, for voices that fade and for groups in part
/// use. Owned by a kernel; memory is taken when it is made. [audio thread]
///
/// What changes an element in place goes by `pointee`: Swift 6.3 fails to compile that as `channels[0].reset()` in a
/// noncopyable type under ThreadSanitizer.
struct VoiceAllocator: ~Copyable {
  /// How many voices may sound at once.
  let polyphony: Int
  let slots: UnsafeMutablePointer<VoiceSlot>
  let groups: UnsafeMutablePointer<VoiceGroup>
  let channels: UnsafeMutablePointer<ChannelState>
  let parts: UnsafeMutablePointer<VoicePart>
  let partCount: Int
  private let groupCapacity: Int

  /// Groups from here on are free.
  private(set) var groupCount = 0
  /// Voices that sound and do not fade.
  private(set) var voiceCount = 0
  /// Voices that could not be had, because too many were fading.
  private(set) var lostVoiceCount = 0
  var zones = MPEZones()
  var tuning = TuningTable()
  private var serial: UInt32 = 0

  /// - Parameter polyphony: raised to as many voices as one note of all parts has.
  init(polyphony: Int, parts: [VoicePart]) {
    self.polyphony = max(polyphony, parts.reduce(1) { $0 + $1.unisonCount } - 1)
    groupCapacity = (4 * self.polyphony + VoiceGroup.width - 1) / VoiceGroup.width + 16 * parts.count
    slots = .allocate(capacity: groupCapacity * VoiceGroup.width)
    slots.initialize(repeating: VoiceSlot(), count: groupCapacity * VoiceGroup.width)
    groups = .allocate(capacity: groupCapacity)
    groups.initialize(repeating: VoiceGroup(), count: groupCapacity)
    channels = .allocate(capacity: 16)
    channels.initialize(repeating: ChannelState(), count: 16)
    partCount = min(parts.count, 255)
    self.parts = .allocate(capacity: max(partCount, 1))
    for index in 0..<partCount { (self.parts + index).initialize(to: parts[index]) }
  }

  deinit {
    slots.deallocate()
    groups.deallocate()
    channels.deallocate()
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

  /// Plays a message.
  ///
  /// - Parameter frame: the frame of the quantum it is due at, 0 to 255; only notes on make use of it.
  @_noLocks
  mutating func play(_ message: MIDIMessage, frame: UInt8 = 0) {
    let channel = message.channel
    switch message.kind {
    case .noteOn: noteOn(channel, message.note, velocity: message.velocity16, frame: frame)
    case .noteOff: noteOff(channel, message.note, frame: frame)
    case .controlChange: control(channel, message.controller, message.value32)
    case .channelPressure: channels[Int(channel)].pressure = unit(message.value32)
    case .pitchBend: channels[Int(channel)].bend = signed(message.value32)
    case .polyPressure: setPressure(channel, message.note, unit(message.value32))
    case .perNotePitchBend: setBend(channel, message.note, signed(message.value32))
    case .registeredController: setParameter(channel, message.parameter, UInt16(message.value32 >> 18))
    case .programChange:
      channels[Int(channel)].program = message.program
      if let bank = message.bank { channels[Int(channel)].bank = bank }
    default: break
    }
  }

  /// Returns everything to its initial state; what sounds fades.
  @_noLocks
  mutating func reset() {
    fadeAll(0xFFFF)
    zones = MPEZones()
    tuning.reset()
    for channel in 0..<16 { channels[channel] = ChannelState() }
  }

  /// Returns everything to what it is when made; what sounds ends.
  @_noLocks
  mutating func clear() {
    for index in 0..<slotCount { finish(index) }
    serial = 0
    reset()
  }

  /// Takes over what channels were told elsewhere, but for the keys that are held there.
  @_noLocks
  mutating func takeOver(_ old: borrowing VoiceAllocator) {
    zones = old.zones
    tuning.takeOver(old.tuning)
    lostVoiceCount = old.lostVoiceCount
    for channel in 0..<16 {
      channels[channel] = old.channels[channel]
      (channels + channel).pointee.heldKeys.removeAll()
    }
  }

  /// Gives back the slot of a voice that is over.
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

  /// Fades the voices of a note; those that were not heard yet are gone at once.
  @_noLocks
  mutating func fade(note serial: UInt32) {
    for index in 0..<slotCount where slots[index].isOn && slots[index].serial == serial {
      if slots[index].isNew {
        finish(index)
      } else {
        slots[index].state = .fading
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
