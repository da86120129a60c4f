import SynthMIDI
import SynthRealtime

/// What is played beside a song's own events, at one time, before it goes on: what it holds is released, a list of
/// events follows, and pedals are pressed again. [audio thread]
struct SongExtras {
  /// A seek in a long song may have many events to chase. As many are played in a quantum, at about 0.2 µs each; the
  /// song begins in the quantum after the last ones.
  static var chaseLimit: Int {
    @_noLocks get { 256 }
  }

  /// From the first of so many events to the song's beginning, in frames.
  static func chaseLength(eventCount: Int) -> Int64 {
    Int64(max(eventCount - 1, 0) / chaseLimit * renderQuantum)
  }

  /// What the event is that was asked for last.
  private enum Kind: BitwiseCopyable {
    case release, silence, list, press
  }

  /// When all of it is due.
  var time: Int64 = 0
  private var releaseSlot = SongKeys.slotCount
  /// Whether only the keys are released that another timeline does not hold.
  private var isEditing = false
  private var silenceSlot = SongKeys.slotCount
  private var list = UnsafeBufferPointer<MIDIEvent>(start: nil, count: 0)
  private var listIndex = 0
  /// The events of lists in this quantum.
  private var listCount = 0
  private var pressSlot = SongKeys.slotCount
  private var kind = Kind.release

  @_noLocks init() {}

  /// Whether anything may be left to be played.
  var isPending: Bool {
    @_noLocks get {
      releaseSlot < SongKeys.slotCount || silenceSlot < SongKeys.slotCount || listIndex < list.count
        || pressSlot < SongKeys.slotCount
    }
  }

  /// Forgets what is left to be played.
  @_noLocks
  mutating func clear() {
    (isEditing, releaseSlot) = (false, SongKeys.slotCount)
    silenceSlot = SongKeys.slotCount
    listIndex = list.count
    pressSlot = SongKeys.slotCount
  }

  /// Lets go of all that the song holds.
  @_noLocks
  mutating func release() { (isEditing, releaseSlot) = (false, 0) }

  /// Lets go of the keys that another timeline does not hold.
  @_noLocks
  mutating func releaseForEdit() { (isEditing, releaseSlot) = (true, 0) }

  /// Lets go of the keys that silent tracks hold.
  @_noLocks
  mutating func releaseSilent() { silenceSlot = 0 }

  /// Gives back the pedals that the song holds.
  @_noLocks
  mutating func press() { pressSlot = SongKeys.firstPedal }

  @_noLocks
  mutating func play(_ list: UnsafeBufferPointer<MIDIEvent>) { (self.list, listIndex) = (list, 0) }

  @_noLocks
  mutating func beginQuantum() { listCount = 0 }

  /// Whether events of the list are left.
  var hasList: Bool {
    @_noLocks get { listIndex < list.count }
  }

  /// The next event, the same one until `advance`; nil when all have been played, or as many as may be chased in a
  /// quantum.
  ///
  /// - Parameter index: of the song's next event.
  @_noLocks
  mutating func next(
    _ keys: borrowing SongKeys, _ silent: SilentTracks, _ plan: Playback.Plan, at index: Int, isChasing: Bool
  ) -> MIDIEvent? {
    if isEditing { passHeldKeys(keys, plan, index) }
    if let message = keys.release(from: &releaseSlot) {
      kind = .release
      return MIDIEvent(time: time, message: message)
    }
    if let message = keys.release(from: &silenceSlot, of: silent) {
      kind = .silence
      return MIDIEvent(time: time, message: message)
    }
    if listIndex < list.count, !isChasing || listCount < Self.chaseLimit, var event = list.baseAddress?[listIndex] {
      kind = .list
      event.time = time
      return event
    }
    if let message = keys.press(from: &pressSlot) {
      kind = .press
      return MIDIEvent(time: time, message: message)
    }
    return nil
  }

  /// Passes over the event that was asked for last, which has been played.
  @_noLocks
  mutating func advance(_ keys: borrowing SongKeys) {
    switch kind {
    case .release:
      keys.letGo(releaseSlot)
      releaseSlot &+= 1
    case .silence:
      keys.letGo(silenceSlot)
      silenceSlot &+= 1
    case .list:
      keys.follow(list[listIndex].message, shift: 0, track: list[listIndex].source)
      listIndex &+= 1
      listCount &+= 1
    case .press: pressSlot &+= 1
    }
  }

  /// Passes over the keys that the other timeline holds as well, and over pedals, of which its events tell.
  @_noLocks
  private mutating func passHeldKeys(_ keys: borrowing SongKeys, _ plan: Playback.Plan, _ index: Int) {
    while releaseSlot < SongKeys.firstPedal {
      if keys.isHeld(releaseSlot), !plan.holds(releaseSlot, at: index) { return }
      releaseSlot &+= 1
    }
    (isEditing, releaseSlot) = (false, SongKeys.slotCount)
  }
}
