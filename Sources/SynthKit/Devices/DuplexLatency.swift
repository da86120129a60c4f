import AudioGraph
import Glibc

/// How long sound takes from an input device's converter through the engine to an output device's, as the drivers
/// measure it. What nodes of the graph add is not in it (`AudioEngine.latency`).
public struct DuplexLatency: Sendable, Equatable {
  /// Seconds from the capture of a frame to the moment at which the output asks for it.
  public let input: Double
  /// Seconds from then until it is played.
  public let output: Double

  /// Seconds from the microphone to the loudspeaker.
  public var total: Double { input + output }

  /// Measures both in one slice, for which it may wait for some milliseconds; nil while one of the two does not run.
  /// [control thread]
  ///
  /// - Parameters:
  ///   - input: rendered by the engine that plays on `output`.
  ///   - output: of several devices as one, the first is measured.
  public init?(from input: InputNode, to output: DeviceOutput) {
    guard let leader = output.device.outputs.first else { return nil }
    // The two figures are of one slice only if none begins meanwhile.
    for _ in 0..<200 {
      let statistics = input.statistics
      if statistics.delayTime > 0, statistics.delayTime == output.latestSlice,
        let queued = leader.queuedFrames(at: statistics.delayTime), output.latestSlice == statistics.delayTime
      {
        self.input = statistics.delay / input.format.sampleRate
        self.output = queued / output.sampleRate + output.device.alignment
        return
      }
      usleep(500)
    }
    return nil
  }
}
