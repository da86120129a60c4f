import AudioGraph
import Synchronization
import SynthALSA
import SynthRealtime

/// An ALSA device, or several as one, as the output unit of an engine: what makes it audible.
///
///     let device = try DeviceOutput()
///     let engine = AudioEngine(output: device)
///     let output = try OutputNode(channelCount: device.channelCount)
public final class DeviceOutput: OutputUnit {
  /// The devices themselves: what they have granted and how they are doing.
  public let device: PCMAggregate
  private let target = Box<DeviceTarget?>(nil)
  private let asked = Box(Atomic<UInt64>(0))

  /// Opens the devices and agrees with them on the parameters. Answers at once, also if one is busy. [control thread]
  ///
  /// - Parameter requests: the first device is the clock; the channels are those of all, in this order.
  public init(_ requests: [PCMRequest]) throws(PCMError) {
    device = try PCMAggregate(requests)
  }

  /// Opens one device: the default one, or whose name alsa-lib knows.
  public convenience init(_ name: String = "default") throws(PCMError) {
    try self.init([PCMRequest(device: name)])
  }

  public var name: String {
    device.outputs.map(\.parameters.device).joined(separator: " + ")
  }
  public var sampleRate: Double { Double(device.parameters.sampleRate) }
  public var channelCount: Int { device.channelCount }
  /// A device that fails or goes away is waited for: the output ends by itself only where the stream does.
  public var isRunning: Bool { device.isRunning }
  public var latency: OutputLatency {
    let present = device.present
    let alignment = Int((device.alignment * Double(device.parameters.sampleRate)).rounded())
    let buffer = device.measuredDelay.map { $0 + present.period } ?? present.buffer
    return OutputLatency(period: present.period, buffer: buffer, alignment: alignment)
  }

  /// When the latest slice was asked for, on `HostClock`; 0 before the first. [any thread]
  var latestSlice: UInt64 { asked.pointer.pointee.load(ordering: .relaxed) }

  /// Plays on another device from now on, while it plays too; see `PCMOutput.move`. [control thread]
  public func move(to device: String) throws(PCMError) { try self.device.move(to: device) }

  /// Gives the devices back until the next start; without effect while it runs. See `PCMOutput.release`. [control
  /// thread]
  public func release() { device.release() }

  /// - Throws: `PCMError`.
  public func start(_ callback: @escaping RenderFunction, context: UnsafeMutableRawPointer) throws {
    guard !device.isRunning else {
      throw PCMError("starting", device.parameters.device, .invalid("it is running already"))
    }
    device.wait()
    target.pointer.pointee = DeviceTarget(callback: callback, context: context, asked: asked.pointer)
    try device.start(DeviceTarget.entry, context: UnsafeMutableRawPointer(target.pointer))
  }

  /// Never throws, since devices that fail do not end it.
  public func stop() {
    device.stop(.drop)
    device.wait()
  }

  deinit {
    device.stop(.drop)
    device.wait()
  }
}

/// What the device's callback asks for audio.
private struct DeviceTarget {
  let callback: RenderFunction
  let context: UnsafeMutableRawPointer
  /// When the latest slice was asked for.
  let asked: UnsafeMutablePointer<Atomic<UInt64>>

  @_noLocks
  func render(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ channelCount: Int, _ frameCount: Int) -> Int {
    let now = HostClock.now
    asked.pointee.store(now, ordering: .relaxed)
    var slice = RenderSlice(channels: channels, channelCount: channelCount, frameCount: frameCount, hostTime: now)
    withUnsafeMutablePointer(to: &slice) { call(callback, context, UnsafeMutableRawPointer($0)) }
    return slice.frameCount
  }

  static let entry: PCMRenderCallback = { context, channels, channelCount, frameCount in
    let target = context.assumingMemoryBound(to: DeviceTarget?.self)
    let count = target.pointee?.render(channels, Int(channelCount), Int(frameCount)) ?? 0
    return Int32(truncatingIfNeeded: count)
  }
}

extension SynthesizerConfiguration {
  /// The same for an output's rate and channel count.
  public func adapted(to output: any OutputUnit) -> SynthesizerConfiguration {
    var adapted = self
    adapted.sampleRate = output.sampleRate
    adapted.channelCount = output.channelCount
    return adapted
  }

  /// The same for an output's rate and channels.
  ///
  /// - Parameter assignments: in place of a channel map; empty for the map or the first channels.
  public func adapted(
    to output: DeviceOutput, _ assignments: [ChannelAssignment]
  ) throws(ChannelAssignmentError) -> SynthesizerConfiguration {
    var adapted = adapted(to: output)
    guard !assignments.isEmpty else { return adapted }
    if let channelMap { throw .mapGivenToo(channelMap) }
    adapted.channelMap = try output.channelSpace.map(
      assignments.map {
        ChannelAssignment(device: PCMRequest.stableName(of: $0.device), channel: $0.channel, source: $0.source)
      })
    return adapted
  }
}

extension DeviceOutput {
  /// Which channels are whose, under the names that the devices keep.
  public var channelSpace: ChannelSpace {
    ChannelSpace(
      device.outputs.map {
        ChannelSpace.Device(
          name: PCMRequest.stableName(of: $0.parameters.device), channelCount: $0.parameters.channelCount)
      })
  }
}
