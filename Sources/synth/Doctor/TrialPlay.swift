import AudioGraph
import Glibc
import SynthALSA
import SynthKit
import SynthRealtime

/// How a device has kept up while silence was played on it for two seconds.
struct TrialPlay {
  let parameters: PCMParameters
  let xruns: Int
  /// How much later than a period after the last slice one was asked for at worst, in seconds.
  let lateness: Double
  let scheduling: ThreadScheduling

  private static let milliseconds = 2000

  init(parameters: PCMParameters, xruns: Int, lateness: Double, scheduling: ThreadScheduling) {
    (self.parameters, self.xruns) = (parameters, xruns)
    (self.lateness, self.scheduling) = (lateness, scheduling)
  }

  /// Opens a device at the lowest latency, and plays. A device that does not pace the program ends it sooner.
  init(on device: String) throws(PCMError) {
    let output = try DeviceOutput([PCMRequest(device: device, latency: .low)])
    let pace = Box(TrialPace())
    do {
      try output.start(TrialPace.entry, context: UnsafeMutableRawPointer(pace.pointer))
    } catch {
      throw error as? PCMError ?? PCMError("starting", device, .failed("\(error)"))
    }
    let statistics = { output.device.outputs[0].statistics }
    for _ in 0..<Self.milliseconds / 50 where output.isRunning {
      usleep(50_000)
      if statistics().framesWritten > 10 * Int(output.sampleRate) { break }
    }
    let end = statistics()
    output.stop()
    let parameters = output.device.parameters
    let period = Double(parameters.period) / Double(parameters.sampleRate)
    self.init(
      parameters: parameters, xruns: end.xruns,
      lateness: max(0, Double(pace.pointer.pointee.longest) / 1e9 - period), scheduling: end.scheduling)
  }

  /// The shortest latency whose buffer would have held out, with half as much again in reserve.
  var recommended: PCMLatency {
    let choices: [PCMLatency] = isRealTime ? [.low, .normal] : [.normal]
    let rate = parameters.sampleRate
    return choices.first { latency in
      let sizes = latency.sizes(sampleRate: rate)
      return 1.5 * lateness * Double(rate) < Double(sizes.buffer - sizes.period)
    } ?? .safe
  }

  private var isRealTime: Bool {
    switch scheduling {
    case .realTime, .realTimeByKit: true
    case .unpaced, .ordinary, .demoted: false
    }
  }
}

/// Plays silence, and notes the longest time between two slices. [audio thread]
private struct TrialPace {
  private var last: UInt64 = 0
  /// In nanoseconds. The first slices fill the empty buffer at once.
  private(set) var longest: UInt64 = 0

  @_noLocks
  mutating func render(_ slice: RenderSlice) {
    if last > 0 { longest = max(longest, slice.hostTime &- last) }
    last = slice.hostTime
    for channel in 0..<slice.channelCount {
      for frame in 0..<slice.frameCount { slice.channels[channel][frame] = 0 }
    }
  }

  static let entry: RenderFunction = { context, slice in
    context.assumingMemoryBound(to: TrialPace.self).pointee.render(
      slice.assumingMemoryBound(to: RenderSlice.self).pointee)
  }
}
