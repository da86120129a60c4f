import AudioGraph
import SynthAudioFiles
import SynthDSP
import SynthLoudness

/// The file of a song, whose loudness is measured and brought to a target on the way, as far as that is asked for.
///
/// For a target all samples are kept until the song has ended, as only then its loudness is known.
struct MeasuredFile {
  let file: AudioFileWriter
  private let meter: LoudnessMeter?
  private let target: LoudnessTarget?
  private let cache: SampleCache?

  init(_ file: AudioFileWriter, path: String, isMeasured: Bool, target: LoudnessTarget?) throws(AudioFileError) {
    self.file = file
    self.target = target
    let (channels, rate) = (file.format.channelCount, file.format.sampleRate)
    meter = isMeasured || target != nil ? LoudnessMeter(channelCount: channels, sampleRate: rate) : nil
    if target != nil, meter == nil {
      throw .unsupported(path: path, reason: "no loudness of \(channels) channels at \(rate) Hz is known; choose none")
    }
    cache = try target.map { _ throws(AudioFileError) in
      try SampleCache(for: path, isBeside: file.isReplacing, channelCount: channels)
    }
  }

  func write(_ buffer: SampleBuffer, frameCount: Int) throws(AudioFileError) {
    meter?.add(buffer.channels, frameCount: frameCount)
    if let cache {
      try cache.write(buffer.channels, frameCount: frameCount)
    } else {
      try file.write(buffer.channels, frameCount: frameCount)
    }
  }

  /// Writes what was kept.
  ///
  /// - Parameters:
  ///   - progress: its levels become those of the file.
  ///   - isWanted: asked for each block; false ends the file there.
  /// - Returns: the loudness of the file, if it was measured.
  func finish(_ progress: inout RenderProgress, while isWanted: () -> Bool) throws(AudioFileError) -> Loudness? {
    guard let loudness = meter?.loudness, let target, let cache else { return meter?.loudness }
    let gain = target.gain(for: loudness)
    let factor = Float(gain.amplitude)
    let buffer = SampleBuffer(channelCount: file.format.channelCount, frameCapacity: renderBlock)
    progress.forgetLevels()
    try cache.forEachBlock(in: buffer.channels) { frameCount throws(AudioFileError) in
      for channel in 0..<buffer.channelCount {
        let samples = buffer.channels[channel]
        for frame in 0..<frameCount { samples[frame] *= factor }
      }
      progress.measure(buffer, frameCount: frameCount)
      try file.write(buffer.channels, frameCount: frameCount)
      return isWanted()
    }
    return loudness.applying(gain)
  }
}
