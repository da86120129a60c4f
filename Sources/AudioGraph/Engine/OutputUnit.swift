import SynthRealtime

/// What an engine plays on: a device, or a thread that asks for audio without one.
///
/// It asks for slices of any size, one at a time, on its own thread. One engine uses a unit at a time.
public protocol OutputUnit: AnyObject, Sendable {
  /// Its name in errors and lists.
  var name: String { get }
  /// In hertz; the engine renders at it.
  var sampleRate: Double { get }
  /// As many as the graph's output node has.
  var channelCount: Int { get }
  /// How long a frame takes from its rendering to the ear, at present: a device may be replaced while it plays. [any
  /// thread]
  var latency: OutputLatency { get }
  /// Whether it asks for slices or still plays what it has; false after it has ended by itself. [any thread]
  var isRunning: Bool { get }

  /// Begins to call `callback` with `context` and a `RenderSlice`, one call at a time. [control thread]
  ///
  /// The slice has a host time. A callback that lowers the slice's frame count ends the stream: the unit plays what it
  /// has and then ends by itself.
  func start(_ callback: @escaping RenderFunction, context: UnsafeMutableRawPointer) throws

  /// Ends the calls and discards what is not played yet: no call is under way once this has returned, also if it
  /// throws. [control thread]
  ///
  /// - Throws: what made it end by itself before.
  func stop() throws
}

/// How much audio an output unit keeps between rendering and playing, in frames of its sample rate.
public struct OutputLatency: Sendable, Equatable {
  /// Frames asked for at a time.
  public var period: Int
  /// Frames between rendering and hearing, the period that is being rendered included: those of its buffer, and of what
  /// comes after that.
  public var buffer: Int
  /// Frames it is held back after its buffer, so that several devices sound at one time.
  public var alignment: Int

  /// Numbers below 0 become 0, those above 2²⁴ that.
  public init(period: Int, buffer: Int, alignment: Int = 0) {
    func count(_ frames: Int) -> Int { min(max(0, frames), 1 << 24) }
    self.period = count(period)
    self.buffer = count(buffer)
    self.alignment = count(alignment)
  }

  /// Frames from the rendering of a slice until all of it has been played.
  public var total: Int { period + buffer + alignment }
}
