import CSynthSndfile
import Glibc

/// An Ogg stream in memory, read by libsndfile.
struct VorbisStream {
  private let start: UnsafeRawPointer
  private let count: Int
  private var place = 0

  init(_ start: UnsafeRawPointer, byteCount: Int) { (self.start, count) = (start, byteCount) }

  /// Decodes it to words of 16 bits; nil if it is damaged, has another number of channels than one, or more than
  /// `mostWords`. (sf_open_virtual, sf_readf_short)
  mutating func decode(mostWords: Int) -> DecodedWaves.Wave? {
    var access = SF_VIRTUAL_IO(
      get_filelen: { Self.at($0).pointee.count64 },
      seek: { Self.at($2).pointee.seek($0, $1) },
      read: { Self.at($2).pointee.read(into: $0, $1) },
      write: nil,
      tell: { sf_count_t(Self.at($0).pointee.place) })
    var info = SF_INFO()
    return withUnsafeMutablePointer(to: &self) { stream in
      guard let file = sf_open_virtual(&access, Int32(SFM_READ), &info, stream) else { return nil }
      defer { sf_close(file) }
      let isOgg = info.format & Int32(SF_FORMAT_TYPEMASK) == SF_FORMAT_OGG
      guard isOgg, info.channels == 1, info.frames > 0, info.frames <= mostWords else { return nil }
      let words = UnsafeMutablePointer<Int16>.allocate(capacity: Int(info.frames))
      guard sf_readf_short(file, words, info.frames) == info.frames else {
        words.deallocate()
        return nil
      }
      return DecodedWaves.Wave(words: UnsafePointer(words), count: Int(info.frames))
    }
  }

  private static func at(_ data: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<VorbisStream> {
    data!.assumingMemoryBound(to: VorbisStream.self)
  }

  private var count64: sf_count_t { sf_count_t(count) }

  private mutating func seek(_ offset: sf_count_t, _ origin: Int32) -> sf_count_t {
    let base = origin == SEEK_SET ? 0 : origin == SEEK_CUR ? place : count
    let (wanted, overflows) = base.addingReportingOverflow(Int(offset))
    if !overflows, (0...count).contains(wanted) { place = wanted }
    return sf_count_t(place)
  }

  private mutating func read(into memory: UnsafeMutableRawPointer?, _ wanted: sf_count_t) -> sf_count_t {
    let length = max(0, min(Int(wanted), count - place))
    memory?.copyMemory(from: start + place, byteCount: length)
    place += length
    return sf_count_t(length)
  }
}
