import AudioGraph
@preconcurrency import Glibc
import Synchronization
import SynthRealtime

// Sources with numbers one can add in the head.

/// Every sample of channel c is `value + c`.
final class ConstantSource: Sendable {
  let node: SourceNode

  init(_ value: Float, name: String = "constant", format: AudioFormat = .stereo(48000)) {
    node = SourceNode(name: name, format: format) { request in
      for channel in 0..<request.buffers.channelCount {
        request.buffers[channel].update(repeating: value + Float(channel), count: request.frameCount)
      }
    }
  }
}

/// Left is the sample time 0, 1, 2 …; right is its negative. It also counts its calls.
final class CountingSource: Sendable {
  let node: SourceNode
  private let calls: Counter

  var callCount: Int { calls.value.load(ordering: .relaxed) }

  init(name: String = "counting", format: AudioFormat = .stereo(48000)) {
    let calls = Counter()
    self.calls = calls
    node = SourceNode(name: name, format: format) { request in
      calls.value.add(1, ordering: .relaxed)
      for channel in 0..<request.buffers.channelCount {
        for frame in 0..<request.frameCount {
          let time = Float(request.sampleTime + Int64(frame))
          request.buffers[channel][frame] = channel == 0 ? time : -time
        }
      }
    }
  }
}

private final class Counter: Sendable {
  let value = Atomic<Int>(0)
}

/// A sine of 1 kHz as its sample times have it, at half the level in every further channel; silent where it is told to
/// be.
final class SineSource: @unchecked Sendable {
  let node: SourceNode
  private let state: UnsafeMutablePointer<State>

  private struct State {
    let step: Double
    var silentUntil: Int64 = 0
  }

  /// The value of channel 0 at a time in seconds.
  static func value(at time: Double) -> Float { Float(sin(2 * .pi * 1000 * time)) }

  /// - Parameter silentUntil: a sample time.
  init(name: String = "sine", format: AudioFormat, silentUntil: Int64 = 0) {
    state = .allocate(capacity: 1)
    state.initialize(to: State(step: 1 / format.sampleRate, silentUntil: silentUntil))
    node = SourceNode(name: name, format: format, context: UnsafeMutableRawPointer(state)) { context, request in
      let state = context.assumingMemoryBound(to: State.self).pointee
      let request = request.assumingMemoryBound(to: RenderRequest.self).pointee
      guard request.sampleTime >= state.silentUntil else { return request.buffers.silence() }
      for channel in 0..<request.buffers.channelCount {
        for frame in 0..<request.frameCount {
          let value = SineSource.value(at: Double(request.sampleTime + Int64(frame)) * state.step)
          request.buffers[channel][frame] = value / Float(1 << channel)
        }
      }
    }
  }

  deinit { state.deallocate() }
}

/// Says that it is silent.
var silentSource: SourceNode { SourceNode(name: "silent", format: .stereo(48000)) { $0.buffers.silence() } }
