/// Everything a kernel needs to render one quantum. [audio thread]
///
/// Every output bus arrives with `isSilent` false and undefined samples; the kernel fills it or calls `silence()`. An
/// unconnected input is a silent bus of no channels.
public struct RenderContext {
  /// The first frame of the quantum, counted from the start of rendering.
  public internal(set) var sampleTime: Int64 = 0
  /// When the slice was asked for, in nanoseconds of the monotonic clock; 0 offline.
  public internal(set) var hostTime: UInt64 = 0
  public let inputBusCount: Int
  public let outputBusCount: Int
  @usableFromInline let buses: UnsafeMutablePointer<UnsafeMutablePointer<BusBuffer>>

  /// `buses` holds the input buses, then the output buses.
  init(inputs: Int, outputs: Int, buses: UnsafeMutablePointer<UnsafeMutablePointer<BusBuffer>>) {
    inputBusCount = inputs
    outputBusCount = outputs
    self.buses = buses
  }

  /// An input bus, from 0. [audio thread]
  @_noLocks
  @inlinable public func input(_ bus: Int) -> Bus { Bus(buffer: buses[bus]) }
  /// An output bus, from 0. [audio thread]
  @_noLocks
  @inlinable public func output(_ bus: Int) -> Bus { Bus(buffer: buses[inputBusCount &+ bus]) }
}
