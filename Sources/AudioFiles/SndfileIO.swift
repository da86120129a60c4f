import CSndfile

// The five functions through which libsndfile writes to a `FileSink`. It would write to a descriptor by itself, but then
// says no more of a failure than "system error".

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
