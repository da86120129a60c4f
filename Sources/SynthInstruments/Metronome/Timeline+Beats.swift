import SynthMIDI

// Where beats are in a timeline.

extension Timeline {
  /// The index of the first beat at a frame or later; their number after the last one.
  func firstBeat(at frame: Int64) -> Int { beats.firstBeat { $0 >= frame } }

  /// What is counted before a frame, and the frame of the bar to which it leads.
  func countIn(bars: Int, to frame: Int64) -> (beats: [TimelineBeat], bar: Int64) {
    guard song.sound == nil else { return ([], frame) }
    let (beats, bar) = song.meter.countIn(bars: bars, to: Double(frame) / sampleRate)
    return (beats.map { TimelineBeat($0, sampleRate: sampleRate) }, self.frame(at: bar))
  }
}

extension UnsafeBufferPointer<TimelineBeat> {
  /// The index of the first beat whose frame meets a condition, which all after it meet too. [any thread]
  @_noLocks
  func firstBeat(where holds: (Int64) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low &+ high) / 2
      if holds(self[middle].frame) { high = middle } else { low = middle &+ 1 }
    }
    return low
  }
}
