import CSynthGcrypt

/// The page, and what a browser may do with it: run the script and the style that are in it, and nothing else.
struct WebPage: Sendable {
  let bytes: [UInt8]
  /// The value of the header Content-Security-Policy.
  let policy: String

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    policy =
      "default-src 'none'; script-src \(Self.source(of: "script", in: bytes)); "
      + "style-src \(Self.source(of: "style", in: bytes)); connect-src 'self'; img-src data:; base-uri 'none'; "
      + "form-action 'none'; frame-ancestors 'none'"
  }

  /// The digest of what stands in an element, as the policy names it; the page has one of each.
  private static func source(of element: String, in bytes: [UInt8]) -> String {
    guard let start = bytes.firstRange(of: Array("<\(element)>".utf8))?.upperBound,
      let end = bytes[start...].firstRange(of: Array("</\(element)>".utf8))?.lowerBound
    else { return "'none'" }
    gcrypt_begin()
    var digest = [UInt8](repeating: 0, count: 32)
    bytes[start..<end].withUnsafeBytes {
      gcry_md_hash_buffer(Int32(GCRY_MD_SHA256.rawValue), &digest, $0.baseAddress, $0.count)
    }
    return "'sha256-\(base64(digest))'"
  }

  static func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let three = bytes[start..<min(start + 3, bytes.count)]
      let bits = (0..<3).reduce(0) { $0 << 8 | ($1 < three.count ? Int(three[start + $1]) : 0) }
      for place in 0..<4 {
        text.append(place <= three.count ? digits[bits >> (18 - 6 * place) & 63] : "=")
      }
    }
    return text
  }
}
