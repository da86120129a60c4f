import CSynthMapping
import Glibc
import SynthFiles

/// The bytes of a font: a mapped file, whose pages come in as they are touched, or a copy in memory. Nothing beyond
/// their end is read.
///
/// A file that another program shortens while it is mapped takes its pages with it, which are read as zeros then; those
/// who replace a font should write another file and rename it.
final class FontBytes: @unchecked Sendable {
  let start: UnsafeRawPointer
  let count: Int
  private let isMapped: Bool

  /// Maps a file. (mmap)
  init(path: String) throws(SoundFontError) {
    let file: OutsideFile
    do throws(FileProblem) {
      file = try OutsideFile(path: path)
    } catch {
      throw SoundFontError(error, path: path)
    }
    // Empty files cannot be mapped.
    guard file.byteCount >= 12 else { throw SoundFontError(.notASoundFont, path: path) }
    count = file.byteCount
    guard let pages = mmap(nil, count, PROT_READ, MAP_PRIVATE, file.descriptor, 0), pages != MAP_FAILED else {
      throw SoundFontError(.cannotOpen(code: errno), path: path)
    }
    guard mapping_watch(pages, count) else {
      munmap(pages, count)
      throw SoundFontError(.cannotOpen(code: ENOMEM), path: path)
    }
    start = UnsafeRawPointer(pages)
    isMapped = true
  }

  /// Copies bytes.
  init(_ bytes: [UInt8]) {
    let copy = UnsafeMutableRawPointer.allocate(byteCount: max(bytes.count, 1), alignment: 16)
    bytes.withUnsafeBytes { copy.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(copy), byteCount: $0.count) }
    start = UnsafeRawPointer(copy)
    count = bytes.count
    isMapped = false
  }

  deinit {
    if isMapped {
      mapping_forget(start)
      munmap(UnsafeMutableRawPointer(mutating: start), count)
    } else {
      start.deallocate()
    }
  }

  /// Gives the pages of a mapped file back to the system, which has them come in again as they are touched. (madvise)
  func releasePages() {
    if isMapped { madvise(UnsafeMutableRawPointer(mutating: start), count, MADV_DONTNEED) }
  }

  /// The byte at a place; 0 beyond the end.
  func byte(_ place: Int) -> UInt8 {
    place >= 0 && place < count ? start.load(fromByteOffset: place, as: UInt8.self) : 0
  }

  /// Two bytes, the low one first; 0 beyond the end.
  func word(_ place: Int) -> UInt16 {
    guard place >= 0, place <= count - 2 else { return 0 }
    return UInt16(littleEndian: start.loadUnaligned(fromByteOffset: place, as: UInt16.self))
  }

  /// Four bytes, the low one first; 0 beyond the end.
  func long(_ place: Int) -> UInt32 {
    guard place >= 0, place <= count - 4 else { return 0 }
    return UInt32(littleEndian: start.loadUnaligned(fromByteOffset: place, as: UInt32.self))
  }

  /// Whether the four letters are at a place.
  func hasTag(_ tag: String, at place: Int) -> Bool {
    place >= 0 && place <= count - 4 && tag.utf8.enumerated().allSatisfy { byte(place + $0) == $1 }
  }

  /// Text up to the first zero: UTF-8, or else Latin 1. Control characters become spaces; none are at either end.
  func text(_ range: Range<Int>) -> String {
    let bytes = range.clamped(to: 0..<count).lazy.map(byte).prefix { $0 != 0 }
    let scalars =
      String(validating: bytes, as: UTF8.self).map { Array($0.unicodeScalars) } ?? bytes.map(Unicode.Scalar.init)
    let printable = scalars.map { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) ? " " : $0 }
    var text = String.UnicodeScalarView(printable.drop { $0 == " " })
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
