import AudioGraph

/// The gains of an audio file's channels in a `FileSound`, by output and input channel.
///
/// They are those of `ChannelConversion.automatic`, and for stereo also those of layouts that it does not know, so that
/// no channel is lost: 3, 5 and 7 channels are in the order of WAVE and FLAC files (RFC 9639, section 9.1.3) and mixed
/// as by ITU-R BS.775; of more than 8, both sides play the mean.
func fileChannelGains(from inputCount: Int, to outputCount: Int) -> [[Float]] {
  let part = Float(0.5).squareRoot()
  return switch (inputCount, outputCount) {
  case (3, 2): [[1, 0, part], [0, 1, part]]
  case (5, 2): [[1, 0, part, part, 0], [0, 1, part, 0, part]]
  // Low frequencies are left out, and the one channel at the back goes to both sides.
  case (7, 2): [[1, 0, part, 0, 0.5, part, 0], [0, 1, part, 0, 0.5, 0, part]]
  case (9..., 2): Array(repeating: Array(repeating: 1 / Float(inputCount), count: inputCount), count: 2)
  default: ChannelConversion.automatic(channelCount: outputCount).rows(from: inputCount)
  }
}
