import CSynthGcrypt
import Glibc
import SynthFiles

/// The SHA-256 of a file, in hexadecimal digits. (FIPS 180-4, by libgcrypt: 1.5 GB/s where the processor helps, and a
/// song's rendering is 290 KB a second)
enum FileDigest {
  private static let begin: Void = gcrypt_begin()

  static func of(_ bytes: [UInt8]) -> String {
    begin
    var digest = [UInt8](repeating: 0, count: 32)
    gcry_md_hash_buffer(Int32(GCRY_MD_SHA256.rawValue), &digest, bytes, bytes.count)
    return text(digest)
  }

  /// Nil for what cannot be read.
  static func ofFile(_ path: String) -> String? {
    begin
    guard let file = try? OutsideFile(path: path) else { return nil }
    var digest: gcry_md_hd_t?
    guard gcry_md_open(&digest, Int32(GCRY_MD_SHA256.rawValue), 0) == 0 else { return nil }
    defer { gcry_md_close(digest) }
    var block = [UInt8](repeating: 0, count: 1 << 17)
    while true {
      let count = read(file.descriptor, &block, block.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      gcry_md_write(digest, block, count)
    }
    guard let bytes = gcry_md_read(digest, Int32(GCRY_MD_SHA256.rawValue)) else { return nil }
    return text(Array(UnsafeBufferPointer(start: bytes, count: 32)))
  }

  private static func text(_ digest: [UInt8]) -> String {
    digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
