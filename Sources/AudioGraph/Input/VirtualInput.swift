import Synchronization
import SynthDSP
import SynthRealtime

/// An input unit whose frames come from code: for tests, and for programs that have sound of their own to bring in.
///
///     let unit = VirtualInput(channelCount: 2)
///     let input = try InputNode(unit)
///     try input.start()
///     unit.deliver([[0, 1, 2], [0, -1, -2]])
public final class VirtualInput: InputUnit {
  public let name: String
  public let sampleRate: Double
  public let channelCount: Int
  public let period: Int
  private let isOnOutputClock: Bool
  private let target = CheckedMutex<Target?>(nil)

  private struct Target: @unchecked Sendable {
    // Unchecked: the context is the callback's.
    let callback: RenderFunction
    let context: UnsafeMutableRawPointer
  }

  /// - Parameters: clamped to their ranges; NaN is the lowest rate.
  ///   - sampleRate: in hertz, 1 to 1,000,000.
  ///   - channelCount: 0 to 1024.
  ///   - period: the most frames that are delivered at a time, 1 to 65536.
  ///   - isOnOutputClock: whether as many frames are delivered as any output plays, so that nothing is resampled.
  public init(
    name: String = "virtual input", sampleRate: Double = 48000, channelCount: Int = 2, period: Int = 256,
    isOnOutputClock: Bool = false
  ) {
    self.name = name
    self.sampleRate = clampedRate(sampleRate, to: FormatCheck.sampleRates)
    self.channelCount = min(max(0, channelCount), FormatCheck.channelCounts.upperBound)
    self.period = min(max(1, period), Self.longestPeriod)
    self.isOnOutputClock = isOnOutputClock
  }

  /// In frames.
  private static let longestPeriod = 1 << 16

  public var isRunning: Bool { target.withLock { $0 != nil } }

  public func sharesClock(with output: any OutputUnit) -> Bool { isOnOutputClock }

  /// - Throws: `InputError.running`.
  public func start(_ callback: @escaping RenderFunction, context: UnsafeMutableRawPointer) throws {
    try target.withLock { target throws(InputError) in
      guard target == nil else { throw .running(unit: name) }
      target = Target(callback: callback, context: context)
    }
  }

  public func stop() { target.withLock { $0 = nil } }

  /// Gives the next frames; they are dropped while nothing reads them. [control thread]
  ///
  /// - Parameters:
  ///   - channels: one array for each channel of the unit, of one length.
  ///   - hostTime: when the first frame was captured, on `HostClock`; nil for one at which the last is captured now.
  public func deliver(_ channels: [[Float]], hostTime: UInt64? = nil) {
    let frameCount = channels.map(\.count).min() ?? 0
    let buffer = SampleBuffer(channelCount: channelCount, frameCapacity: frameCount)
    guard frameCount > 0, channels.count == channelCount, buffer.frameCapacity == frameCount else { return }
    for (channel, samples) in channels.enumerated() {
      buffer.channels[channel].update(from: samples, count: frameCount)
    }
    let duration = UInt64(Double(frameCount) / sampleRate * 1e9)
    let now = HostClock.now
    var slice = buffer.slice(frameCount: frameCount, hostTime: hostTime ?? (now > duration ? now - duration : 1))
    target.withLock { target in
      guard let target else { return }
      withUnsafeMutablePointer(to: &slice) { call(target.callback, target.context, UnsafeMutableRawPointer($0)) }
    }
  }
}
