import SynthDSP
import SynthRealtime

/// Where an engine's sound comes from: a device that captures, or code.
///
/// It gives slices of any size, one at a time, on its own thread. One `InputNode` uses a unit at a time.
public protocol InputUnit: AnyObject, Sendable {
  /// Its name in errors and lists.
  var name: String { get }
  /// In hertz: what the hardware granted.
  var sampleRate: Double { get }
  /// How many channels a channel map may choose from.
  var channelCount: Int { get }
  /// The most frames it gives at a time, at present: a device may be replaced while it captures. [any thread]
  var period: Int { get }
  /// Whether it gives slices; false after it has ended by itself. [any thread]
  var isRunning: Bool { get }

  /// Whether its frames keep step with those of an output for ever, since both come from one clock. They are then
  /// passed on bit for bit; else they are resampled to the output's clock. [control thread]
  func sharesClock(with output: any OutputUnit) -> Bool

  /// Begins to call `callback` with `context` and a `RenderSlice` that is to be read, one call at a time. [control
  /// thread]
  ///
  /// The slice has all channels of the unit, and the host time at which its first frame was captured. Where frames were
  /// lost, because the device ran over or is away, the unit gives silence for as long, so that what follows stays in
  /// time.
  func start(_ callback: @escaping RenderFunction, context: UnsafeMutableRawPointer) throws

  /// Ends the calls: none is under way once this has returned, also if it throws. [control thread]
  ///
  /// - Throws: what made it end by itself before.
  func stop() throws
}

extension InputUnit {
  public func sharesClock(with output: any OutputUnit) -> Bool { false }

  /// The sample rate of a program's own unit too, as something that can be counted with.
  var frameRate: Double { clampedRate(sampleRate) }

  /// The same of its period.
  var framePeriod: Int { min(max(0, period), 1 << 24) }
}

/// How an input is doing since it was made.
public struct InputStatistics: Sendable, Equatable {
  /// Frames that the unit has given.
  public var framesCaptured: Int
  /// Frames of those that there was no room for, because nothing read them.
  public var framesLost: Int
  /// Frames of silence that were rendered in place of some that had not come.
  public var framesMissing: Int
  /// Frames that wait to be read.
  public var fill: Int
  /// Frames from the capture of a frame to the moment at which an output asks for it; 0 while none does. Constant, as
  /// far as the two clocks can be measured.
  public var delay: Double
  /// The host time of the slice for which that was measured; 0 before the first.
  public var delayTime: UInt64
  /// By how much the output's clock is faster than the unit's, in parts per million; resampling removes it. 0 where
  /// both have one clock.
  public var partsPerMillion: Double
  /// How often the reading has moved to the frame that was due: once at each start, and after each interruption.
  public var locks: Int
}
