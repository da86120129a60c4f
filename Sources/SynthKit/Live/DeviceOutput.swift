import ALSA
import AudioGraph
import Realtime

/// An ALSA device, or several as one, as the output unit of an engine: what makes it audible.
///
///     let device = try DeviceOutput()
///     let engine = AudioEngine(output: device)
///     let output = try OutputNode(channelCount: device.channelCount)
public final class DeviceOutput: OutputUnit {
  /// The devices themselves: what they have granted and how they are doing.
  public let device: PCMAggregate
  private let link: DeviceLink

  /// Opens the devices and agrees with them on the parameters. Answers at once, also if one is busy. [control thread]
  ///
  /// - Parameter requests: the first device is the clock; the channels are those of all, in this order.
  public init(_ requests: [PCMRequest]) throws(PCMError) {
    device = try PCMAggregate(requests)
    link = DeviceLink()
  }

  /// Opens one device: the default one, or whose name alsa-lib knows.
  public convenience init(_ name: String = "default") throws(PCMError) {
    try self.init([PCMRequest(device: name)])
  }

  public var name: String {
    device.outputs.map(\.parameters.device).joined(separator: " + ")
  }
  public var sampleRate: Double { Double(device.parameters.rate) }
  public var channelCount: Int { device.channelCount }
  /// From `start` to `stop`: a device that fails or goes away is waited for, so the output never ends by itself.
  public var isRunning: Bool { device.isRunning }

  /// - Throws: `PCMError`.
  public func start(_ callback: @escaping RenderFunction, context: UnsafeMutableRawPointer) throws {
    guard !device.isRunning else {
      throw PCMError("starting", device.parameters.device, .invalid("it is running already"))
    }
    device.wait()
    link.pointer.pointee = DeviceLink.Target(callback: callback, context: context)
    try device.start(DeviceLink.callback, context: UnsafeMutableRawPointer(link.pointer))
  }

  /// Never throws, since it never ends by itself.
  public func stop() {
    device.stop(.drop)
    device.wait()
  }

  deinit {
    device.stop(.drop)
    device.wait()
  }
}

/// Where the device's callback finds the engine's.
private final class DeviceLink: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<Target>

  struct Target {
    let callback: RenderFunction
    let context: UnsafeMutableRawPointer

    @_noLocks
    func render(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ channelCount: Int, _ frameCount: Int) {
      var slice = RenderSlice(
        channels: channels, channelCount: channelCount, frameCount: frameCount, hostTime: HostClock.now)
      withUnsafeMutablePointer(to: &slice) { call(callback, context, UnsafeMutableRawPointer($0)) }
    }
  }

  init() {
    pointer = .allocate(capacity: 1)
  }

  deinit { pointer.deallocate() }

  static let callback: PCMRenderCallback = { context, channels, channelCount, frameCount in
    context.assumingMemoryBound(to: Target.self).pointee.render(channels, Int(channelCount), Int(frameCount))
    return frameCount
  }
}
