import SynthMIDI
import SynthRealtime

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
  let next: Playback?
  private let notes: NoteLog?
  private let chase: EventList
  private let bridge: EventList
  private let edit: EventList
  private let countIn: BeatList
  private let keys: KeyIndex?
  private let kept: [Playback]

  /// How a song is played that keeps time with others.
  struct Transport: Sendable {
    /// Frames of the song in a frame of the instruments, at a tempo of 1.
    var rate: Double = 1
    /// Whether the song stands still, and what it holds is released.
    var isHeld = false
    /// The frame of the instruments at which the song begins, or began; `Int64.min` for as soon as it can.
    var startTime = Int64.min
  }

  /// What takes a playing song from one timeline to another.
  struct Edit: Sendable {
    /// A frame of the former timeline, the one of the new that stands for it, and how many of the new are one of the
    /// former there.
    var from: Double = 0
    var to: Double = 0
    var scale: Double = 1
    /// What channels are told now, because the new timeline has told them otherwise before.
    var events: [MIDIEvent] = []
  }

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
    var rate: Double = 1
    var isHeld = false
    var startTime = Int64.min
    /// The frame of the instruments from which on it goes on otherwise; `Int64.min` for the next quantum.
    var changeTime = Int64.min
    /// Whether the number of passes that are left stays.
    var keepsPasses = false
    /// Whether it goes on in another timeline.
    var isEdit = false
    var editFrom: Double = 0
    var editTo: Double = 0
    var editScale: Double = 1
    /// What channels are told as the other timeline begins.
    var edit = UnsafeBufferPointer<MIDIEvent>(start: nil, count: 0)
    /// Of each key the range of its notes in `keyEvents`, which are indices of events.
    var keyStarts = UnsafeBufferPointer<UInt32>(start: nil, count: 0)
    var keyEvents = UnsafeBufferPointer<UInt32>(start: nil, count: 0)

    /// Where the metronome clicks.
    var beats = UnsafeBufferPointer<TimelineBeat>(start: nil, count: 0)
    /// The first of them that comes with its start, or that leads to it after the count-in.
    var startBeat = 0
    var loopStartBeat = 0
    /// What is counted before the song's start, from `countInStart` on.
    var countIn = UnsafeBufferPointer<TimelineBeat>(start: nil, count: 0)
    /// Where the song's time begins; its start without a count-in.
    var countInStart: Int64 = 0

    /// What the song sounds like by itself.
    var sound: UnsafeRawPointer?

    /// Where what becomes of its notes is written; nil if nothing is.
    var notes: NoteMemory?

    @_noLocks init() {}
  }

  /// Looks at the events before the start and within the loop once. [control thread]
  ///
  /// - Parameters:
  ///   - start: rounded down to a whole quantum from the song's start, so that notes keep their places in quanta; nil
  ///     to go on where the song is.
  ///   - end: nil for the song's own.
  ///   - countInBars: how many bars are counted before.
  ///   - loop: one shorter than four quanta is left out, so that it never ends twice in a quantum.
  ///   - notes: takes what becomes of the timeline's notes.
  ///   - transport: how it keeps time with others.
  ///   - edit: nil for the same timeline.
  ///   - changeTime: when one that goes on does so otherwise.
  ///   - keepsPasses: whether the number of passes that are left stays.
  ///   - kept: those before whose lists the audio thread may still be reading.
  ///   - next: what begins when this has died away.
  init(
    _ timeline: Timeline, number: Int, from start: Int64?, countInBars: Int = 0, to end: Int64? = nil,
    loop: TimelineLoop? = nil, notes: NoteLog? = nil, transport: Transport = Transport(), edit: Edit? = nil,
    changeTime: Int64 = .min, keepsPasses: Bool = false, keeping kept: [Playback] = [], then next: Playback? = nil
  ) {
    let quantum = Int64(renderQuantum)
    var plan = Plan()
    plan.events = timeline.events
    plan.number = number
    plan.sound = timeline.song.sound?.memory
    plan.isAfresh = start != nil
    plan.start = max(start ?? 0, 0) / quantum * quantum
    plan.startIndex = timeline.firstEvent(at: plan.start)
    plan.beats = timeline.beats
    plan.countInStart = plan.start
    plan.startBeat = timeline.firstBeat(at: plan.start)
    if let start, countInBars > 0 {
      let (beats, bar) = timeline.countIn(bars: countInBars, to: start)
      countIn = BeatList(beats)
      plan.countIn = countIn.elements
      plan.countInStart = min(beats.first?.frame ?? plan.start, plan.start)
      plan.startBeat = timeline.firstBeat(at: bar)
    } else {
      countIn = BeatList([])
    }
    chase = EventList(start == nil ? [] : ChaseList.events(of: timeline, before: plan.startIndex))
    plan.chase = chase.elements
    plan.end = end ?? timeline.duration
    plan.endIndex = end.map { timeline.firstEvent(at: $0) } ?? timeline.events.count
    plan.isCut = end != nil
    if let loop, loop.end - loop.start >= 4 * quantum {
      plan.loopStart = loop.start
      plan.loopStartIndex = timeline.firstEvent(at: loop.start)
      plan.loopStartBeat = timeline.firstBeat(at: loop.start)
      plan.loopEnd = loop.end
      plan.loopEndIndex = timeline.firstEvent(at: loop.end)
      plan.jumpCount = loop.passCount.map { max($0, 1) - 1 } ?? .max
      bridge = EventList(ChaseList.bridge(over: timeline, from: plan.loopStartIndex, to: plan.loopEndIndex))
    } else {
      bridge = EventList([])
    }
    plan.bridge = bridge.elements
    plan.notes = notes?.memory
    self.notes = notes
    (plan.rate, plan.isHeld, plan.startTime) = (transport.rate, transport.isHeld, transport.startTime)
    (plan.changeTime, plan.keepsPasses) = (changeTime, keepsPasses)
    self.edit = EventList(edit?.events ?? [])
    keys = edit.map { _ in KeyIndex(timeline) }
    if let edit, let keys {
      plan.isEdit = true
      (plan.editFrom, plan.editTo, plan.editScale) = (edit.from, edit.to, edit.scale)
      plan.edit = self.edit.elements
      (plan.keyStarts, plan.keyEvents) = (keys.starts, keys.events)
    }
    self.kept = kept
    self.timeline = timeline
    self.plan = plan
    self.next = next
    nextPlan = next?.plan ?? Plan()
  }
}

/// Where the notes of each key stand in a timeline: whether a key that is held goes on being held there.
private final class KeyIndex: @unchecked Sendable {
  // Unchecked because of the pointers: the memory is written before init returns and never after.
  let starts: UnsafeBufferPointer<UInt32>
  let events: UnsafeBufferPointer<UInt32>

  init(_ timeline: Timeline) {
    let keyCount = MIDIPorts.channelCount * 128
    let starts = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: keyCount + 1)
    starts.initialize(repeating: 0)
    let notes = timeline.events.indices.filter {
      [.noteOn, .noteOff].contains(timeline.events[$0].message.kind)
    }
    func key(_ index: Int) -> Int {
      timeline.events[index].message.channelIndex * 128 + Int(timeline.events[index].message.note)
    }
    for index in notes { starts[key(index) + 1] += 1 }
    for key in 0..<keyCount { starts[key + 1] += starts[key] }
    let events = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: notes.count)
    events.initialize(repeating: 0)
    var next = Array(starts)
    for index in notes {
      events[Int(next[key(index)])] = UInt32(index)
      next[key(index)] += 1
    }
    self.starts = UnsafeBufferPointer(starts)
    self.events = UnsafeBufferPointer(events)
  }

  deinit {
    starts.deallocate()
    events.deallocate()
  }
}

private typealias EventList = ReadableList<MIDIEvent>
private typealias BeatList = ReadableList<TimelineBeat>

/// Elements in memory that the audio thread may read.
private final class ReadableList<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  // Unchecked because of the pointer: the memory is written before init returns and never after.
  let elements: UnsafeBufferPointer<Element>

  init(_ elements: [Element]) {
    let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
    _ = memory.initialize(from: elements)
    self.elements = UnsafeBufferPointer(memory)
  }

  deinit { elements.deallocate() }
}
