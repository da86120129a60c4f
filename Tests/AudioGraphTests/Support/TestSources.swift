import AudioGraph
import Realtime
import Synchronization

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

/// Says that it is silent.
let silentSource = SourceNode(name: "silent", format: .stereo(48000)) { $0.buffers.silence() }
