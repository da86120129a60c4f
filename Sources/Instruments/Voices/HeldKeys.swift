/// The keys held down on a channel in the order they were struck, for a monophonic instrument to go back to.
struct HeldKeys: BitwiseCopyable {
  struct Entry: BitwiseCopyable {
    var key: UInt8 = 0
    var velocity: UInt16 = 0
  }

  private var entries = InlineArray<16, Entry>(repeating: Entry())
  private var count = 0

  @_noLocks
  init() {}

  /// The key struck last.
  var last: Entry? {
    @_noLocks get { count > 0 ? entries[count &- 1] : nil }
  }

  /// Puts a key on top; of more than 16 the oldest is forgotten.
  @_noLocks
  mutating func insert(_ key: UInt8, velocity: UInt16) {
    remove(key)
    if count == 16 { remove(entries[0].key) }
    entries[count] = Entry(key: key, velocity: velocity)
    count &+= 1
  }

  @_noLocks
  mutating func remove(_ key: UInt8) {
    var kept = 0
    for index in 0..<count where entries[index].key != key {
      entries[kept] = entries[index]
      kept &+= 1
    }
    count = kept
  }

  @_noLocks
  mutating func removeAll() { count = 0 }
}
