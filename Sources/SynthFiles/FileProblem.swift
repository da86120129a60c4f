import Glibc

/// Why a file is not read or written.
package enum FileProblem: Error, Equatable, Sendable {
  /// The system refuses it; an errno value.
  case system(Int32)
  /// It is something else than a regular file, in words: "a named pipe".
  case notRegular(String)
  /// It has more bytes than `limit`.
  case tooLarge(limit: Int)

  /// What is wrong, for the middle of a sentence: "no such file or directory".
  package var reason: String {
    switch self {
    case .system(let code): systemText(code)
    case .notRegular(let kind): "it is \(kind), not a regular file"
    case .tooLarge(let limit):
      "the file is larger than \(limit < 1 << 20 ? "\(limit >> 10) KiB" : "\(limit >> 20) MiB")"
    }
  }
}

/// What an errno value means, in the system's words and lower case. [any thread]
package func systemText(_ code: Int32) -> String {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
    guard let start = buffer.baseAddress, strerror_r(code, start, buffer.count) == 0 else { return "error \(code)" }
    return String(cString: start).lowercased()
  }
}
