import Synchronization
import SynthMIDI
import SynthRealtime

/// Makes playbacks and hands them to the audio thread. [control thread]
final class PlaybackSender: Sendable {
  struct Present: Sendable {
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

  private struct State: Sendable {
    let handoff = Handoff<Playback>()
    var routes = SongRoutes()
    var present: Present?
    /// What began afresh last.
    var origin: Playback?
    /// What begins after the present song, or has begun and was not seen to.
    var next: (present: Present, playback: Playback)?
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
      (present, origin, next) = (nil, nil, nil)
      (heard, sent) = (nil, nil)
    }

    func routed(_ timeline: Timeline) -> Timeline {
      if let present, present.source === timeline { return present.timeline }
      return timeline.routed(by: routes)
    }

    /// Sends the present song, to begin at a frame, or to go on where it is.
    mutating func send(from start: Int64?, keepsPasses: Bool = false, _ clock: SongClock) {
      guard present != nil else { return }
      let isWithdrawn = handoff.withdraw()
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
        changeTime: time, keepsPasses: keepsPasses, origin: start == nil ? origin : nil, then: next?.playback)
      sent = present.timeline
      if playback.plan.isAfresh { origin = playback }
      handoff.send(playback)
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
      (present, origin, self.next) = (next.present, next.playback, nil)
      (heard, sent, passage) = (timeline, timeline, Playback.Edit())
    }
  }

  private let state = CheckedMutex(State())
  private let clock: SongClock
  /// The audio thread's end.
  let receiver: Handoff<Playback>.Receiver
  /// The frame of the instruments before which what was sent is not taken over.
  let dueTime = Box(DueTime())

  struct DueTime: ~Copyable {
    let frame = Atomic<Int64>(.min)
  }

  private func setDueTime(_ frame: Int64) { dueTime.pointer.pointee.frame.store(frame, ordering: .relaxed) }

  /// - Parameter clock: of the audio thread's end.
  init(_ clock: SongClock) {
    self.clock = clock
    receiver = state.withLock { $0.handoff.receiver }
  }

  func play(
    _ timeline: Timeline, from start: Int64, countInBars: Int = 0, to end: Int64?, loop: TimelineLoop?,
    notes: NoteLog? = nil, transport: Playback.Transport = Playback.Transport()
  ) -> Int {
    state.withLock { state in
      state.number += 1
      state.present = Present(
        source: timeline, timeline: state.routed(timeline), number: state.number, countInBars: countInBars, end: end,
        loop: loop, notes: notes, transport: transport)
      state.next = nil
      setDueTime(.min)
      state.send(from: start, clock)
      return state.number
    }
  }

  func queue(
    _ timeline: Timeline, from start: Int64, countInBars: Int, to end: Int64?, loop: TimelineLoop?
  ) -> Int? {
    state.withLock { state in
      state.follow(clock)
      guard state.present != nil, state.next == nil else { return nil }
      state.number += 1
      let next = Present(
        source: timeline, timeline: state.routed(timeline), number: state.number, countInBars: countInBars, end: end,
        loop: loop, notes: nil)
      let playback = Playback(
        next.timeline, number: next.number, from: start, countInBars: countInBars, to: end, loop: loop)
      state.next = (next, playback)
      state.send(from: nil, keepsPasses: true, clock)
      return state.number
    }
  }

  /// Lets the present song go on otherwise from a frame of the instruments on. One that has not begun yet begins so.
  ///
  /// - Parameters:
  ///   - start: where it begins if it has not begun.
  ///   - keepsPasses: whether the number of passes that are left stays.
  ///   - passage: which place of the timeline stands for which of the one that is played; is told whether the last
  ///     change has not come about. Nil for the same timeline.
  func change(
    to timeline: Timeline, loop: TimelineLoop?, transport: Playback.Transport, at time: Int64, start: Int64,
    keepsPasses: Bool, passage: (Bool) -> Playback.Edit?
  ) {
    state.withLock { state in
      state.follow(clock)
      guard var present = state.present else { return }
      let isWithdrawn = state.handoff.withdraw()
      let isAfresh = isWithdrawn && state.start != nil
      // What has not begun begins when it was to.
      let startTime = present.transport.startTime
      present = Present(
        source: timeline, timeline: state.routed(timeline), number: present.number, end: present.end, loop: loop,
        notes: present.notes, transport: transport)
      present.transport.startTime = startTime
      state.present = present
      guard !isAfresh else { return state.send(from: start, clock) }
      state.start = nil
      state.settle(isWithdrawn, keepsPasses)
      state.passage = passage(isWithdrawn) ?? Playback.Edit()
      setDueTime(time)
      state.send(at: time, clock)
    }
  }

  func seek(to frame: Int64, countInBars: Int) -> Bool {
    state.withLock { state in
      state.follow(clock)
      state.present?.countInBars = countInBars
      state.present?.transport.startTime = .min
      setDueTime(.min)
      state.send(from: frame, clock)
      return state.present != nil
    }
  }

  func setLoop(_ loop: TimelineLoop?) -> Bool {
    state.withLock { state in
      state.follow(clock)
      state.present?.loop = loop
      setDueTime(.min)
      state.send(from: nil, clock)
      return state.present != nil
    }
  }

  /// How many songs were ever played.
  var songCount: Int { state.withLock { $0.number } }

  var present: Present? {
    state.withLock { state in
      state.follow(clock)
      return state.present
    }
  }

  var hasNext: Bool {
    state.withLock { state in
      state.follow(clock)
      return state.next != nil
    }
  }

  var chaseLength: Int64 {
    state.withLock { SongExtras.chaseLength(eventCount: $0.origin?.plan.chase.count ?? 0) }
  }

  var pendingStart: Int64? { state.withLock { $0.handoff.isPending ? $0.start : nil } }

  /// Whether what was sent has not been taken over yet.
  var isPending: Bool { state.withLock { $0.handoff.isPending } }

  /// Ends the present song where it is, and forgets it and the one after it.
  func stop() {
    state.withLock { state in
      state.follow(clock)
      guard let present = state.present else { return }
      // In place of one that has not begun, one of no length begins, so that the song before it ends too.
      let isWaiting = state.handoff.withdraw() && state.start != nil
      if !isWaiting { state.stopped = [state.origin, state.next?.playback].compactMap(\.self) }
      setDueTime(.min)
      state.handoff.send(
        Playback(
          present.timeline, number: state.number, from: isWaiting ? 0 : nil, to: 0, transport: present.transport))
      state.forget()
    }
  }

  /// Takes back what has not begun, and forgets the songs.
  func forget() {
    state.withLock { state in
      state.handoff.withdraw()
      state.forget()
    }
  }
}

// MARK: - Routes

extension PlaybackSender {
  var routes: SongRoutes { state.withLock { $0.routes } }

  /// What is played and what is prepared, as they were given.
  var sources: [Timeline] {
    state.withLock { state in
      state.follow(clock)
      return [state.present, state.next?.present].compactMap { $0?.source }
    }
  }

  func setRoutes(_ routes: SongRoutes) {
    state.withLock { state in
      state.follow(clock)
      guard routes != state.routes else { return }
      state.routes = routes
      guard let present = state.present else { return }
      state.present?.timeline = present.source.routed(by: routes)
      let former = state.next
      if var (next, playback) = former {
        next.timeline = next.source.routed(by: routes)
        // The audio thread may have taken over the former one, which the new one keeps alive.
        playback = Playback(
          next.timeline, number: next.number, from: playback.plan.start, countInBars: next.countInBars, to: next.end,
          loop: next.loop, origin: playback)
        state.next = (next, playback)
      }
      setDueTime(.min)
      state.send(from: nil, keepsPasses: true, clock)
      guard let former, clock.song == former.present.number else { return }
      state.goOn(with: former.present.timeline)
      state.send(from: nil, keepsPasses: true, clock)
    }
  }
}
