import CSynthSndfile
import Glibc

/// What libsndfile writes of an encoded file, on its way into the sink.
///
/// It goes back to what it wrote first when it knows the length of the whole. Where the sink cannot go back, as a pipe
/// cannot, what was written first stays: a length of 0, which FLAC has for an unknown one (RFC 9639, section 8.2). Ogg
/// is written from start to end, and its pages are numbered meanwhile.
final class EncodedStream {
  private let sink: FileSink
  private var pages: OggPages?
  /// Whether bytes only go to the end of the sink.
  private let isSequential: Bool
  /// Where libsndfile is, and how many bytes it has written, where the sink cannot tell.
  private var position = 0
  private var end = 0

  init(_ sink: FileSink, isOgg: Bool) {
    self.sink = sink
    pages = isOgg ? OggPages() : nil
    isSequential = isOgg || !sink.isSeekable
  }

  /// The count written, less only after a failure, which the sink keeps.
  fileprivate func write(_ bytes: UnsafeRawPointer, count: Int) -> Int {
    guard isSequential else { return sink.write(bytes, count: count) }
    let known = min(max(0, end - position), count)
    position += count
    guard known < count else { return count }
    end = position
    let new = UnsafeRawBufferPointer(start: bytes + known, count: count - known)
    if let pages = pages?.numbered(new) {
      sink.write(pages)
    } else if let start = new.baseAddress {
      sink.write(start, count: new.count)
    }
    return sink.failure == 0 ? count : 0
  }

  /// The new offset, or -1.
  fileprivate func seek(_ offset: Int, from whence: Int32) -> Int {
    guard isSequential else { return sink.seek(offset, from: whence) }
    let start = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? position : end
    guard (0...end).contains(start + offset) else { return -1 }
    position = start + offset
    return position
  }

  fileprivate func read(_ bytes: UnsafeMutableRawPointer, count: Int) -> Int {
    isSequential ? 0 : sink.read(bytes, count: count)
  }

  fileprivate var length: Int { isSequential ? end : sink.length }
}

// The five functions through which libsndfile writes. With a descriptor, it would report each failure as "system error"
// only.

extension SF_VIRTUAL_IO {
  /// For `sf_open_virtual`, whose user data is then an unretained `EncodedStream`.
  static var encodedStream: SF_VIRTUAL_IO {
    SF_VIRTUAL_IO(
      get_filelen: { sf_count_t(EncodedStream.from($0)?.length ?? 0) },
      seek: { offset, whence, stream in sf_count_t(EncodedStream.from(stream)?.seek(Int(offset), from: whence) ?? -1) },
      read: { bytes, count, stream in
        guard let bytes else { return 0 }
        return sf_count_t(EncodedStream.from(stream)?.read(bytes, count: Int(count)) ?? 0)
      },
      write: { bytes, count, stream in
        guard let bytes else { return 0 }
        return sf_count_t(EncodedStream.from(stream)?.write(bytes, count: Int(count)) ?? 0)
      },
      tell: { sf_count_t(EncodedStream.from($0)?.seek(0, from: SEEK_CUR) ?? 0) })
  }
}

extension EncodedStream {
  fileprivate static func from(_ pointer: UnsafeMutableRawPointer?) -> EncodedStream? {
    pointer.map { Unmanaged<EncodedStream>.fromOpaque($0).takeUnretainedValue() }
  }
}
