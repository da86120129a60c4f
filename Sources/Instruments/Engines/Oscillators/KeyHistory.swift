/// The keys of a channel in the order they were struck: what a monophonic instrument goes back to and glides from.
struct KeyHistory: BitwiseCopyable {
  struct Entry: BitwiseCopyable {
    var key: UInt8 = 0
    var velocity: UInt16 = 0
  }

  /// The key a glide begins at; `ChannelState.noKey` for none.
  var lastKey = ChannelState.noKey
  private var held = InlineArray<16, Entry>(repeating: Entry())
  private var count = 0

  @_noLocks
  init() {}

  /// The key that was struck last of those that are held.
  var last: Entry? {
    @_noLocks get { count > 0 ? held[count &- 1] : nil }
  }

  /// Puts a key on top; of more than 16 the oldest is forgotten.
  @_noLocks
  mutating func strike(_ key: UInt8, velocity: UInt16) {
    release(key)
    if count == 16 { release(held[0].key) }
    held[count] = Entry(key: key, velocity: velocity)
    count &+= 1
    lastKey = key
  }

  @_noLocks
  mutating func release(_ key: UInt8) {
    var kept = 0
    for index in 0..<count where held[index].key != key {
      held[kept] = held[index]
      kept &+= 1
    }
    count = kept
  }

  @_noLocks
  mutating func releaseAll() { count = 0 }
}
