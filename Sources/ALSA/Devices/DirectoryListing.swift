import Glibc

// Directories and small files of /proc and /dev, read without Foundation.

/// The names in a directory, unordered; empty if it cannot be read. (readdir)
package func directoryEntries(_ path: String) -> [String] {
  guard let directory = opendir(path) else { return [] }
  defer { closedir(directory) }
  var names: [String] = []
  while let entry = readdir(directory) {
    let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    if name != "." && name != ".." { names.append(name) }
  }
  return names
}

/// The target of a symbolic link; nil if the path is not a link or cannot be read. (readlink)
func linkTarget(_ path: String) -> String? {
  withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(PATH_MAX)) { buffer in
    guard let base = buffer.baseAddress else { return nil }
    let length = readlink(path, base, buffer.count)
    return length < 0 ? nil : String(decoding: buffer.prefix(length), as: UTF8.self)
  }
}

/// The first 4096 bytes of a file; nil if it cannot be read.
func smallFile(_ path: String) -> String? {
  let file = open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return nil }
  defer { close(file) }
  return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4096) { buffer in
    let length = read(file, buffer.baseAddress, buffer.count)
    return length < 0 ? nil : String(decoding: buffer.prefix(length), as: UTF8.self)
  }
}

/// /dev/snd, the directory of the kernel's sound devices.
package enum SoundDirectory {
  /// Whether this user may not open any of the cards: alsa-lib then reports that the card does not exist.
  package static func isDenied(_ path: String = "/dev/snd") -> Bool {
    let controls = directoryEntries(path).filter { $0.hasPrefix("controlC") }
    return !controls.isEmpty && controls.allSatisfy { access("\(path)/\($0)", R_OK | W_OK) != 0 }
  }
}
