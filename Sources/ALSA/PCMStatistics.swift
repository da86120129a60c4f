/// How an output is doing.
public struct PCMStatistics: Sendable, Equatable {
  /// Frames handed to the device.
  public var framesWritten: Int
  /// Times the buffer ran empty.
  public var xruns: Int
  /// Times the machine was suspended and came back.
  public var suspensions: Int
  /// Times the device took no frames for a tenth of a second.
  public var stalls: Int
  /// Times the device went away while it played.
  public var departures: Int
  /// Times the output left its device for a better one.
  public var moves: Int
  /// The longest a period took to render, as a share of its length: above 1 is too late.
  public var peakLoad: Double
  /// How the kernel schedules the thread.
  public var scheduling: ThreadScheduling
}
