import CSynthRealtime
import Glibc

/// The pages of memory that samples lie in.
struct SamplePages {
  private let ranges: [Range<UInt>]
  private let pageSize = UInt(sysconf(Int32(_SC_PAGESIZE)))

  init(_ samples: some Sequence<PlayableSample>) {
    var pages: [Range<UInt>] = []
    let size = pageSize
    func add(_ start: UInt, _ count: Int) {
      pages.append(start / size * size..<(start + UInt(count) + size - 1) / size * size)
    }
    for sample in samples {
      // A loop may lie behind the end.
      let end = max(sample.end, sample.loopEnd)
      add(UInt(bitPattern: sample.words + sample.start), 2 * (end - sample.start))
      if let lowBytes = sample.lowBytes { add(UInt(bitPattern: lowBytes + sample.start), end - sample.start) }
    }
    ranges = pages.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { joined, range in
      if let last = joined.last, range.lowerBound <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
  }

  /// Reads a byte of each page, after the system has been told of all. (madvise)
  ///
  /// - Returns: the bytes of the pages.
  func touch() -> Int {
    for range in ranges {
      madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), Int(range.count), MADV_WILLNEED)
    }
    for address in ranges.lazy.flatMap({ stride(from: $0.lowerBound, to: $0.upperBound, by: Int(pageSize)) }) {
      if let page = UnsafeRawPointer(bitPattern: address) { realtime_touch(page) }
    }
    return ranges.reduce(0) { $0 + $1.count }
  }
}
