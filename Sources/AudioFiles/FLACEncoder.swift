import CSndfile
import DSP

/// Encodes integer samples as a FLAC file, with libsndfile.
final class FLACEncoder {
  private let sink: FileSink
  private let samples: AudioFileSamples
  private let file: OpaquePointer

  /// Begins a file in the sink. (sf_open_virtual)
  init(_ format: AudioFileFormat, _ sink: FileSink) throws(AudioFileError) {
    self.sink = sink
    samples = format.samples
    let subtype = format.samples == .int16 ? SF_FORMAT_PCM_16 : SF_FORMAT_PCM_24
    var info = SF_INFO(
      frames: 0, samplerate: Int32(format.rate), channels: Int32(format.channels),
      format: Int32(SF_FORMAT_FLAC | subtype), sections: 0, seekable: 0)
    var io = SF_VIRTUAL_IO.sink
    let user = Unmanaged.passUnretained(sink).toOpaque()
    guard let file = sf_open_virtual(&io, Int32(SFM_WRITE), &info, user) else {
      if sink.failure != 0 { throw AudioFileError(writing: sink.path, code: sink.failure) }
      throw .unsupported(path: sink.path, reason: String(cString: sf_strerror(nil)))
    }
    self.file = file
    // Without this a file of no frames would have no bytes.
    sf_command(file, Int32(SFC_UPDATE_HEADER_NOW), nil, 0)
  }

  /// Completes the file; the sink keeps a failure. (sf_close)
  deinit { sf_close(file) }

  /// The format `append` takes.
  var sampleFormat: SampleFormat { samples == .int16 ? .int16 : .int24 }

  /// Appends interleaved samples, which are overwritten; the sink keeps a failure. (sf_write_short, sf_write_int)
  func append(_ interleaved: UnsafeMutableRawPointer, count: Int) {
    if samples == .int16 {
      sf_write_short(file, interleaved.assumingMemoryBound(to: Int16.self), sf_count_t(count))
      return
    }
    // libsndfile takes the upper 24 bits of a word.
    let words = interleaved.assumingMemoryBound(to: Int32.self)
    for index in 0..<count { words[index] &<<= 8 }
    sf_write_int(file, words, sf_count_t(count))
  }
}

// The five functions through which libsndfile writes to a `FileSink`. With a descriptor, it would report each failure
// as "system error" only.

extension SF_VIRTUAL_IO {
  /// For `sf_open_virtual`, whose user data is then an unretained `FileSink`.
  static var sink: SF_VIRTUAL_IO {
    SF_VIRTUAL_IO(
      get_filelen: { sf_count_t(FileSink.from($0)?.length ?? 0) },
      seek: { offset, whence, sink in sf_count_t(FileSink.from(sink)?.seek(Int(offset), from: whence) ?? -1) },
      read: { bytes, count, sink in
        guard let bytes else { return 0 }
        return sf_count_t(FileSink.from(sink)?.read(bytes, count: Int(count)) ?? 0)
      },
      write: { bytes, count, sink in
        guard let bytes else { return 0 }
        return sf_count_t(FileSink.from(sink)?.write(bytes, count: Int(count)) ?? 0)
      },
      tell: { sf_count_t(FileSink.from($0)?.seek(0, from: SEEK_CUR) ?? 0) })
  }
}

extension FileSink {
  fileprivate static func from(_ pointer: UnsafeMutableRawPointer?) -> FileSink? {
    pointer.map { Unmanaged<FileSink>.fromOpaque($0).takeUnretainedValue() }
  }
}
