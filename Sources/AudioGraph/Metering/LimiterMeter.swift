import DSP
import Realtime
import Synchronization

/// What a limiter had to do, written by the audio thread, read by any other.
public final class LimiterMeter: Sendable {
  private let cell = Box(Cell())

  init() {}

  /// How many frames were turned down since the meter was made.
  public var limitedFrameCount: Int { cell.pointer.pointee.frames.load(ordering: .relaxed) }

  /// The most that was taken away since the last call; 0 dB is nothing. One reader at a time.
  public func takeReduction() -> Decibels {
    let share = Float(bitPattern: cell.pointer.pointee.reduction.exchange(0, ordering: .relaxed))
    return -Decibels(amplitude: Double(1 - share))
  }

  /// The audio thread's end. It does not keep the meter alive: let the kernel retain it.
  var writer: Writer { Writer(cell: cell.pointer) }

  struct Writer: @unchecked Sendable {
    let cell: UnsafeMutablePointer<Cell>

    @_noLocks
    func record(frames: Int, lowestGain: Float) {
      cell.pointee.frames.add(frames, ordering: .relaxed)
      // Non-negative floats are ordered as their bit patterns are.
      cell.pointee.reduction.max((1 - lowestGain).bitPattern, ordering: .relaxed)
    }
  }

  struct Cell: ~Copyable {
    let frames = Atomic<Int>(0)
    /// The share of the amplitude, as a bit pattern.
    let reduction = Atomic<UInt32>(0)
  }
}
