import SynthMIDI

/// Follows the beats of a song as it is read, and tells a metronome of them. [audio thread]
///
/// It is asked for all beats up to a time before the song's time jumps or changes its rate, so that none is told twice
/// and none is lost.
struct BeatCursor {
  private let clicks: ClickMemory
  private var countIndex = 0
  private var index = 0

  /// - Parameter clicks: must outlive the cursor.
  init(_ clicks: ClickList) { self.clicks = clicks.memory }

  @_noLocks
  func beginQuantum(at time: Int64, hasSong: Bool) { clicks.begin(at: time, hasSong: hasSong) }

  /// The song begins, or what is counted before it.
  @_noLocks
  mutating func begin(_ plan: Playback.Plan) { (countIndex, index) = (0, plan.startBeat) }

  /// The passage that is repeated begins again.
  @_noLocks
  mutating func jump(_ plan: Playback.Plan) { (countIndex, index) = (plan.countIn.count, plan.loopStartBeat) }

  /// The song goes on in another timeline, with a beat of that.
  @_noLocks
  mutating func goOn(at beat: Int, _ plan: Playback.Plan) {
    index = countIndex < plan.countIn.count ? max(beat, plan.startBeat) : beat
  }

  /// Tells of the beats before a time.
  @_noLocks
  mutating func tell(before time: Int64, _ anchor: SongAnchor, _ plan: Playback.Plan) {
    while countIndex < plan.countIn.count {
      let beat = plan.countIn[countIndex]
      let frame = anchor.frame(ofSong: beat.frame)
      guard frame < time else { return }
      clicks.add(at: frame, isFirst: beat.isFirst, isCountIn: true)
      countIndex &+= 1
    }
    while index < plan.beats.count, plan.beats[index].frame < plan.end {
      let beat = plan.beats[index]
      let frame = anchor.frame(ofSong: beat.frame)
      guard frame < time else { return }
      let isCountIn = !plan.countIn.isEmpty && beat.frame < plan.start
      clicks.add(at: frame, isFirst: beat.isFirst, isCountIn: isCountIn)
      index &+= 1
    }
  }
}
