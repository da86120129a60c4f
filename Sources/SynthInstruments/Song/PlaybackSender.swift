import Synchronization
import SynthMIDI
import SynthRealtime

/// Makes playbacks and hands them to the audio thread. [control thread]
final class PlaybackSender: Sendable {
  private let state = CheckedMutex(PlaybackState())
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
      state.present = PresentSong(
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
      let next = PresentSong(
        source: timeline, timeline: state.routed(timeline), number: state.number, countInBars: countInBars, end: end,
        loop: loop, notes: nil)
      let playback = Playback(
        next.timeline, number: next.number, from: start, countInBars: countInBars, to: end, loop: loop)
      state.next = (next, playback, nil)
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
      present = PresentSong(
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

  var present: PresentSong? {
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
    state.withLock { SongExtras.chaseLength(eventCount: $0.origins.first?.plan.chase.count ?? 0) }
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
      if !isWaiting { state.stopped = state.origins + [state.next?.playback, state.next?.former].compactMap(\.self) }
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
      let isWithdrawn = state.handoff.withdraw()
      if !isWithdrawn { state.follow(clock) }
      guard let present = state.present else { return }
      state.present?.timeline = present.source.routed(by: routes)
      let former = state.next
      if var (next, playback, before) = former {
        next.timeline = next.source.routed(by: routes)
        // What the audio thread has taken over it may begin still.
        if !isWithdrawn { before = playback }
        playback = Playback(
          next.timeline, number: next.number, from: playback.plan.start, countInBars: next.countInBars, to: next.end,
          loop: next.loop)
        state.next = (next, playback, before)
      }
      setDueTime(.min)
      state.send(from: nil, keepsPasses: true, isWithdrawn: isWithdrawn, clock)
      guard let former, clock.song == former.present.number else { return }
      state.goOn(with: former.present.timeline)
      state.send(from: nil, keepsPasses: true, clock)
    }
  }
}
