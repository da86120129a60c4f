import Glibc
import SynthFiles

// While a file has its temporary name, its writer holds a lock on it: so much a killed program cannot do, on this
// machine or another one, whatever numbers their processes have.

extension AudioFileWriter {
  /// Removes the temporary files that killed programs have left in a directory; "" is the present one. (flock)
  public static func removeLeftovers(in directory: String) {
    guard let stream = opendir((directory.isEmpty ? "." : directory).cPath) else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 1) { String(path: $0) }
      }
      guard name.hasPrefix(FileSink.temporaryPrefix), name.hasSuffix(FileSink.temporarySuffix) else { continue }
      let descriptor = openat(dirfd(stream), name.cPath, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlinkat(dirfd(stream), name.cPath, 0) }
      close(descriptor)
    }
  }
}

extension FileSink {
  static let temporaryPrefix = ".synth-"
  static let temporarySuffix = ".part"

  /// Locks a file that was just created; false if it was taken for a leftover meanwhile.
  static func lock(_ descriptor: Int32) -> Bool {
    // Where a file system has no locks, nothing is removed either.
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 { return errno != EWOULDBLOCK }
    var status = stat()
    return fstat(descriptor, &status) != 0 || status.st_nlink > 0
  }
}
