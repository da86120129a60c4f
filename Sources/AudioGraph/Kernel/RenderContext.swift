/// Everything a kernel needs to render one quantum. [audio thread]
///
/// Every output bus arrives with `isSilent` false and undefined samples; the kernel fills it or calls `silence()`. An
/// unconnected input is a silent bus of no channels.
public struct RenderContext {
  /// How many buses `input(_:)` has.
  public let inputBusCount: Int
  /// How many buses `output(_:)` has.
  public let outputBusCount: Int
  @usableFromInline let buses: UnsafeMutablePointer<UnsafeMutablePointer<BusBuffer>>
  @usableFromInline let quantum: UnsafePointer<GroupQuantum>

  /// `buses` holds the input buses, then the output buses.
  @_noLocks
  init(
    inputs: Int, outputs: Int, buses: UnsafeMutablePointer<UnsafeMutablePointer<BusBuffer>>,
    quantum: UnsafePointer<GroupQuantum>
  ) {
    inputBusCount = inputs
    outputBusCount = outputs
    self.buses = buses
    self.quantum = quantum
  }

  /// The same without inputs, and with some of the output buses alone. [audio thread]
  @_noLocks
  package func outputs(from first: Int, count: Int) -> RenderContext {
    RenderContext(inputs: 0, outputs: count, buses: buses + (inputBusCount &+ first), quantum: quantum)
  }

  /// The first frame of the quantum, counted from the start of rendering.
  public var sampleTime: Int64 {
    @_noLocks @inlinable get { quantum.pointee.sampleTime }
  }

  /// When the slice was asked for, in nanoseconds of the monotonic clock; 0 offline.
  public var hostTime: UInt64 {
    @_noLocks @inlinable get { quantum.pointee.hostTime }
  }

  /// Whether scheduled changes of any parameter are under way.
  var hasChanges: Bool {
    @_noLocks get { quantum.pointee.changes != nil }
  }

  /// An input bus, from 0. [audio thread]
  @_noLocks
  @inlinable public func input(_ bus: Int) -> Bus { Bus(buffer: buses[bus]) }
  /// An output bus, from 0. [audio thread]
  @_noLocks
  @inlinable public func output(_ bus: Int) -> Bus { Bus(buffer: buses[inputBusCount &+ bus]) }
}

/// What the steps of one sample rate share in a quantum.
@usableFromInline struct GroupQuantum {
  /// Of the group's own frames.
  @usableFromInline var sampleTime: Int64 = 0
  @usableFromInline var hostTime: UInt64 = 0
  let framesPerFrame: RateRatio
  /// nil where no parameter of the engine follows any.
  var changes: UnsafePointer<ActiveChanges>?

  /// - Parameter framesPerFrame: the group's over the engine's.
  init(framesPerFrame: RateRatio) { self.framesPerFrame = framesPerFrame }
}
