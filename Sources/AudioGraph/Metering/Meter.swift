import Synchronization
import SynthDSP
import SynthRealtime

/// The level of one bus: peak, peak hold, RMS and clip count of each channel, written by the audio thread, read by any
/// other.
public final class Meter: @unchecked Sendable {
  public let channelCount: Int
  private let cells: UnsafeMutablePointer<MeterCell>

  /// - Parameter channelCount: clamped to 0 to 1024.
  public init(channelCount: Int = 2) {
    let count = min(max(0, channelCount), FormatCheck.channelCounts.upperBound)
    self.channelCount = count
    cells = .allocate(capacity: count)
    for channel in 0..<count { (cells + channel).initialize(to: MeterCell()) }
  }

  deinit {
    cells.deinitialize(count: channelCount)
    cells.deallocate()
  }

  /// The highest absolute sample since the last call; 1 is full scale. One reader at a time.
  public func takePeak(_ channel: Int) -> Float {
    Float(bitPattern: cell(channel).pointee.peak.exchange(0, ordering: .relaxed))
  }

  /// The peak hold: the highest absolute sample, which stays for 1.5 s and then falls by 20 dB a second. Any number of
  /// readers.
  public func heldPeak(_ channel: Int) -> Float {
    Float(bitPattern: cell(channel).pointee.hold.load(ordering: .relaxed))
  }

  /// The root of the mean square, smoothed over 300 ms.
  public func rms(_ channel: Int) -> Float {
    Float(bitPattern: cell(channel).pointee.meanSquare.load(ordering: .relaxed)).squareRoot()
  }

  /// How many samples were beyond full scale since the meter was made.
  public func clipCount(_ channel: Int) -> Int {
    cell(channel).pointee.clips.load(ordering: .relaxed)
  }

  private func cell(_ channel: Int) -> UnsafeMutablePointer<MeterCell> {
    precondition(
      (0..<channelCount).contains(channel),
      "reading a meter: there is no channel \(channel); it has \(channelCount), numbered from 0")
    return cells + channel
  }

  /// The audio thread's end. It does not keep the meter alive: let the kernel retain it.
  func writer(sampleRate: Double) -> MeterWriter {
    let blockDuration = Double(renderQuantum) / sampleRate
    return MeterWriter(
      cells: cells, smoothing: Float(min(1, blockDuration / 0.3)), holdBlocks: Int(1.5 / blockDuration),
      fall: Float(Decibels(-20 * blockDuration).amplitude))
  }
}

/// A meter as the kernel writes it. [audio thread]
struct MeterWriter: @unchecked Sendable {
  let cells: UnsafeMutablePointer<MeterCell>
  let smoothing: Float
  /// How many quanta a peak is held.
  let holdBlocks: Int
  /// The factor by which a peak falls afterwards with each quantum.
  let fall: Float

  /// Adds a quantum; true where nothing is left to fall.
  @_noLocks @discardableResult
  @inline(__always)
  func record(_ level: BlockLevel, channel: Int) -> Bool {
    let cell = cells + channel
    // Non-negative floats are ordered as their bit patterns are. Most blocks have no new peak and spare the locked
    // instruction.
    if level.peak.bitPattern > cell.pointee.peak.load(ordering: .relaxed) {
      cell.pointee.peak.max(level.peak.bitPattern, ordering: .relaxed)
    }
    let meanSquare = Float(bitPattern: cell.pointee.meanSquare.load(ordering: .relaxed))
    let present = level.sumOfSquares / Float(Int32(truncatingIfNeeded: renderQuantum))
    let smoothed = meanSquare + (present - meanSquare) * smoothing
    // What is no number must not stay in the meter for good, nor what is below −180 dB.
    let isQuiet = !(smoothed < .infinity && smoothed > 1e-18)
    cell.pointee.meanSquare.store(isQuiet ? 0 : smoothed.bitPattern, ordering: .relaxed)
    let holdsNothing = hold(level.peak, cell)
    return isQuiet && holdsNothing
  }

  /// Follows the peak hold; true where nothing is left to fall.
  @_noLocks
  @inline(__always)
  private func hold(_ peak: Float, _ cell: UnsafeMutablePointer<MeterCell>) -> Bool {
    let held = Float(bitPattern: cell.pointee.hold.load(ordering: .relaxed))
    if peak >= held {
      // What is beyond 120 dB would take too long to fall.
      cell.pointee.hold.store(min(peak, 1e6).bitPattern, ordering: .relaxed)
      cell.pointee.holdAge.store(0, ordering: .relaxed)
      return peak == 0
    }
    let age = cell.pointee.holdAge.load(ordering: .relaxed)
    guard age >= holdBlocks else {
      cell.pointee.holdAge.store(age &+ 1, ordering: .relaxed)
      return false
    }
    let fallen = held * fall
    cell.pointee.hold.store(fallen < 1e-9 ? 0 : fallen.bitPattern, ordering: .relaxed)
    return false
  }

  @_noLocks
  func recordClips(_ count: Int, channel: Int) {
    cells[channel].clips.add(count, ordering: .relaxed)
  }
}

struct MeterCell: ~Copyable {
  let peak = Atomic<UInt32>(0)
  let meanSquare = Atomic<UInt32>(0)
  let clips = Atomic<Int>(0)
  let hold = Atomic<UInt32>(0)
  /// Quanta since the peak that is held; only the audio thread reads it.
  let holdAge = Atomic<Int>(0)
}

/// What a limiter or a compressor had to do, written by the audio thread, read by any other.
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
