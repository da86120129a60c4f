import AudioGraph
import MIDI
import Realtime

/// Walks a song on the engine's clock: its events with their times there, transposed, and what seeks, loops and holds
/// need between them. [audio thread]
///
/// After a reset it plays the chase list, then the song. At a loop's end it releases what the song holds and plays the
/// bridge at the very frame at which the passage begins again. While held, it releases what the song holds, and gives
/// its pedals back afterwards.
struct SongReader: ~Copyable {
  /// A seek in a long song may have many events to chase. As many are played in a quantum, at about 0.2 µs each; the
  /// song begins in the quantum after the last ones.
  static var chaseLimit: Int {
    @_noLocks get { 256 }
  }

  /// Where the event that was asked for last comes from.
  private enum Origin: BitwiseCopyable {
    case release, silence, list, press, cutOff, song
  }

  private let clock: Unmanaged<SongClock>
  private let keys = SongKeys()
  private let silent: SilentTracks
  private var plan = Playback.Plan()
  private var anchor = SongAnchor()
  private var tempo: Double = 1
  private var transposition = 0
  private var isHeld = false
  private var trackChangeCount = 0
  /// Whether a playback is there that begins once nothing sounds.
  private(set) var isWaiting = false
  private var isChasing = false
  private var chaseCount = 0
  private var index = 0
  private var jumpsLeft = 0
  /// Whether what the song holds at its end was released.
  private var isCut = false
  private var endFrame = Int64.max
  // What is to be played before the song goes on, at one time: what it holds is released, a list follows, and pedals
  // are pressed again.
  private var extraTime: Int64 = 0
  private var releaseSlot = SongKeys.slotCount
  /// Whether only the keys are released that another timeline does not hold.
  private var isEditing = false
  private var silenceSlot = SongKeys.slotCount
  private var list = UnsafeBufferPointer<MIDIEvent>(start: nil, count: 0)
  private var listIndex = 0
  private var pressSlot = SongKeys.slotCount
  private var origin = Origin.song

  /// - Parameters: must outlive the reader.
  init(_ clock: SongClock, _ tracks: SongTracks) {
    self.clock = .passUnretained(clock)
    silent = tracks.silent
  }

  @_noLocks
  func note(sliceHostTime: UInt64, at time: Int64) {
    let clock = clock
    clock._withUnsafeGuaranteedRef { $0.note(sliceHostTime: sliceHostTime, at: time) }
  }

  /// Takes over a playback. One that begins afresh waits for `begin`, and the song before it is over. One of the song
  /// before has come too late.
  @_noLocks
  mutating func take(_ new: Playback.Plan, at time: Int64) {
    guard new.number >= plan.number else { return }
    if new.isAfresh {
      clock._withUnsafeGuaranteedRef { $0.noteSilence(ofSong: 0) }
      plan = new
      isWaiting = true
      endFrame = .max
      anchor = SongAnchor(frame: time, songFrame: Double(new.start), rate: 0)
      jumpsLeft = new.jumpCount
    } else {
      join(new, at: time)
    }
    publish()
  }

  /// Goes on where it is, as another playback says.
  @_noLocks
  private mutating func join(_ new: Playback.Plan, at time: Int64) {
    let (before, rateBefore) = (plan, rate)
    plan = new
    (plan.start, plan.startIndex, plan.chase) = (before.start, before.startIndex, before.chase)
    plan.startTime = before.startTime
    // A loop that has become too short to be one is left.
    if !new.keepsPasses || new.jumpCount == 0 { jumpsLeft = new.jumpCount }
    guard plan.number > 0, !isWaiting, !isChasing else {
      guard plan.isEdit else { return }
      plan.start = Int64(plan.placeInEdit(Double(plan.start)))
      plan.startIndex = plan.firstEvent { $0 >= before.start }
      if isWaiting { anchor.songFrame = Double(plan.start) } else { index = plan.startIndex }
      return
    }
    guard plan.isEdit || plan.isHeld != before.isHeld || rate != rateBefore else { return }
    if plan.isEdit {
      let former = anchor
      // What comes before this quantum has been played; nothing, while it stands still or has yet to begin.
      let isUnderWay = rateBefore > 0 && former.frame <= time
      index = plan.firstEvent {
        isUnderWay ? former.frame(ofSong: $0) >= time : Double($0) >= former.songFrame
      }
      (isCut, endFrame) = (false, .max)
      (isEditing, releaseSlot) = (true, 0)
      (list, listIndex) = (plan.edit, 0)
    }
    extraTime = time
    if plan.isHeld != before.isHeld {
      if plan.isHeld { (isEditing, releaseSlot) = (false, 0) } else { pressSlot = SongKeys.firstPedal }
    }
    // Others that keep time with it may take it over in another quantum.
    let from = max(plan.changeTime == .min ? time : plan.changeTime, anchor.frame)
    anchor = SongAnchor(frame: from, songFrame: plan.placeInEdit(anchor.songFrame(at: from)), rate: rate)
  }

  /// The song's; 0 for none.
  var number: Int {
    @_noLocks get { plan.number }
  }

  /// Whether the song has died away.
  var isSilent: Bool {
    @_noLocks get {
      let (clock, number) = (clock, plan.number)
      return number > 0 && clock._withUnsafeGuaranteedRef { $0.isSilent(number) }
    }
  }

  /// Begins what waits, with this quantum. The instruments have been reset.
  @_noLocks
  mutating func begin(at time: Int64) {
    extraTime = time
    isWaiting = false
    isChasing = true
    isCut = false
    keys.clear()
    isEditing = false
    index = plan.startIndex
    releaseSlot = SongKeys.slotCount
    silenceSlot = SongKeys.slotCount
    pressSlot = SongKeys.slotCount
    (list, listIndex) = (plan.chase, 0)
  }

  /// Follows the controls, which change with a quantum.
  @_noLocks
  mutating func follow(tempo: Double, transposition: Int, isHeld: Bool, at time: Int64) {
    self.transposition = transposition
    chaseCount = 0
    if isChasing { extraTime = time }
    let changeCount = silent.changeCount
    if changeCount != trackChangeCount {
      trackChangeCount = changeCount
      extraTime = time
      silenceSlot = 0
    }
    guard tempo != self.tempo || isHeld != self.isHeld else { return }
    if isHeld != self.isHeld, !isWaiting, !isChasing, plan.number > 0 {
      extraTime = time
      if isHeld { (isEditing, releaseSlot) = (false, 0) } else { pressSlot = SongKeys.firstPedal }
    }
    self.tempo = tempo
    self.isHeld = isHeld
    guard !isWaiting, !isChasing, plan.number > 0 else { return }
    let from = max(time, anchor.frame)
    anchor = SongAnchor(frame: from, songFrame: anchor.songFrame(at: from), rate: rate)
    publish()
  }

  /// The next event before a time; the same one until `advance`.
  ///
  /// - Parameter drums: the channels that play drums, a bit each.
  @_noLocks
  mutating func next(before time: Int64, drums: UInt16) -> MIDIEvent? {
    guard !isWaiting else { return nil }
    while true {
      if let extra = nextExtra() { return extra.time < time ? extra : nil }
      if isChasing {
        if listIndex < list.count { return nil }
        endChase()
      } else if jumpsLeft > 0, index >= plan.loopEndIndex {
        guard jump(before: time) else { return nil }
      } else if index >= plan.endIndex {
        guard cut(before: time) else { return nil }
      } else if let event = nextOfSong(drums) {
        return event.time < time ? event : nil
      }
    }
  }

  /// The number of the event that was asked for last, in the log of notes; 0 for one that is not the song's own.
  var eventNumber: UInt32 {
    @_noLocks get {
      if case .song = origin { UInt32(truncatingIfNeeded: index &+ 1) } else { 0 }
    }
  }

  /// Where what becomes of the song's notes is written.
  var notes: NoteMemory? {
    @_noLocks get { plan.notes }
  }

  /// Passes over the event that was asked for last, which has been played.
  @_noLocks
  mutating func advance() {
    switch origin {
    case .release:
      keys.letGo(releaseSlot)
      releaseSlot &+= 1
    case .silence:
      keys.letGo(silenceSlot)
      silenceSlot &+= 1
    case .list:
      keys.follow(list[listIndex].message, shift: 0, track: list[listIndex].source)
      listIndex &+= 1
      chaseCount &+= 1
    case .press: pressSlot &+= 1
    case .cutOff: keys.letGo(Int(plan.events[index].message.channel) &* 128 &+ Int(plan.events[index].message.note))
    case .song:
      keys.follow(plan.events[index].message, shift: shift, track: plan.events[index].source)
      index &+= 1
    }
  }

  /// Looks whether the song ends within the quantum that ends at a time.
  @_noLocks
  mutating func finish(at time: Int64) {
    defer { note(time) }
    guard plan.number > 0, endFrame == .max, !isWaiting, !isChasing, jumpsLeft == 0 else { return }
    let end = anchor.frame(ofSong: plan.end)
    guard end < time else { return }
    endFrame = end
    publish()
  }

  private var rate: Double {
    @_noLocks get { isHeld || plan.isHeld ? 0 : tempo * plan.rate }
  }

  /// Tells where the song is at a time, the end of the quantum.
  @_noLocks
  private func note(_ time: Int64) {
    let position = time < anchor.frame ? anchor.songFrame : anchor.songFrame(at: time)
    let clock = clock
    clock._withUnsafeGuaranteedRef { $0.note(time: time, position: position) }
  }

  @_noLocks
  private func publish() {
    let (clock, anchor, end, number) = (clock, anchor, endFrame, plan.number)
    clock._withUnsafeGuaranteedRef { $0.publish(anchor, end: end, number: number) }
  }

  // MARK: - Beside the song

  @_noLocks
  private mutating func nextExtra() -> MIDIEvent? {
    if isEditing { passHeldKeys() }
    if let message = keys.release(from: &releaseSlot) {
      origin = .release
      return MIDIEvent(time: extraTime, message: message)
    }
    if let message = keys.release(from: &silenceSlot, of: silent) {
      origin = .silence
      return MIDIEvent(time: extraTime, message: message)
    }
    if listIndex < list.count, !isChasing || chaseCount < Self.chaseLimit, var event = list.baseAddress?[listIndex] {
      origin = .list
      event.time = extraTime
      return event
    }
    if let message = keys.press(from: &pressSlot) {
      origin = .press
      return MIDIEvent(time: extraTime, message: message)
    }
    return nil
  }

  /// Passes over the keys that the other timeline holds as well, and over pedals, of which its events tell.
  @_noLocks
  private mutating func passHeldKeys() {
    while releaseSlot < SongKeys.firstPedal {
      if keys.isHeld(releaseSlot), !plan.holds(releaseSlot, at: index) { return }
      releaseSlot &+= 1
    }
    releaseSlot = SongKeys.slotCount
    isEditing = false
  }

  @_noLocks
  private mutating func endChase() {
    isChasing = false
    let start = plan.startTime == .min ? extraTime : plan.startTime
    anchor = SongAnchor(frame: start, songFrame: Double(plan.start), rate: rate)
    if isHeld || plan.isHeld { releaseSlot = 0 }
    publish()
  }

  /// Goes back to the loop's start if its end comes before a time.
  @_noLocks
  private mutating func jump(before time: Int64) -> Bool {
    let due = anchor.frame(ofSong: plan.loopEnd)
    guard due < time else { return false }
    // One that was set when the song was beyond it is due at once.
    let frame = max(due, time &- Int64(renderQuantum))
    // The end falls between two frames where the tempo is changed: what is left over is not lost.
    let surplus = frame == due ? (Double(due &- anchor.frame) - anchor.elapsed(to: plan.loopEnd)) * rate : 0
    anchor = SongAnchor(frame: frame, songFrame: Double(plan.loopStart) + surplus, rate: rate)
    if jumpsLeft < .max { jumpsLeft &-= 1 }
    index = plan.loopStartIndex
    (isCut, endFrame) = (false, .max)
    extraTime = frame
    (isEditing, releaseSlot) = (false, 0)
    (list, listIndex) = (plan.bridge, 0)
    publish()
    return true
  }

  /// Releases what the song holds if its end comes before a time.
  @_noLocks
  private mutating func cut(before time: Int64) -> Bool {
    guard plan.isCut, !isCut else { return false }
    let due = anchor.frame(ofSong: plan.end)
    guard due < time else { return false }
    isCut = true
    extraTime = due
    (isEditing, releaseSlot) = (false, 0)
    return true
  }

  // MARK: - The song

  /// How the song's next event is transposed.
  private var shift = 0

  /// The song's next event; nil if it was passed over, because its track is silent or its key does not exist.
  @_noLocks
  private mutating func nextOfSong(_ drums: UInt16) -> MIDIEvent? {
    guard var event = plan.events.baseAddress?[index] else { return nil }
    event.time = anchor.frame(ofSong: event.time)
    let message = event.message
    origin = .song
    guard message.concernsOneNote else { return event }
    let isOwn = message.kind != .noteOn && keys.holds(key: message.note, onChannel: message.channel, of: event.source)
    if silent.contains(event.source), !isOwn {
      index &+= 1
      return nil
    }
    let struck = keys.shift(ofKey: message.note, onChannel: message.channel)
    let isDrum = drums & (1 &<< UInt16(message.channel)) != 0
    let present = isDrum ? 0 : transposition
    if message.kind == .noteOn {
      shift = present
      if let struck, struck != present {
        // The first note's key is another one, so the second would not end it.
        origin = .cutOff
        shift = struck
        event.message = .noteOff(channel: message.channel, note: message.note, velocity7: 64)
      }
    } else {
      shift = struck ?? present
    }
    guard shift != 0 else { return event }
    let key = Int(message.note) &+ shift
    guard (0...127).contains(key) else {
      index &+= 1
      return nil
    }
    event.message = event.message.onNote(UInt8(truncatingIfNeeded: key))
    return event
  }
}
