import AudioGraph
import SynthLoudness

extension LoudnessMeter {
  /// Adds the frames of a buffer with as many channels as the meter has. [control thread]
  public func add(_ buffer: AudioBuffer) {
    precondition(
      buffer.channelCount == channelCount, "measuring \(buffer.channelCount) channels: give \(channelCount)")
    buffer.withPointers { add($0, frameCount: buffer.frameCount) }
  }
}
