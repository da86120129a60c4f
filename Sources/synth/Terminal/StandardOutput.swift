@preconcurrency import Glibc

/// Standard output, as far as it is printed to.
enum StandardOutput {
  /// Writes what has been printed, and finds out whether it arrived. A reader that has seen enough is no fault.
  static func finish() throws(StandardOutputError) {
    guard fflush(stdout) != 0 || ferror(stdout) != 0, errno != EPIPE else { return }
    throw StandardOutputError(reason: String(cString: strerror(errno)))
  }
}

/// What was printed is lost.
struct StandardOutputError: Error, CustomStringConvertible {
  let reason: String

  var description: String { "writing standard output: \(reason.prefix(1).lowercased() + reason.dropFirst())" }
}
