import MIDI
import Realtime

/// A timeline as it is to be played: from which frame to which, and what of it is repeated. Immutable: the audio thread
/// walks it, and a seek sends another one over the same timeline.
///
/// All frames are the song's: those of its timeline at the tempo of the file.
final class Playback: Sendable {
  let timeline: Timeline
  /// What the audio thread copies.
  let plan: Plan
  /// Of what begins when this has died away; its number is 0 for nothing.
  let nextPlan: Plan
  private let next: Playback?
  private let notes: NoteLog?
  private let chase: EventList
  private let bridge: EventList

  struct Plan: BitwiseCopyable, @unchecked Sendable {
    // Unchecked because of the pointers, whose memory never changes.

    var events = UnsafeBufferPointer<MIDIEvent>(start: nil, count: 0)
    /// Stays the same when the same song is played from elsewhere; 0 is no song.
    var number = 0
    /// Whether it begins at `start` after a reset; else the song goes on where it is.
    var isAfresh = true
    var start: Int64 = 0
    var startIndex = 0
    /// What the channels were told before `start`.
    var chase = UnsafeBufferPointer<MIDIEvent>(start: nil, count: 0)
    var end: Int64 = .max
    var endIndex = 0
    /// Whether the song goes on after `end`, so that what it holds there has to be released.
    var isCut = false
    var loopStart: Int64 = 0
    var loopStartIndex = 0
    var loopEnd: Int64 = 0
    var loopEndIndex = 0
    /// How many times the song jumps from the loop's end to its start; `Int.max` for endlessly.
    var jumpCount = 0
    /// What brings the channels from what they were told at the loop's end to what they were told at its start.
    var bridge = UnsafeBufferPointer<MIDIEvent>(start: nil, count: 0)

    /// Where what becomes of its notes is written; nil if nothing is.
    var notes: NoteMemory?

    @_noLocks init() {}
  }

  /// Looks at the events before the start and within the loop once. [control thread]
  ///
  /// - Parameters:
  ///   - start: rounded down to a whole quantum from the song's start, so that notes keep their places in quanta; nil
  ///     to go on where the song is.
  ///   - previous: what it goes on from, whose chase list the audio thread may still be playing.
  ///   - end: nil for the song's own.
  ///   - loop: one shorter than four quanta is left out, so that it never ends twice in a quantum.
  ///   - notes: takes what becomes of the timeline's notes.
  ///   - next: what begins when this has died away.
  init(
    _ timeline: Timeline, number: Int, from start: Int64?, after previous: Playback? = nil, to end: Int64? = nil,
    loop: TimelineLoop? = nil, notes: NoteLog? = nil, then next: Playback? = nil
  ) {
    let quantum = Int64(renderQuantum)
    var plan = Plan()
    plan.events = timeline.events
    plan.number = number
    plan.isAfresh = start != nil
    plan.start = max(start ?? 0, 0) / quantum * quantum
    plan.startIndex = timeline.firstEvent(at: plan.start)
    if start == nil {
      chase = previous?.chase ?? EventList([])
    } else {
      chase = EventList(ChaseList.events(of: timeline, before: plan.startIndex))
      plan.chase = chase.events
    }
    plan.end = end ?? timeline.duration
    plan.endIndex = end.map { timeline.firstEvent(at: $0) } ?? timeline.events.count
    plan.isCut = end != nil
    if let loop, loop.end - loop.start >= 4 * quantum {
      plan.loopStart = loop.start
      plan.loopStartIndex = timeline.firstEvent(at: loop.start)
      plan.loopEnd = loop.end
      plan.loopEndIndex = timeline.firstEvent(at: loop.end)
      plan.jumpCount = loop.passCount.map { max($0, 1) - 1 } ?? .max
      bridge = EventList(ChaseList.bridge(over: timeline, from: plan.loopStartIndex, to: plan.loopEndIndex))
    } else {
      bridge = EventList([])
    }
    plan.bridge = bridge.events
    plan.notes = notes?.memory
    self.notes = notes
    self.timeline = timeline
    self.plan = plan
    self.next = next
    nextPlan = next?.plan ?? Plan()
  }
}

/// Events in memory that the audio thread may read.
private final class EventList: @unchecked Sendable {
  // Unchecked because of the pointer: the memory is written before init returns and never after.
  let events: UnsafeBufferPointer<MIDIEvent>

  init(_ events: [MIDIEvent]) {
    let memory = UnsafeMutableBufferPointer<MIDIEvent>.allocate(capacity: events.count)
    _ = memory.initialize(from: events)
    self.events = UnsafeBufferPointer(memory)
  }

  deinit { events.deallocate() }
}
