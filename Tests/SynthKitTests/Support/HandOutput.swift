import AudioGraph
import SynthRealtime

/// An output unit whose slices a test asks for, each at the host time that the test says: nothing depends on a clock.
final class HandOutput: OutputUnit, @unchecked Sendable {
  // Unchecked: one thread uses it.

  let name = "hand output"
  let sampleRate: Double
  let channelCount = 2
  let latency: OutputLatency
  private(set) var isRunning = false
  /// What the left channel has got.
  private(set) var left: [Float] = []
  private var render: ((UnsafeMutableRawPointer) -> Void)?

  init(sampleRate: Double, period: Int) {
    self.sampleRate = sampleRate
    latency = OutputLatency(period: period, buffer: period)
  }

  func start(_ callback: @escaping RenderFunction, context: UnsafeMutableRawPointer) {
    render = { callback(context, $0) }
    isRunning = true
  }

  func stop() { isRunning = false }

  /// When a frame is asked for, in nanoseconds.
  func hostTime(ofFrame frame: Int) -> UInt64 { 1_000_000_000 + UInt64((Double(frame) * 1e9 / sampleRate).rounded()) }

  /// Asks for a period.
  func turn() {
    let buffer = SampleBuffer(channelCount: channelCount, frameCapacity: latency.period)
    var slice = buffer.slice(frameCount: latency.period, hostTime: hostTime(ofFrame: left.count))
    withUnsafeMutablePointer(to: &slice) { render?(UnsafeMutableRawPointer($0)) }
    left += buffer.channel(0, frameCount: slice.frameCount)
  }
}
