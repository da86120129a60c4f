import CSynthALSA
import SynthDSP

/// Converts the stream an output was opened for into that of a replacement device with another rate or channel count.
/// [audio thread]
///
/// The render callback is asked for whole periods of the stream. They pass through a ring and a resampler, as those of
/// an aggregate's followers do. The channels are then made as by `ChannelMatrix.standardRows`.
package struct StreamConverter: ~Copyable {
  /// Frames of the stream per frame of the device.
  package let step: Double
  /// The most frames in the ring and the resampler after a period.
  let reserve: Int

  private let period: Int
  private let streamCount: Int
  private let matrix: ChannelMatrix
  private let ring: FrameRing
  private var reader: RingReader
  private let asked: ChannelBuffers
  private let converted: ChannelBuffers

  package init(from stream: PCMParameters, to device: PCMParameters) throws(ResamplerError) {
    step = Double(stream.sampleRate) / Double(device.sampleRate)
    period = stream.period
    streamCount = stream.channelCount
    matrix = ChannelMatrix(
      ChannelMatrix.standardRows(from: stream.channelCount, to: device.channelCount), inputCount: stream.channelCount)
    reader = try RingReader(channelCount: stream.channelCount, step: step)
    reserve = stream.period + StreamResampler.lookahead(step: step)
    let slice = Int(Double(device.period) * step) + reserve
    ring = FrameRing(channelCount: stream.channelCount, minimumCapacity: slice + 2 * stream.period)
    asked = ChannelBuffers(channelCount: stream.channelCount, frameCount: stream.period)
    converted = ChannelBuffers(channelCount: stream.channelCount, frameCount: device.period)
  }

  /// Fills the device's channels, which are `ChannelBuffers` of a period, with up to a period: how many frames there
  /// were before the stream ended.
  @_noLocks @_noAllocation
  package mutating func render(
    _ source: PCMSource, into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int,
    position: borrowing PCMPosition
  ) -> Int {
    while !ring.hasEnded, ring.endIndex < reader.end(ofSlice: frameCount, step: step) {
      position.note(unplayed: ring.endIndex &- Int(reader.position))
      let count = source.render(asked.channels, channelCount: streamCount, frameCount: period)
      ring.write(asked.channels, from: 0, frameCount: count)
      if count < period { ring.end() }
    }
    let hasEnded = ring.hasEnded
    let count = reader.read(
      ring, into: converted.channels, from: 0, to: frameCount, step: step == 1 ? nil : step, hasEnded: hasEnded)
    position.note(unplayed: ring.endIndex &- Int(reader.position))
    // Whole vectors: the buffers have room for them.
    let mixedCount = (count &+ 7) / 8 &* 8
    for channel in 0..<matrix.outputCount {
      matrix.mix(
        channel, from: converted.channels[0], stride: converted.stride, into: channels[channel], count: mixedCount)
    }
    return count
  }
}
