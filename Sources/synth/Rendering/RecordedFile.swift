import Glibc
import SynthFiles
import SynthText

/// A rendered file as a manifest has it, by which it is known again.
struct RecordedFile {
  let path: String
  private let digest: String
  private let size: Double
  private let modified: String

  /// Nil for what is no file, and for what cannot be read.
  init?(path: String) {
    guard let file = Self.look(at: path), let digest = FileDigest.ofFile(path) else { return nil }
    self.path = path
    self.digest = digest
    (size, modified) = (Double(file.size), file.modified)
  }

  /// Nil for an object that is no record of a file.
  init?(_ value: JSONValue) {
    guard let path = value["output"]?.text, let digest = value["outputSHA256"]?.text,
      let modified = value["outputModified"]?.text, case .number(let size) = value["outputBytes"]?.content
    else { return nil }
    (self.path, self.digest, self.size, self.modified) = (path, digest, size, modified)
  }

  var members: [(String, JSONValue)] {
    [
      ("output", .string(path)), ("outputSHA256", .string(digest)), ("outputBytes", .number(size)),
      ("outputModified", .string(modified)),
    ]
  }

  /// Whether the file is there and as it was.
  var isThere: Bool {
    guard let file = Self.look(at: path), Double(file.size) == size else { return false }
    return file.modified == modified || FileDigest.ofFile(path) == digest
  }

  private static func look(at path: String) -> (size: Int, modified: String)? {
    var status = stat()
    guard stat(path.cPath, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let nanoseconds = String(status.st_mtim.tv_nsec)
    let zeros = String(repeating: "0", count: 9 - nanoseconds.count)
    return (Int(status.st_size), "\(status.st_mtim.tv_sec).\(zeros)\(nanoseconds)")
  }
}
