import Glibc

/// How important a line is in the system's journal, which is told by a number before each. (sd-daemon)
enum JournalPriority: Int {
  case error = 3
  case warning = 4
  case information = 6

  /// Whether standard error leads to the journal: the variable names its device and inode.
  private static let isUsed = isJournal(
    STDERR_FILENO, named: getenv("JOURNAL_STREAM").map { String(cString: $0) })

  static func isJournal(_ file: Int32, named stream: String?) -> Bool {
    var status = stat()
    guard let stream, fstat(file, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }

  /// Each line of a text with its priority, where a journal reads it.
  func marked(_ text: String) -> String { Self.isUsed ? lines(text) : text }

  private func lines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { "<\(rawValue)>\($0)" }.joined(separator: "\n")
  }
}
