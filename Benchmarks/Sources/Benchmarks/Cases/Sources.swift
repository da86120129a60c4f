// What the graphs under test play.

import AudioGraph
import SynthRealtime

/// White noise of which 64 together stay within full scale, or, `loud`, of which one does not.
func noise(
  loud: Bool = false, sampleRate: Double = Work.sampleRate, channelCount: Int = 2
) -> SourceNode {
  let format = AudioFormat(sampleRate: sampleRate, channelCount: channelCount)
  return SourceNode(format: format, context: loud ? NoiseBlock.loud : NoiseBlock.quiet) { block, request in
    let buffers = request.assumingMemoryBound(to: RenderRequest.self).pointee.buffers
    let samples = block.assumingMemoryBound(to: Float.self)
    for channel in 0..<buffers.channelCount {
      copySamples(from: samples + channel * renderQuantum, to: buffers[channel], count: renderQuantum)
    }
  }
}

func silence() -> SourceNode {
  SourceNode(format: .stereo(Work.sampleRate), context: NoiseBlock.quiet) { _, request in
    request.assumingMemoryBound(to: RenderRequest.self).pointee.buffers.silence()
  }
}

/// Two channels of one quantum, for as long as the process lives.
private enum NoiseBlock {
  nonisolated(unsafe) static let quiet = make(amplitude: 1.0 / 64)
  nonisolated(unsafe) static let loud = make(amplitude: 2)

  private static func make(amplitude: Float) -> UnsafeMutableRawPointer {
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 2 * renderQuantum)
    for index in 0..<2 * renderQuantum {
      (samples + index).initialize(to: .random(in: -amplitude...amplitude))
    }
    return UnsafeMutableRawPointer(samples)
  }
}
