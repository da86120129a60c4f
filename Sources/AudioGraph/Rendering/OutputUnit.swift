import Realtime

/// What sets an engine's flow going and ends it: a device, or a thread that is paced otherwise.
///
/// It asks for slices of whatever size suits it, on a thread of its own. One engine has one at most.
public protocol OutputUnit: AnyObject, Sendable {
  /// What people call it, in errors.
  var name: String { get }
  /// What was granted, in hertz; the engine renders at it.
  var sampleRate: Double { get }
  /// What was granted; the graph's output node has as many.
  var channelCount: Int { get }
  /// Whether it asks for slices; false also after it has ended by itself, because a device failed. [any thread]
  var isRunning: Bool { get }

  /// Begins to call `callback` with `context` and a `RenderSlice`, one call at a time. [control threads, one at a time]
  func start(_ callback: @escaping RenderFunction, context: UnsafeMutableRawPointer) throws

  /// Ends the calls: none is under way once this has returned, also when it throws. [control threads, one at a time]
  ///
  /// - Throws: what made it end by itself before.
  func stop() throws
}
