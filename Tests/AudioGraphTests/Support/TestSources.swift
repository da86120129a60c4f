import AudioGraph
import Realtime

// Sources with numbers one can add in the head.

/// Every sample of channel c is `value + c`.
final class ConstantSource: @unchecked Sendable {
  let node: SourceNode
  private let value: UnsafeMutablePointer<Float>

  init(_ value: Float, name: String = "constant", format: AudioFormat = .stereo(48000)) {
    self.value = .allocate(capacity: 1)
    self.value.initialize(to: value)
    node = SourceNode(name: name, format: format, context: UnsafeMutableRawPointer(self.value)) { context, request in
      let value = context.assumingMemoryBound(to: Float.self).pointee
      let request = request.assumingMemoryBound(to: RenderRequest.self).pointee
      for channel in 0..<request.buffers.channelCount {
        request.buffers[channel].update(repeating: value + Float(channel), count: request.frameCount)
      }
    }
  }

  deinit { value.deallocate() }
}

/// Left is the sample time 0, 1, 2 …; right is its negative. It also counts its calls.
final class CountingSource: @unchecked Sendable {
  let node: SourceNode
  private let calls: UnsafeMutablePointer<Int>

  var callCount: Int { calls.pointee }

  init(name: String = "counting", format: AudioFormat = .stereo(48000)) {
    calls = .allocate(capacity: 1)
    calls.initialize(to: 0)
    node = SourceNode(name: name, format: format, context: UnsafeMutableRawPointer(calls)) { context, request in
      context.assumingMemoryBound(to: Int.self).pointee += 1
      let request = request.assumingMemoryBound(to: RenderRequest.self).pointee
      for channel in 0..<request.buffers.channelCount {
        for frame in 0..<request.frameCount {
          let time = Float(request.sampleTime + Int64(frame))
          request.buffers[channel][frame] = channel == 0 ? time : -time
        }
      }
    }
  }

  deinit { calls.deallocate() }
}

/// Says that it is silent.
let silentSource = SourceNode(
  name: "silent", format: .stereo(48000), context: UnsafeMutableRawPointer(bitPattern: 16)!
) { _, request in
  request.assumingMemoryBound(to: RenderRequest.self).pointee.buffers.silence()
}
