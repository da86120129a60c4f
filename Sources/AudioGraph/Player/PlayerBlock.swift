import Synchronization
import SynthRealtime

/// Frames that a player's kernel plays one after the other: a buffer, or a part of a file.
package struct PlayerBlock: BitwiseCopyable, @unchecked Sendable {
  // Unchecked because of the pointer: the ring keeps the samples until the block is dropped.

  /// The number of what was scheduled.
  package let id: Int
  /// Its sample time on the engine's clock, if all before it has ended by then; `.min` for as soon as that.
  package let startTime: Int64
  package let frameCount: Int
  /// The first channel; nil without frames.
  package let samples: UnsafePointer<Float>?
  /// From one channel to the next.
  package let stride: Int
  /// Whether what was scheduled begins or ends with this block.
  package let isFirst: Bool
  package let isLast: Bool
  /// Whether it begins again at its end until what comes next is due.
  package let isLooping: Bool
  /// Whether it ends all before it when it is due.
  package let isInterrupting: Bool

  package init(
    id: Int, startTime: Int64, frameCount: Int, samples: UnsafePointer<Float>?, stride: Int, isFirst: Bool = true,
    isLast: Bool = true, isLooping: Bool = false, isInterrupting: Bool = false
  ) {
    self.id = id
    self.startTime = startTime
    self.frameCount = samples == nil ? 0 : frameCount
    self.samples = samples
    self.stride = stride
    self.isFirst = isFirst
    self.isLast = isLast
    self.isLooping = isLooping
    self.isInterrupting = isInterrupting
  }
}

/// What was scheduled has ended before the frame at that sample time of the engine.
struct PlayerNews: BitwiseCopyable, Sendable {
  let id: Int
  let sampleTime: Int64
  /// Whether it was played to its end.
  let isWhole: Bool

  @_noLocks
  init(id: Int, sampleTime: Int64, isWhole: Bool) {
    self.id = id
    self.sampleTime = sampleTime
    self.isWhole = isWhole
  }
}

/// What was scheduled between two stops, on its way to the audio thread. Each `stop` begins another ring, so that later
/// blocks need not wait for room, and earlier samples stay until the audio thread has sent their ring home.
package final class PlayerRing: Sendable {
  /// Distinguishes it from earlier rings; from 1.
  let generation: Int
  package let blocks: BlockRing<PlayerBlock>
  /// The reading end, for the one kernel.
  let consumer: BlockRing<PlayerBlock>.Consumer
  /// Buffers that blocks point into, by the numbers of what was scheduled.
  let buffers = CheckedMutex<[Int: AudioBuffer]>([:])

  /// - Parameter blockLength: frames for which each block has room in the ring; 0 where samples are elsewhere.
  init(channelCount: Int, blockLength: Int, minimumCapacity: Int, generation: Int) {
    self.generation = generation
    blocks = BlockRing(channelCount: channelCount, blockLength: blockLength, minimumCapacity: minimumCapacity)
    consumer = blocks.consumer
  }
}

/// State that a player's control side and its kernel share.
package struct PlayerCell: ~Copyable {
  package let isPlaying = Atomic<Bool>(false)
  /// The newest ring's.
  let generation = Atomic<Int>(1)
  /// Older rings than this are cut off without a fade.
  let cutGeneration = Atomic<Int>(0)
  /// Frames that were not there in time.
  package let missingFrames = Atomic<Int>(0)
  /// The frame of the present block that is played next; -1 while nothing plays.
  let position = Atomic<Int>(-1)
}
