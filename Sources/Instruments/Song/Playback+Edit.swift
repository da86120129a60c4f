import MIDI

// How a playing song goes on in another timeline. [audio thread]

extension Playback.Plan {
  /// The frame of its timeline that stands for one of the former.
  @_noLocks
  func placeInEdit(_ frame: Double) -> Double {
    isEdit ? min(max(editTo + (frame - editFrom) * editScale, 0), Self.lastFrame) : frame
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
      let frame = editFrom + (Double(events[middle].time) - editTo) / editScale
      // Half up, as times are.
      if holds(Int64(min(max(frame, 0), Self.lastFrame) + 0.5)) { high = middle } else { low = middle &+ 1 }
    }
    return low
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
