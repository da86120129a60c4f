/// The keys that are down on a channel in mono mode, the last ten, and which one was the last before. In poly mode it
/// has the last key alone. [audio thread]
package struct MonoNotes: BitwiseCopyable {
  package struct Note: BitwiseCopyable {
    package var key: UInt8 = ChannelState.noKey
    package var velocity7: UInt8 = 0
    /// On the scale of seven bits.
    package var velocity = 0.0
    /// By which it is recorded.
    package var number: UInt32 = 0

    @_noLocks
    init() {}

    @_noLocks
    package init(key: UInt8, velocity7: UInt8, velocity: Double, number: UInt32) {
      self.key = key
      self.velocity7 = velocity7
      self.velocity = velocity
      self.number = number
    }
  }

  /// What becomes of a note when its key goes up.
  package enum Release {
    /// It was played in poly mode.
    case unknown
    /// It was the only one.
    case last
    /// It sounded; the one before sounds again.
    case back(to: Note)
    /// It did not sound any more.
    case none
  }

  private static var capacity: Int {
    @_noLocks get { 10 }
  }

  private var notes = InlineArray<10, Note>(repeating: Note())
  private var count = 0
  /// The key that sounded before the last one; `noKey` for none.
  private(set) var previous = ChannelState.noKey
  /// Whether the last key was struck while another was down.
  private(set) var isLegato = false

  @_noLocks
  init() {}

  /// A key goes down; in poly mode alone.
  @_noLocks
  mutating func add(_ note: Note, isAlone: Bool) {
    isLegato = count > 0
    if count > 0 { previous = notes[count &- 1].key }
    if isAlone { count = 0 }
    if count == Self.capacity {
      for index in 1..<Self.capacity { notes[index &- 1] = notes[index] }
      count &-= 1
    }
    notes[count] = note
    count &+= 1
  }

  /// A key goes up.
  @_noLocks
  mutating func remove(_ key: UInt8) -> Release {
    var place = 0
    while place < count, notes[place].key != key { place &+= 1 }
    guard place < count else { return .unknown }
    let wasLast = place == count &- 1
    if wasLast { previous = key }
    for index in place &+ 1..<max(count, place &+ 1) { notes[index &- 1] = notes[index] }
    count &-= 1
    isLegato = count > 0
    if count == 0 { return .last }
    return wasLast ? .back(to: notes[count &- 1]) : .none
  }

  /// A key goes up in poly mode.
  @_noLocks
  mutating func removeInPoly(_ key: UInt8) {
    guard count > 0, notes[count &- 1].key == key else { return }
    previous = key
    count = 0
    isLegato = false
  }

  /// Where nothing is played legato, the next note glides from no key, unless the pedal for it is down.
  @_noLocks
  mutating func forgetPrevious(isGliding: Bool) {
    if !isLegato, !isGliding { previous = ChannelState.noKey }
  }

  /// Leaving mono mode keeps the last note.
  @_noLocks
  mutating func keepLast() {
    guard count > 1 else { return }
    notes[0] = notes[count &- 1]
    count = 1
  }
}
