@preconcurrency import Glibc

/// Standard input as it is while sound is played: never waited for longer than a moment, and read no faster than what
/// it says is done.
enum StandardInput {
  /// Asked for before anything is opened: a file that is opened later may get the number of one that was closed.
  static let isOpen = fcntl(STDIN_FILENO, F_GETFD) >= 0
  static let isTerminal = isOpen && isatty(STDIN_FILENO) != 0

  /// What can be read at once, at most `count` bytes: empty for nothing yet, nil at the end.
  ///
  /// - Parameter milliseconds: how long it may take for something to come.
  static func read(atMost count: Int, waiting milliseconds: Int32) -> [UInt8]? {
    var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, milliseconds) > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    let result = bytes.withUnsafeMutableBytes { Glibc.read(STDIN_FILENO, $0.baseAddress, count) }
    if result < 0, errno == EINTR || errno == EAGAIN { return [] }
    return result > 0 ? Array(bytes.prefix(result)) : nil
  }
}
