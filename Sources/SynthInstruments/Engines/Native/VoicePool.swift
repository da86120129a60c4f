import SynthDSP
import SynthSoundFonts

/// The voices of the engine, side by side in the lanes of filters without a gap, and a list of those of each channel.
/// Memory is allocated in `init`. Elements are changed through `pointee`: Swift 6.3 fails to compile
/// `counts[channel] += 1` in a noncopyable type under ThreadSanitizer. [audio thread]
struct VoicePool: ~Copyable {
  /// How many voices may sound, those apart that fade because others have taken their place.
  let polyphony: Int
  let voices: UnsafeMutablePointer<SampleVoice>
  /// Of each voice.
  let gains: UnsafeMutablePointer<StereoGain>
  private(set) var voiceCount = 0
  /// Those that fade for others included.
  private(set) var soundingCount = 0

  private let capacity: Int
  /// How many banks of eight lanes there may be.
  let bankCount: Int
  /// A bit for each voice.
  private let used: UnsafeMutablePointer<UInt64>
  /// The voices of each channel.
  private let members: UnsafeMutablePointer<UInt16>
  private let counts: UnsafeMutablePointer<Int>
  /// The voice of each lane; those that sound have the first ones.
  private let lanes: UnsafeMutablePointer<UInt16>
  /// The filters of eight lanes each.
  let banks: UnsafeMutablePointer<ResonantBank>

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
    lanes = .allocate(capacity: capacity)
    bankCount = (capacity + Self.laneCount - 1) / Self.laneCount
    banks = .allocate(capacity: bankCount)
    banks.initialize(repeating: ResonantBank(), count: bankCount)
  }

  deinit {
    voices.deallocate()
    gains.deallocate()
    used.deallocate()
    members.deallocate()
    counts.deallocate()
    lanes.deallocate()
    banks.deallocate()
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
    gains[place] = voice.fullGain
    (voices + place).pointee.lane = soundingCount
    (voices + place).pointee.rank = counts[channel]
    lanes[soundingCount] = UInt16(truncatingIfNeeded: place)
    members[channel &* capacity &+ counts[channel]] = UInt16(truncatingIfNeeded: place)
    (counts + channel).pointee &+= 1
    mark(place, isUsed: true)
  }

  /// Frees the place of a voice. The last of all takes over its lane, the last of its channel its rank.
  @_noLocks
  mutating func remove(_ place: Int) {
    let (channel, rank, lane) = (Int(voices[place].channel), voices[place].rank, voices[place].lane)
    (counts + channel).pointee &-= 1
    let lastOfChannel = members[channel &* capacity &+ counts[channel]]
    members[channel &* capacity &+ rank] = lastOfChannel
    (voices + Int(lastOfChannel)).pointee.rank = rank
    mark(place, isUsed: false)
    let last = soundingCount
    if lane != last {
      lanes[lane] = lanes[last]
      (voices + Int(lanes[lane])).pointee.lane = lane
      (banks + lane / Self.laneCount).pointee.take(
        lane % Self.laneCount, from: banks[last / Self.laneCount], last % Self.laneCount)
    }
    (banks + last / Self.laneCount).pointee.clear(last % Self.laneCount)
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
    members[channel &* capacity &+ voices[place].rank] = UInt16(truncatingIfNeeded: other)
    lanes[voices[place].lane] = UInt16(truncatingIfNeeded: other)
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
  }

  // MARK: - Order

  /// How many voices sound on a channel.
  @_noLocks
  func count(ofChannel channel: Int) -> Int { counts[channel] }

  /// A voice of a channel.
  @_noLocks
  func place(_ channel: Int, rank: Int) -> Int { Int(members[channel &* capacity &+ rank]) }

  /// The voice in a lane, one of `soundingCount`.
  @_noLocks
  func place(lane: Int) -> Int { Int(lanes[lane]) }
}
