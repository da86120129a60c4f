import SynthMIDI

// How a playing song goes on in another timeline. [audio thread]

extension Playback.Plan {
  /// The frame of its timeline that stands for one of the former. It is negative only where that is, in a count-in.
  @_noLocks
  func placeInEdit(_ frame: Double) -> Double {
    isEdit ? min(max(editTo + (frame - editFrom) * editScale, min(frame, 0)), Self.lastFrame) : frame
  }

  /// Whole numbers are exact up to here.
  private static var lastFrame: Double {
    @_noLocks get { 4e15 }
  }

  /// The first event of which a condition holds, that is told the frame of the former timeline; it must not fail once
  /// it has held.
  @_noLocks
  func firstEvent(where holds: (Int64) -> Bool) -> Int {
    var (low, high) = (0, events.count)
    while low < high {
      let middle = (low &+ high) / 2
      if holds(formerFrame(events[middle].time)) { high = middle } else { low = middle &+ 1 }
    }
    return low
  }

  /// The first beat of which a condition holds, as `firstEvent` has it.
  @_noLocks
  func firstBeat(where holds: (Int64) -> Bool) -> Int { beats.firstBeat { holds(formerFrame($0)) } }

  /// Where a frame of its timeline was in the former one.
  @_noLocks
  private func formerFrame(_ frame: Int64) -> Int64 {
    let former = editFrom + (Double(frame) - editTo) / editScale
    // Half up, as times are.
    return Int64(min(max(former, 0), Self.lastFrame) + 0.5)
  }

  /// Whether the key of a slot of `SongKeys` is down before an event: the last of its notes is a beginning.
  @_noLocks
  func holds(_ key: Int, at index: Int) -> Bool {
    let start = Int(keyStarts[key])
    var (low, high) = (start, Int(keyStarts[key &+ 1]))
    while low < high {
      let middle = (low &+ high) / 2
      if Int(keyEvents[middle]) >= index { high = middle } else { low = middle &+ 1 }
    }
    return low > start && events[Int(keyEvents[low &- 1])].message.kind == .noteOn
  }
}
