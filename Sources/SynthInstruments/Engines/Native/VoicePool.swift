import SynthDSP
import SynthSoundFonts

/// The voices of the engine, and those of each channel in the lanes of its filters. Memory is allocated in `init`.
/// [audio thread]
struct VoicePool: ~Copyable {
  /// How many voices may sound, those apart that fade because others have taken their place.
  let polyphony: Int
  let voices: UnsafeMutablePointer<SampleVoice>
  /// Of each voice; the next one in its place begins with them, as in FluidSynth.
  let gains: UnsafeMutablePointer<StereoGain>
  private(set) var voiceCount = 0
  /// Those that fade for others included.
  private(set) var soundingCount = 0

  private let capacity: Int
  /// How many batches of eight there may be.
  let bankCount: Int
  /// A bit for each voice.
  private let used: UnsafeMutablePointer<UInt64>
  /// The voices of each channel.
  private let members: UnsafeMutablePointer<UInt16>
  private let counts: UnsafeMutablePointer<Int>
  private let banks: UnsafeMutablePointer<ResonantBank>
  /// The banks of each channel.
  private let bankNumbers: UnsafeMutablePointer<UInt16>
  private let freeBanks: UnsafeMutablePointer<UInt16>
  private var freeBankCount: Int
  private let banksOfChannel: Int

  /// How many voices may fade for others at once.
  private static var fadingCount: Int {
    @_noLocks get { 64 }
  }

  static var laneCount: Int {
    @_noLocks get { 8 }
  }

  init(polyphony: Int) {
    self.polyphony = polyphony
    capacity = polyphony + Self.fadingCount
    voices = .allocate(capacity: capacity)
    gains = .allocate(capacity: capacity)
    gains.initialize(repeating: StereoGain(left: 0, right: 0), count: capacity)
    used = .allocate(capacity: (capacity + 63) / 64)
    used.initialize(repeating: 0, count: (capacity + 63) / 64)
    members = .allocate(capacity: midiChannelCount * capacity)
    counts = .allocate(capacity: midiChannelCount)
    counts.initialize(repeating: 0, count: midiChannelCount)
    banksOfChannel = (capacity + Self.laneCount - 1) / Self.laneCount
    bankCount = banksOfChannel + midiChannelCount
    freeBankCount = bankCount
    banks = .allocate(capacity: bankCount)
    banks.initialize(repeating: ResonantBank(), count: freeBankCount)
    bankNumbers = .allocate(capacity: midiChannelCount * banksOfChannel)
    freeBanks = .allocate(capacity: freeBankCount)
    for index in 0..<freeBankCount { (freeBanks + index).initialize(to: UInt16(index)) }
  }

  deinit {
    voices.deallocate()
    gains.deallocate()
    used.deallocate()
    members.deallocate()
    counts.deallocate()
    banks.deallocate()
    bankNumbers.deallocate()
    freeBanks.deallocate()
  }

  // MARK: - Places

  /// The first free place for a voice; nil where all sound.
  @_noLocks
  func freePlace() -> Int? { freePlace(from: 0, to: polyphony) }

  @_noLocks
  private func freePlace(from first: Int, to end: Int) -> Int? {
    var place = first
    while place < end {
      let free = ~used[place / 64] >> UInt64(place % 64)
      if free != 0 {
        place &+= free.trailingZeroBitCount
        return place < end ? place : nil
      }
      place = (place / 64 &+ 1) &* 64
    }
    return nil
  }

  /// The next voice that sounds, from a place on; nil for none.
  @_noLocks
  func next(from place: Int) -> Int? {
    var place = place
    while place < capacity {
      let bits = used[place / 64] >> UInt64(place % 64)
      if bits != 0 { return place &+ bits.trailingZeroBitCount }
      place = (place / 64 &+ 1) &* 64
    }
    return nil
  }

  /// Puts a voice into a free place.
  @_noLocks
  mutating func insert(_ voice: SampleVoice, at place: Int) {
    let channel = Int(voice.channel)
    (voices + place).initialize(to: voice)
    mark(place, isUsed: true)
    let lane = counts[channel]
    if lane % Self.laneCount == 0 {
      freeBankCount &-= 1
      bankNumbers[channel &* banksOfChannel &+ lane / Self.laneCount] = freeBanks[freeBankCount]
    }
    members[channel &* capacity &+ lane] = UInt16(truncatingIfNeeded: place)
    (voices + place).pointee.lane = lane
    counts[channel] = lane &+ 1
  }

  /// Frees the place of a voice. The last voice of its channel takes over its lane.
  @_noLocks
  mutating func remove(_ place: Int) {
    let (channel, lane) = (Int(voices[place].channel), voices[place].lane)
    let last = counts[channel] &- 1
    if lane != last {
      let moved = members[channel &* capacity &+ last]
      members[channel &* capacity &+ lane] = moved
      (voices + Int(moved)).pointee.lane = lane
      bank(channel, lane / Self.laneCount).pointee.take(
        lane % Self.laneCount, from: bank(channel, last / Self.laneCount).pointee, last % Self.laneCount)
    }
    bank(channel, last / Self.laneCount).pointee.clear(last % Self.laneCount)
    counts[channel] = last
    if last % Self.laneCount == 0 {
      freeBanks[freeBankCount] = bankNumbers[channel &* banksOfChannel &+ last / Self.laneCount]
      freeBankCount &+= 1
    }
    mark(place, isUsed: false)
  }

  @_noLocks
  private mutating func mark(_ place: Int, isUsed: Bool) {
    let bit: UInt64 = 1 &<< UInt64(place % 64)
    used[place / 64] = isUsed ? used[place / 64] | bit : used[place / 64] & ~bit
    soundingCount &+= isUsed ? 1 : -1
    if place < polyphony { voiceCount &+= isUsed ? 1 : -1 }
  }

  /// Makes the place of a voice free, which fades in another one.
  @_noLocks
  mutating func fade(_ place: Int) {
    let other = freePlace(from: polyphony, to: capacity) ?? shortestFade()
    if voices[place].fadeLeft == nil { (voices + place).pointee.beginFade() }
    let channel = Int(voices[place].channel)
    (voices + other).initialize(to: voices[place])
    gains[other] = gains[place]
    members[channel &* capacity &+ voices[place].lane] = UInt16(truncatingIfNeeded: other)
    mark(other, isUsed: true)
    mark(place, isUsed: false)
  }

  /// Ends the fade that has the least left.
  @_noLocks
  private mutating func shortestFade() -> Int {
    var best = polyphony
    for place in polyphony..<capacity where (voices[place].fadeLeft ?? 0) < (voices[best].fadeLeft ?? 0) {
      best = place
    }
    remove(best)
    return best
  }

  /// Ends all sound at once, so that the next is that of a new pool.
  @_noLocks
  mutating func clear() {
    var place = next(from: 0)
    while let found = place {
      remove(found)
      place = next(from: found)
    }
    for place in 0..<capacity { gains[place] = StereoGain(left: 0, right: 0) }
  }

  // MARK: - Channels

  /// How many voices sound on a channel.
  @_noLocks
  func count(ofChannel channel: Int) -> Int { counts[channel] }

  /// The voice in a lane of a channel.
  @_noLocks
  func place(_ channel: Int, lane: Int) -> Int { Int(members[channel &* capacity &+ lane]) }

  /// The filters of eight lanes of a channel.
  @_noLocks
  func bank(_ channel: Int, _ index: Int) -> UnsafeMutablePointer<ResonantBank> {
    banks + Int(bankNumbers[channel &* banksOfChannel &+ index])
  }
}
