@preconcurrency import Glibc

/// The file system as the presets need it: whole small files and the names in a directory.
enum PresetFile {
  /// The largest file that is read; a preset has less than a kilobyte.
  static let sizeLimit = 1 << 16

  static func bytes(at path: String) throws(PresetError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: sizeLimit + 1)
    var count = 0
    while count < bytes.count {
      let result = bytes.withUnsafeMutableBytes {
        read(descriptor, $0.baseAddress.map { $0 + count }, $0.count - count)
      }
      if result < 0 {
        if errno == EINTR { continue }
        throw failure(path)
      }
      if result == 0 { return Array(bytes[..<count]) }
      count += result
    }
    throw .unreadable(path: path, reason: "the file is larger than 64 KiB")
  }

  /// The names of the files in a directory that end in ".json", without that ending, sorted; none if it is not there.
  static func names(in directory: String) -> [String] {
    directoryEntries(directory)
      .filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
      .map { String($0.dropLast(5)) }
      .sorted()
  }

  /// The file that `reference` is the path of, if it contains "/" or ends in ".json"; else the first of that name in the
  /// directories. nil if there is none.
  static func locate(_ reference: String, in directories: [String]) -> (name: String, path: String)? {
    if reference.utf8.contains(UInt8(ascii: "/")) || reference.hasSuffix(".json") {
      let file = reference.split(separator: "/").last ?? ""
      return (String(file.hasSuffix(".json") ? file.dropLast(5) : file), reference)
    }
    guard !reference.isEmpty, !reference.utf8.contains(0) else { return nil }
    return directories.lazy.map { "\($0)/\(reference).json" }.first(where: exists).map { (reference, $0) }
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  private static func failure(_ path: String) -> PresetError {
    let reason = strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
    return .unreadable(path: path, reason: reason.prefix(1).lowercased() + reason.dropFirst())
  }
}
