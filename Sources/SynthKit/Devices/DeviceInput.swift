import AudioGraph
import SynthALSA
import SynthRealtime

/// An ALSA capture device as the input unit of an `InputNode`.
///
///     let input = try InputNode(DeviceInput("hw:1"), channelMap: ChannelMap([0, 2]))
public final class DeviceInput: InputUnit {
  /// The device itself: what it has granted and how it is doing.
  public let device: PCMInput
  private let target = Box<InputTarget?>(nil)

  /// Opens a device and agrees with it on the parameters. Answers at once, also if it is busy. [control thread]
  public init(_ request: PCMRequest) throws(PCMError) { device = try PCMInput(request) }

  /// Opens the default device, or one whose name alsa-lib knows.
  public convenience init(_ name: String = "default") throws(PCMError) { try self.init(PCMRequest(device: name)) }

  public var name: String { device.parameters.device }
  public var sampleRate: Double { Double(device.parameters.sampleRate) }
  public var channelCount: Int { device.parameters.channelCount }
  public var period: Int { device.parameters.period }
  /// A device that fails or goes away is waited for: the input never ends by itself.
  public var isRunning: Bool { device.isRunning }

  /// Whether both are of one card. Of several devices as one, the first is the clock.
  public func sharesClock(with output: any OutputUnit) -> Bool {
    guard let leader = (output as? DeviceOutput)?.device.outputs.first else { return false }
    return device.sharesClock(with: leader)
  }

  /// - Throws: `PCMError`.
  public func start(_ callback: @escaping RenderFunction, context: UnsafeMutableRawPointer) throws {
    guard !device.isRunning else {
      throw PCMError("starting", name, .invalid("it is running already"))
    }
    device.wait()
    target.pointer.pointee = InputTarget(callback: callback, context: context)
    try device.start(InputTarget.entry, context: UnsafeMutableRawPointer(target.pointer))
  }

  /// Never throws, since a device that fails does not end it.
  public func stop() {
    device.stop()
    device.wait()
  }

  deinit { stop() }
}

extension DeviceInput {
  /// Its channels, under the name that the device keeps.
  public var channelSpace: ChannelSpace { ChannelSpace([self]) }
}

extension AggregateInput {
  /// Opens several devices as one; the first is the clock. [control thread]
  ///
  /// - Throws: `PCMError`, or `InputError` without any.
  public convenience init(_ requests: [PCMRequest]) throws { try self.init(requests.map(DeviceInput.init)) }

  /// Which channels are whose, under the names that devices keep.
  public var channelSpace: ChannelSpace { ChannelSpace(units) }
}

extension ChannelSpace {
  fileprivate init(_ units: [any InputUnit]) {
    self.init(units.map { Device(name: PCMRequest.stableName(of: $0.name), channelCount: $0.channelCount) })
  }
}

/// What is given the frames that the device's callback reads.
private struct InputTarget {
  let callback: RenderFunction
  let context: UnsafeMutableRawPointer

  @_noLocks
  func take(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ channelCount: Int, _ frameCount: Int, _ time: UInt64
  ) {
    var slice = RenderSlice(
      channels: channels, channelCount: channelCount, frameCount: frameCount, hostTime: time)
    withUnsafeMutablePointer(to: &slice) { call(callback, context, UnsafeMutableRawPointer($0)) }
  }

  static let entry: PCMCaptureCallback = { context, channels, channelCount, frameCount, time in
    context.assumingMemoryBound(to: InputTarget?.self).pointee?
      .take(channels, Int(channelCount), Int(frameCount), time)
  }
}
