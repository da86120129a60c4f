import SynthRealtime

/// The blocks that wait for a player's kernel, and which of them interrupts the others next. [audio thread]
struct PlayerBlockQueue {
  private let blocks: BlockRing<PlayerBlock>.Consumer
  /// How many of the oldest have been looked at.
  private var seen = 0
  /// How many blocks are before the one that interrupts next; -1 where none of those that were looked at does.
  private(set) var interruption = -1
  /// The frame of the bus at which that is due.
  private var interruptionTime = Int64.max

  @_noLocks
  init(_ blocks: BlockRing<PlayerBlock>.Consumer) { self.blocks = blocks }

  @_noLocks
  func peek() -> PlayerBlock? { blocks.peek() }

  @_noLocks
  mutating func drop() {
    blocks.drop()
    seen = max(0, seen &- 1)
    interruption = max(-1, interruption &- 1)
  }

  /// Looks at the blocks that have come. Of two that interrupt the earlier comes first, and it leaves out what is
  /// before it; of two at one frame the one that was scheduled last.
  @_noLocks
  mutating func look(_ time: BusTime) {
    while let block = blocks.peek(seen) {
      if block.isInterrupting {
        let frame = block.startTime == .min ? .min : time.busFrame(of: block.startTime)
        if interruption < 0 || frame <= interruptionTime { (interruption, interruptionTime) = (seen, frame) }
      }
      seen &+= 1
    }
  }

  /// 0 where it is due.
  @_noLocks
  func framesToInterruption(from now: Int64) -> Int64 {
    guard interruption >= 0 else { return .max }
    return interruptionTime <= now ? 0 : interruptionTime &- now
  }

  /// Goes on to the next one, when the block that interrupts is the oldest.
  @_noLocks
  mutating func forgetInterruption(_ time: BusTime) {
    interruption = -1
    seen = 1
    look(time)
  }

  @_noLocks
  func isDue(_ block: PlayerBlock, at now: Int64, _ time: BusTime) -> Bool {
    block.startTime == .min || time.busFrame(of: block.startTime) <= now
  }

  /// Whether a block waits behind the oldest one and is due.
  @_noLocks
  func isNextDue(at now: Int64, _ time: BusTime) -> Bool {
    guard let next = blocks.peek(1) else { return false }
    return isDue(next, at: now, time)
  }
}
