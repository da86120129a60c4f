import SynthMIDI
import SynthRealtime

/// A song that is played or waits for its turn.
struct PresentSong: Sendable {
  /// As it was given.
  let source: Timeline
  /// As it is played: on the channels that routes give it.
  var timeline: Timeline
  let number: Int
  /// How many bars are counted before it begins where it was sent to last.
  var countInBars = 0
  let end: Int64?
  var loop: TimelineLoop?
  let notes: NoteLog?
  var transport = Playback.Transport()
}

/// What a sender knows of what it has sent, and of what the audio thread has taken over.
struct PlaybackState: Sendable {
  let handoff = Handoff<Playback>()
  var routes = SongRoutes()
  var present: PresentSong?
  /// What began afresh last, whose chase list may be under way; two where the audio thread had begun one of them when
  /// the other took its place.
  var origins: [Playback] = []
  /// What begins after the present song, or has begun and was not seen to; and what it took the place of, which the
  /// audio thread may begin still.
  var next: (present: PresentSong, playback: Playback, former: Playback?)?
  /// Where what was sent last begins; nil if it goes on in place.
  var start: Int64?
  var number = 0
  /// Whether what was sent last leaves the number of passes as it is.
  var keepsPasses = true
  /// What the audio thread is known to play, and what was sent last.
  var heard: Timeline?
  var sent: Timeline?
  /// Which place of what was sent last stands for which of what is heard; its events are not used.
  var passage = Playback.Edit()
  /// What the audio thread may still be reading of a song that was stopped.
  var stopped: [Playback] = []

  mutating func forget() {
    (present, origins, next) = (nil, [], nil)
    (heard, sent) = (nil, nil)
  }

  func routed(_ timeline: Timeline) -> Timeline {
    if let present, present.source === timeline { return present.timeline }
    return timeline.routed(by: routes)
  }

  /// Sends the present song, to begin at a frame, or to go on where it is.
  mutating func send(from start: Int64?, keepsPasses: Bool = false, _ clock: SongClock) {
    send(from: start, keepsPasses: keepsPasses, isWithdrawn: handoff.withdraw(), clock)
  }

  /// - Parameter isWithdrawn: whether the one before has not been taken over.
  mutating func send(from start: Int64?, keepsPasses: Bool, isWithdrawn: Bool, _ clock: SongClock) {
    guard present != nil else { return }
    // What has not begun yet begins so still.
    self.start = start ?? (isWithdrawn ? self.start : nil)
    settle(isWithdrawn, keepsPasses)
    send(at: .min, clock)
  }

  /// Notes what the audio thread plays when the next playback is sent.
  ///
  /// - Parameter isWithdrawn: whether the one before has not been taken over.
  mutating func settle(_ isWithdrawn: Bool, _ keepsPasses: Bool) {
    self.keepsPasses = keepsPasses && (self.keepsPasses || !isWithdrawn)
    if !isWithdrawn { (heard, passage) = (sent, Playback.Edit()) }
  }

  /// - Parameter time: the frame of the instruments at which it goes on otherwise.
  mutating func send(at time: Int64, _ clock: SongClock) {
    guard let present else { return }
    let playback = Playback(
      present.timeline, number: present.number, from: start, countInBars: present.countInBars, to: present.end,
      loop: present.loop, notes: present.notes, transport: present.transport,
      edit: start == nil ? edit(to: present.timeline, clock) : nil,
      changeTime: time, keepsPasses: keepsPasses, keeping: keptPlaybacks, then: next?.playback)
    sent = present.timeline
    if playback.plan.isAfresh { origins = [playback] }
    handoff.send(playback)
  }

  /// What the audio thread may be reading when it takes over what is sent.
  private var keptPlaybacks: [Playback] {
    (start == nil ? origins : []) + (next?.former.map { [$0] } ?? [])
  }

  /// What leads from what is heard to a timeline; nil if that is heard.
  private func edit(to timeline: Timeline, _ clock: SongClock) -> Playback.Edit? {
    guard let heard, heard !== timeline else { return nil }
    let moment = clock.moment
    // What slices under way bring is told now: they may not take it over in time.
    let place = moment.position + Double(moment.lead)
    func told(_ timeline: Timeline, _ place: Double) -> [MIDIEvent] {
      ChaseList.events(of: timeline, before: timeline.firstEvent(at: Int64(place)))
    }
    var edit = passage
    edit.events = ChaseList.difference(
      from: told(heard, place), to: told(timeline, edit.to + (place - edit.from) * edit.scale))
    return edit
  }

  /// Notices that the next song has begun. What was sent for the one before came too late then, or is on its way.
  mutating func follow(_ clock: SongClock) {
    guard let next, !handoff.isPending, clock.song == next.present.number else { return }
    goOn(with: next.present.timeline)
  }

  /// Notices that the next song has begun.
  ///
  /// - Parameter timeline: what the audio thread took over.
  mutating func goOn(with timeline: Timeline) {
    guard let next else { return }
    (present, origins, self.next) = (next.present, [next.playback, next.former].compactMap(\.self), nil)
    (heard, sent, passage) = (timeline, timeline, Playback.Edit())
  }
}
