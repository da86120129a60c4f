import SynthMIDI

// How a reader takes over playbacks, follows the controls, which change with a quantum, and tells where it is. [audio
// thread]

extension SongReader {
  /// Takes over a playback. One that begins afresh waits for `begin`, and the song before it is over. One of the song
  /// before has come too late.
  @_noLocks
  mutating func take(_ new: Playback.Plan, at time: Int64) {
    guard new.number >= plan.number else { return }
    if new.isAfresh {
      clock._withUnsafeGuaranteedRef { $0.noteSilence(ofSong: 0) }
      plan = new
      isWaiting = true
      isEditDue = false
      endFrame = .max
      countedPlace = 0
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
    (plan.countIn, plan.countInStart, plan.startBeat) = (before.countIn, before.countInStart, before.startBeat)
    // A loop that has become too short to be one is left.
    if !new.keepsPasses || new.jumpCount == 0 { jumpsLeft = new.jumpCount }
    guard plan.number > 0, !isWaiting, !isChasing else {
      guard plan.isEdit else { return }
      isEditDue = true
      plan.start = Int64(plan.placeInEdit(Double(plan.start)))
      plan.startIndex = plan.firstEvent { $0 >= before.start }
      // Those of a count-in stay: only what has no other beats is edited before it begins.
      if plan.countIn.isEmpty { plan.startBeat = plan.firstBeat { $0 >= before.start } }
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
      let nextBeat = plan.firstBeat {
        isUnderWay ? former.frame(ofSong: $0) >= time : Double($0) >= former.songFrame
      }
      beats.goOn(at: nextBeat, plan)
      // What comes before the song's start is not played while bars are counted.
      if former.songFrame(at: time) < countedPlace { index = max(index, plan.firstEvent { $0 >= before.start }) }
      (isCut, endFrame) = (false, .max)
      extras.releaseForEdit()
      extras.play(plan.edit)
    }
    extras.time = time
    if plan.isHeld != before.isHeld {
      if plan.isHeld { extras.release() } else { extras.press() }
    }
    // Others that keep time with it may take it over in another quantum.
    let from = max(plan.changeTime == .min ? time : plan.changeTime, anchor.frame)
    anchor = SongAnchor(frame: from, songFrame: plan.placeInEdit(anchor.songFrame(at: from)), rate: rate)
  }

  /// Begins what waits, with this quantum. The instruments have been reset.
  @_noLocks
  mutating func begin(at time: Int64) {
    isWaiting = false
    isChasing = true
    isCut = false
    keys.clear()
    index = plan.startIndex
    extras.clear()
    extras.time = time
    extras.play(plan.chase)
  }

  /// Follows the controls, which change with a quantum.
  @_noLocks
  mutating func follow(tempo: Double, transposition: Int, isHeld: Bool, at time: Int64) {
    beats.beginQuantum(at: time, hasSong: plan.number > 0)
    passages.beginQuantum(at: time)
    self.transposition = transposition
    extras.beginQuantum()
    if isChasing { extras.time = time }
    let changeCount = silent.changeCount
    if changeCount != trackChangeCount {
      trackChangeCount = changeCount
      extras.time = time
      extras.releaseSilent()
    }
    guard tempo != self.tempo || isHeld != self.isHeld else { return }
    if isHeld != self.isHeld, !isWaiting, !isChasing, plan.number > 0 {
      extras.time = time
      if isHeld { extras.release() } else { extras.press() }
    }
    self.tempo = tempo
    self.isHeld = isHeld
    guard !isWaiting, !isChasing, plan.number > 0 else { return }
    let from = max(time, anchor.frame)
    anchor = SongAnchor(frame: from, songFrame: anchor.songFrame(at: from), rate: rate)
    publish()
  }

  /// Looks whether the song ends within the quantum that ends at a time.
  @_noLocks
  mutating func finish(at time: Int64) {
    defer { note(time) }
    if plan.number > 0, !isWaiting, !isChasing {
      beats.tell(before: time, anchor, plan)
      passages.tell(before: time, anchor, plan, from: countedPlace, transposition)
    }
    guard plan.number > 0, endFrame == .max, !isWaiting, !isChasing, jumpsLeft == 0 else { return }
    let end = anchor.frame(ofSong: plan.end)
    guard end < time else { return }
    endFrame = end
    publish()
  }

  /// Frames of the song in a frame of the instruments.
  var rate: Double {
    @_noLocks get { isHeld || plan.isHeld ? 0 : tempo * plan.rate }
  }
}

// MARK: - The clock

extension SongReader {
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

  @_noLocks
  func note(sliceHostTime: UInt64, at time: Int64) {
    let clock = clock
    clock._withUnsafeGuaranteedRef { $0.note(sliceHostTime: sliceHostTime, at: time) }
  }

  /// Tells where the song is at a time, the end of the quantum.
  @_noLocks
  private func note(_ time: Int64) {
    let position = max(time < anchor.frame ? anchor.songFrame : anchor.songFrame(at: time), countedPlace)
    let clock = clock
    clock._withUnsafeGuaranteedRef { $0.note(time: time, position: position) }
  }

  /// Tells where the song is from now on.
  @_noLocks
  func publish() {
    let (clock, anchor, end, number, place) = (clock, anchor, endFrame, plan.number, countedPlace)
    clock._withUnsafeGuaranteedRef { $0.publish(anchor, end: end, number: number, countedPlace: place) }
  }
}
