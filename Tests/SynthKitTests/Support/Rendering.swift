import AudioGraph
import SynthKit
import Testing

extension Synthesizer {
  /// Renders in slices of at most `sliceSize` frames and gives each channel's samples.
  func samples(_ frameCount: Int, sliceSize: Int = 512) -> [[Float]] {
    let buffer = SampleBuffer(channelCount: output.channelCount, frameCapacity: sliceSize)
    var samples = [[Float]](repeating: [], count: output.channelCount)
    var left = frameCount
    while left > 0 {
      let count = min(left, sliceSize)
      do { try engine.render(buffer.slice(frameCount: count)) } catch { Issue.record(error) }
      for channel in samples.indices { samples[channel] += buffer.channel(channel, frameCount: count) }
      left -= count
    }
    return samples
  }
}
