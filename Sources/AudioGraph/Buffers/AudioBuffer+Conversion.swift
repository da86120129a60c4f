import SynthDSP

/// Other formats.
extension AudioBuffer {
  /// The same sound in another format.
  ///
  /// The rate is converted as between nodes of a graph (`StreamResampler`), but frame n of the result is the sound at n
  /// divided by its rate, without a delay, and it is as long as the original, to the frame, rounded up. Channels become
  /// those of the format as by `ChannelConversion.automatic`. What is in the format already keeps every bit.
  ///
  /// - Throws: `AudioBufferError` for rates that are too far apart, more channels than a converter takes, and a result
  ///   that is too long for a buffer.
  public func converted(to other: AudioFormat) throws(AudioBufferError) -> AudioBuffer {
    guard FormatCheck.channelCounts.contains(other.channelCount) || other == format else {
      throw .noConversion(
        from: format, to: other, reason: "it would have \(other.channelCount) channels; choose 1 to 1024")
    }
    guard channelCount > 0 || other == format else {
      throw .noConversion(from: format, to: other, reason: "there are no channels; take formats with one or more")
    }
    // There is less to convert where the channels are made first.
    guard other.channelCount < channelCount else {
      return try converted(toRate: other.sampleRate).mixed(toChannelCount: other.channelCount)
    }
    return try mixed(toChannelCount: other.channelCount).converted(toRate: other.sampleRate)
  }

  private func mixed(toChannelCount count: Int) -> AudioBuffer {
    guard count != channelCount else { return self }
    return mixed(by: ChannelConversion.automatic(channelCount: count).rows(from: channelCount))
  }

  /// Other channels, each a sum of the present ones.
  ///
  /// - Parameter rows: one for each channel, with the gain of every present one.
  package func mixed(by rows: [[Float]]) -> AudioBuffer {
    if rows == ChannelConversion.unchanged.rows(from: channelCount) { return self }
    var mix = AudioBuffer(
      format: AudioFormat(sampleRate: format.sampleRate, channelCount: rows.count), frameCount: frameCount)
    for (number, row) in rows.enumerated() {
      var target = mix.mutableSpan(ofChannel: number)
      let heard = row.indices.filter { row[$0] != 0 }
      if heard.count == 1, row[heard[0]] == 1 {
        let source = span(ofChannel: heard[0])
        for frame in source.indices { target[frame] = source[frame] }
        continue
      }
      for channel in heard {
        let gain = row[channel]
        let source = span(ofChannel: channel)
        for frame in source.indices { target[frame] += source[frame] * gain }
      }
    }
    return mix
  }

  private func converted(toRate rate: Double) throws(AudioBufferError) -> AudioBuffer {
    guard rate != format.sampleRate else { return self }
    let other = AudioFormat(sampleRate: rate, channelCount: channelCount)
    do throws(FormatRefusal) {
      try ConverterNode.validate(from: format, to: other, unit: rate)
    } catch {
      throw .noConversion(from: format, to: other, reason: "\(error.reason); \(error.remedy)")
    }
    let expected = Double(frameCount) * rate / format.sampleRate
    guard expected <= Double(Self.mostFrames) else { throw .tooLong(frameCount: Int(expected)) }
    let converter: RateConverter
    do throws(ResamplerError) {
      converter = try RateConverter(from: format.sampleRate, to: rate, channelCount: channelCount)
    } catch {
      throw .noConversion(from: format, to: other, reason: error.description)
    }
    var result = AudioBuffer(format: other, frameCount: 0)
    for start in stride(from: 0, to: frameCount, by: Self.piece) {
      converter.append(self[start..<min(start + Self.piece, frameCount)])
      try result.append(converter.take(.max).frames)
    }
    converter.end()
    try result.append(converter.take(.max).frames)
    return result
  }

  /// How many frames are converted at a time, which bounds what is held besides both buffers.
  private static let piece = 1 << 14
}

/// Interleaved samples of any type.
extension AudioBuffer {
  /// Reads interleaved samples; an incomplete frame at the end is left out.
  ///
  /// - Parameter samples: the type of each.
  public init(interleaved bytes: [UInt8], as samples: SampleFormat, format: AudioFormat) {
    let bytesPerFrame = max(1, format.channelCount * samples.byteCount)
    self.init(format: format, frameCount: format.channelCount > 0 ? bytes.count / bytesPerFrame : 0)
    withRenderSlice { slice in
      bytes.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else { return }
        deinterleave(
          start, as: samples, channelCount: slice.channelCount, frameCount: slice.frameCount, into: slice.channels)
      }
    }
  }

  /// All samples, interleaved, as a client wants them: dithered as `ClientFormat` says.
  ///
  /// - Throws: as `converted(to:)`.
  public func interleaved(as client: ClientFormat) throws(AudioBufferError) -> [UInt8] {
    var buffer = try converted(to: client.applied(to: format))
    var packer = ClientPacker(client.samples, channelCount: buffer.channelCount)
    var bytes = [UInt8](repeating: 0, count: buffer.frameCount * packer.bytesPerFrame)
    buffer.withRenderSlice { slice in
      bytes.withUnsafeMutableBytes { bytes in
        guard let start = bytes.baseAddress else { return }
        packer.pack(slice.channels, frameCount: slice.frameCount, into: start)
      }
    }
    return bytes
  }
}
