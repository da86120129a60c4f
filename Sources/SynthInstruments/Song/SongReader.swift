import SynthMIDI
import SynthRealtime

/// Walks a song on the engine's clock: its events with their times there, transposed, and what seeks, loops and holds
/// need between them. [audio thread]
///
/// After a reset it plays the chase list, then the song. At a loop's end it releases what the song holds and plays the
/// bridge at the very frame at which the passage begins again. While held, it releases what the song holds, and gives
/// its pedals back afterwards. `SongReader+Playback` takes over playbacks and follows the controls.
struct SongReader: ~Copyable {
  /// Where the event that was asked for last comes from.
  private enum Origin: BitwiseCopyable {
    case extra, cutOff, song
  }

  let clock: Unmanaged<SongClock>
  let keys = SongKeys()
  let silent: SilentTracks
  var plan = Playback.Plan()
  var anchor = SongAnchor()
  var beats: BeatCursor
  var passages: PassageWriter
  /// The place that is told while bars are counted before it; 0 while none are.
  var countedPlace: Double = 0
  var tempo: Double = 1
  var transposition = 0
  var isHeld = false
  var trackChangeCount = 0
  /// Whether a playback is there that begins once nothing sounds.
  var isWaiting = false
  var isChasing = false
  /// Whether it is to go on in another timeline once the chase list is played.
  var isEditDue = false
  /// Of the song's next event.
  var index = 0
  var jumpsLeft = 0
  /// Whether what the song holds at its end was released.
  var isCut = false
  var endFrame = Int64.max
  var extras = SongExtras()
  private var origin = Origin.song
  /// How the song's next event is transposed.
  private var shift = 0

  /// - Parameters: must outlive the reader.
  init(_ clock: SongClock, _ tracks: SongTracks, _ clicks: ClickList, _ passages: PassageList) {
    self.clock = .passUnretained(clock)
    beats = BeatCursor(clicks)
    self.passages = PassageWriter(passages)
    silent = tracks.silent
  }

  /// The next event before a time; the same one until `advance`.
  ///
  /// - Parameter drums: the channels that play drums.
  @_noLocks
  mutating func next(before time: Int64, drums: ChannelSet) -> MIDIEvent? {
    guard !isWaiting else { return nil }
    while true {
      if let extra = extras.next(keys, silent, plan, at: index, isChasing: isChasing) {
        origin = .extra
        return extra.time < time ? extra : nil
      }
      if isChasing {
        if extras.hasList { return nil }
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

  /// No event is due before this time, unless the song is steered meanwhile; `Int64.min` where that is not known.
  var earliestDue: Int64 {
    @_noLocks get {
      if isWaiting || isChasing || extras.isPending || jumpsLeft > 0 && index >= plan.loopEndIndex { return .min }
      if index >= plan.endIndex { return plan.isCut && !isCut ? .min : .max }
      guard let event = plan.events.baseAddress?[index] else { return .max }
      return anchor.frame(ofSong: event.time)
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
    case .extra: extras.advance(keys)
    case .cutOff: keys.letGo(plan.events[index].message.channelIndex &* 128 &+ Int(plan.events[index].message.note))
    case .song:
      keys.follow(plan.events[index].message, shift: shift, track: plan.events[index].source)
      index &+= 1
    }
  }

  /// The song's next event; nil if it was passed over, because its track is silent or its key does not exist.
  @_noLocks
  private mutating func nextOfSong(_ drums: ChannelSet) -> MIDIEvent? {
    guard var event = plan.events.baseAddress?[index] else { return nil }
    event.time = anchor.frame(ofSong: event.time)
    let message = event.message
    origin = .song
    guard message.concernsOneNote else { return event }
    let channel = message.channelIndex
    let isOwn = message.kind != .noteOn && keys.holds(key: message.note, onChannel: channel, of: event.source)
    if silent.contains(event.source), !isOwn {
      index &+= 1
      return nil
    }
    let struck = keys.shift(ofKey: message.note, onChannel: channel)
    let present = drums.contains(channel) ? 0 : transposition
    if message.kind == .noteOn {
      shift = present
      if let struck, struck != present {
        // The first note's key is another one, so the second would not end it.
        origin = .cutOff
        shift = struck
        event.message = .noteOff(channel: 0, note: message.note, velocity7: 64).onChannelIndex(channel)
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

// MARK: - Places where it does not simply go on

extension SongReader {
  @_noLocks
  private mutating func endChase() {
    isChasing = false
    let start = plan.startTime == .min ? extras.time : plan.startTime
    anchor = SongAnchor(frame: start, songFrame: Double(plan.start), rate: rate)
    beats.begin(plan)
    if plan.countInStart < plan.start { countIn() }
    if isHeld || plan.isHeld { extras.release() }
    if isEditDue { extras.play(plan.edit) }
    isEditDue = false
    publish()
  }

  /// Lets the song's time begin so much earlier that bars can be counted. Its start comes with a quantum all the same,
  /// so that notes keep their places in quanta.
  @_noLocks
  private mutating func countIn() {
    let length = plan.start &- plan.countInStart
    countedPlace = Double(plan.start)
    guard rate > 0 else { return anchor.songFrame = Double(plan.countInStart) }
    let frameCount = Int64(Double(length) / rate + 0.5)
    let quantum = Int64(renderQuantum)
    anchor.songFrame = Double(plan.start) - Double((frameCount &+ quantum &- 1) / quantum &* quantum) * rate
  }

  /// Goes back to the loop's start if its end comes before a time.
  @_noLocks
  private mutating func jump(before time: Int64) -> Bool {
    let due = anchor.frame(ofSong: plan.loopEnd)
    guard due < time else { return false }
    // One that was set when the song was beyond it is due at once.
    let frame = max(due, time &- Int64(renderQuantum))
    beats.tell(before: frame, anchor, plan)
    passages.tell(before: frame, anchor, plan, from: countedPlace, transposition)
    // The end falls between two frames where the tempo is changed: what is left over is not lost.
    let surplus = frame == due ? (Double(due &- anchor.frame) - anchor.elapsed(to: plan.loopEnd)) * rate : 0
    anchor = SongAnchor(frame: frame, songFrame: Double(plan.loopStart) + surplus, rate: rate)
    if jumpsLeft < .max { jumpsLeft &-= 1 }
    index = plan.loopStartIndex
    beats.jump(plan)
    passages.jump()
    countedPlace = 0
    (isCut, endFrame) = (false, .max)
    extras.time = frame
    extras.release()
    extras.play(plan.bridge)
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
    // An end that was set when the song was beyond it is due at once.
    extras.time = max(due, time &- Int64(renderQuantum))
    extras.release()
    return true
  }
}
