import Synchronization

/// Where an engine is: the audio thread writes it once a slice, any thread reads it, and neither waits.
///
/// Two copies are written in turn, so that a reader is not held up by an audio thread that was interrupted while it
/// wrote. A reader looks again where the turn has changed meanwhile.
struct EngineClock: ~Copyable {
  /// What belongs together.
  struct Moment: BitwiseCopyable, Equatable {
    /// The first frame that the output has not got.
    var nextFrame: Int64 = 0
    /// The first frame of a slice, and when that was asked for, in nanoseconds of the monotonic clock; 0 offline.
    var sliceFrame: Int64 = 0
    var sliceHostTime: UInt64 = 0

    @_noLocks init() {}
  }

  private struct Copy: ~Copyable {
    private let nextFrame = Atomic<Int64>(0)
    private let sliceFrame = Atomic<Int64>(0)
    private let sliceHostTime = Atomic<UInt64>(0)

    /// The stores release: who sees one of them also sees that the turn before was over.
    @_noLocks
    func store(_ moment: Moment) {
      nextFrame.store(moment.nextFrame, ordering: .releasing)
      sliceFrame.store(moment.sliceFrame, ordering: .releasing)
      sliceHostTime.store(moment.sliceHostTime, ordering: .releasing)
    }

    var moment: Moment {
      var moment = Moment()
      moment.nextFrame = nextFrame.load(ordering: .acquiring)
      moment.sliceFrame = sliceFrame.load(ordering: .acquiring)
      moment.sliceHostTime = sliceHostTime.load(ordering: .acquiring)
      return moment
    }
  }

  private let even = Copy()
  private let odd = Copy()
  private let turn = Atomic<Int>(0)

  /// One thread at a time. [audio thread]
  @_noLocks
  func write(_ moment: Moment) {
    let turn = turn.load(ordering: .relaxed) &+ 1
    if turn & 1 == 0 { even.store(moment) } else { odd.store(moment) }
    self.turn.store(turn, ordering: .releasing)
  }

  /// [any thread]
  var moment: Moment {
    while true {
      let turn = turn.load(ordering: .acquiring)
      let moment = turn & 1 == 0 ? even.moment : odd.moment
      if self.turn.load(ordering: .relaxed) == turn { return moment }
    }
  }
}
