import AudioGraph
import Synchronization
import SynthRealtime

/// An output unit without a thread: the test asks for the slices.
final class TestOutput: OutputUnit {
  struct Failure: Error, Equatable {}

  let name = "test output"
  let sampleRate = 48000.0
  let channelCount: Int
  let latency = OutputLatency(period: 1, buffer: 1)
  private let state = Mutex(State())

  private struct State: @unchecked Sendable {
    var render: (function: RenderFunction, context: UnsafeMutableRawPointer)?
    var failsToStart = false
    var hasFailed = false
  }

  init(channelCount: Int = 2) { self.channelCount = channelCount }

  var isRunning: Bool { state.withLock { $0.render != nil } }

  func start(_ callback: @escaping RenderFunction, context: UnsafeMutableRawPointer) throws {
    try state.withLock { state in
      if state.failsToStart { throw Failure() }
      state.render = (callback, context)
    }
  }

  func stop() throws {
    try state.withLock { state in
      state.render = nil
      defer { state.hasFailed = false }
      if state.hasFailed { throw Failure() }
    }
  }

  /// As a device that another program holds.
  func refuseStart() { state.withLock { $0.failsToStart = true } }

  /// As a device that is pulled out.
  func fail() {
    state.withLock { state in
      state.render = nil
      state.hasFailed = true
    }
  }

  /// The next frames of the left channel; none while nothing runs.
  func render(_ frameCount: Int) -> [Float] {
    let buffer = SampleBuffer(channelCount: channelCount, frameCapacity: frameCount)
    var slice = buffer.slice(frameCount: frameCount)
    guard let render = state.withLock({ $0.render }) else { return [] }
    render.function(render.context, &slice)
    return Array(buffer.channel(0, frameCount: frameCount))
  }
}
