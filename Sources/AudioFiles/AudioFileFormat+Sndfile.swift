import CSndfile
import DSP

// Formats in libsndfile's terms.

extension AudioFileFormat {
  /// Why no file can have this format, with what to do instead; nil if one can.
  func refusal(seekable: Bool) -> String? {
    if !(1...768_000).contains(rate) { return "\(rate) frames per second — must be 1 to 768000" }
    let limit = container == .flac ? 8 : 256
    if !(1...limit).contains(channels) { return "\(channels) channels — \(container) has 1 to \(limit)" }
    guard container == .flac else { return nil }
    if samples == .float32 { return "FLAC has no float samples — use 24-bit, or WAV" }
    if rate > 655_350 { return "\(rate) frames per second — FLAC has 1 to 655350" }
    return seekable ? nil : "FLAC cannot go into a pipe or device — use WAV"
  }

  /// Begins a file in the sink, which must live as long as the handle. (sf_open_virtual)
  func open(_ sink: FileSink) throws(AudioFileError) -> OpaquePointer {
    // RF64 keeps room in its header for lengths from 4 GB on, and becomes plain WAV on closing if it did not need it.
    let major = container == .flac ? SF_FORMAT_FLAC : SF_FORMAT_RF64
    var info = SF_INFO(
      frames: 0, samplerate: Int32(rate), channels: Int32(channels), format: Int32(major) | samples.subtype,
      sections: 0, seekable: 0)
    var io = SF_VIRTUAL_IO.sink
    let user = Unmanaged.passUnretained(sink).toOpaque()
    guard let file = sf_open_virtual(&io, Int32(SFM_WRITE), &info, user) else {
      if sink.failure != 0 { throw AudioFileError(writing: sink.path, code: sink.failure) }
      throw .unsupported(path: sink.path, reason: String(cString: sf_strerror(nil)))
    }
    sf_command(file, Int32(SFC_RF64_AUTO_DOWNGRADE), nil, 1)
    // The PEAK chunk of float files has the time of day in it, so that no two renderings would be the same.
    sf_command(file, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, 0)
    return file
  }

  /// The header of a WAV whose length is not known and cannot be filled in later, as in a pipe.
  ///
  /// Both lengths are 0xFFFFFFFF, which readers take for "until the end" (sox, aplay, ffmpeg). The layout is that of
  /// Microsoft's *Multimedia Programming Interface and Data Specifications 1.0*; floats need the longer `fmt ` chunk.
  var streamHeader: [UInt8] {
    let width = samples.stagingFormat(forLibrary: false).byteCount
    let isFloat = samples == .float32
    func field(_ value: Int, _ width: Int) -> [UInt8] {
      (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    return Array("RIFF".utf8) + field(0xFFFF_FFFF, 4) + Array("WAVEfmt ".utf8) + field(isFloat ? 18 : 16, 4)
      + field(isFloat ? 3 : 1, 2) + field(channels, 2) + field(rate, 4) + field(rate * channels * width, 4)
      + field(channels * width, 2) + field(8 * width, 2) + (isFloat ? field(0, 2) : [])
      + Array("data".utf8) + field(0xFFFF_FFFF, 4)
  }
}

extension AudioFileSamples {
  fileprivate var subtype: Int32 {
    switch self {
    case .int16: Int32(SF_FORMAT_PCM_16)
    case .int24: Int32(SF_FORMAT_PCM_24)
    case .float32: Int32(SF_FORMAT_FLOAT)
    }
  }

  /// What samples are converted to: libsndfile takes 24 bits in a word, a file without it three bytes.
  func stagingFormat(forLibrary: Bool) -> SampleFormat {
    switch self {
    case .int16: .int16
    case .int24: forLibrary ? .int24 : .int24Packed
    case .float32: .float32
    }
  }

  /// Hands staged samples to libsndfile; a failure shows in the sink. (sf_write_short, sf_write_int, sf_write_float)
  func write(_ staging: UnsafeMutableRawPointer, count: Int, to file: OpaquePointer) {
    switch self {
    case .int16: sf_write_short(file, staging.assumingMemoryBound(to: Int16.self), sf_count_t(count))
    case .int24:
      // libsndfile takes the upper 24 bits of a word.
      let words = staging.assumingMemoryBound(to: Int32.self)
      for index in 0..<count { words[index] &<<= 8 }
      sf_write_int(file, words, sf_count_t(count))
    case .float32: sf_write_float(file, staging.assumingMemoryBound(to: Float.self), sf_count_t(count))
    }
  }
}
