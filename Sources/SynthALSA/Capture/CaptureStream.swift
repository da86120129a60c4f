import CSynthALSA
import CSynthRealtime
import SynthDSP
import SynthRealtime

/// Reads `frameCount` captured frames of `channelCount` channels, the first of which was captured at `time`, in
/// nanoseconds of `HostClock`.
///
/// Called on the input's thread, for a period at a time; must neither allocate, lock nor wait. `context` is what was
/// given to `PCMInput.start`. [audio thread]
public typealias PCMCaptureCallback =
  @convention(c) (
    _ context: UnsafeMutableRawPointer, _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
    _ channelCount: Int32, _ frameCount: Int32, _ time: UInt64
  ) -> Void

/// A capture callback with its context.
struct PCMSink {
  let callback: PCMCaptureCallback
  let context: UnsafeMutableRawPointer
}

/// What is captured, on its way to the callback: planar, and without gaps in time. [audio thread]
struct CaptureStream: ~Copyable {
  /// Set before the thread starts.
  var sink: PCMSink?
  /// When the frame after the last one was or will be captured; nil before the first.
  private(set) var next: UInt64?

  private let format: PCMParameters
  private let channels: ChannelBuffers

  init(_ parameters: PCMParameters) {
    format = parameters
    channels = ChannelBuffers(channelCount: parameters.channelCount, frameCount: parameters.period)
  }

  /// Begins a stream, before the start. [control thread]
  mutating func begin(_ sink: PCMSink) {
    self.sink = sink
    next = nil
  }

  /// Passes on up to a period in a device's format.
  @_noLocks @_noAllocation
  mutating func give(_ frames: UnsafeRawPointer, as format: SampleFormat, frameCount: Int, capturedAt time: UInt64) {
    realtime_enter()
    deinterleave(
      frames, as: format, channelCount: self.format.channelCount, frameCount: frameCount, into: channels.channels)
    pass(frameCount, time)
    realtime_exit()
  }

  /// Passes on silence until a time: how many frames.
  @_noLocks @_noAllocation
  mutating func fill(until time: UInt64) -> Int {
    guard let next else {
      self.next = time
      return 0
    }
    guard time > next else { return 0 }
    let seconds = Double(time &- next) / 1e9
    let count = Int(seconds * Double(format.sampleRate) + 0.5)
    realtime_enter()
    for channel in 0..<format.channelCount { channels.channels[channel].update(repeating: 0, count: format.period) }
    var left = count
    while left > 0, let next = self.next {
      let frameCount = min(left, format.period)
      pass(frameCount, next)
      left &-= frameCount
    }
    realtime_exit()
    return count
  }

  @_noLocks @_noAllocation
  private mutating func pass(_ frameCount: Int, _ time: UInt64) {
    next = time &+ duration(frameCount)
    guard let sink else { return }
    pcm_give(
      sink.callback, sink.context, channels.channels, Int32(truncatingIfNeeded: format.channelCount),
      Int32(truncatingIfNeeded: frameCount), time)
  }

  /// In nanoseconds.
  @_noLocks @_noAllocation
  func duration(_ frameCount: Int) -> UInt64 {
    UInt64(truncatingIfNeeded: frameCount &* 1_000_000_000 / format.sampleRate)
  }
}
