import Glibc

/// A regular file whose name came from outside, opened for reading so that nothing waits: a named pipe without a
/// writer, a device or a socket is refused before it is opened. [control thread]
package struct OutsideFile: ~Copyable {
  /// For reading; it stays non-blocking, because some files of /proc wait for what is not there yet.
  package let descriptor: Int32
  /// Bytes, as the system reports them: 0 for a pipe and for files of /proc, and a file may grow.
  package let byteCount: Int

  /// What may be opened beside regular files.
  package enum Pipes {
    /// Nothing.
    case refused
    /// The pipes that the program was started with, such as `/dev/stdin` or `/dev/fd/63`.
    case ofTheProgram
  }

  /// Opens a file. (stat, open, fstat)
  package init(path: String, pipes: Pipes = .refused) throws(FileProblem) {
    var status = stat()
    // A path with a NUL byte would be cut there.
    guard !path.utf8.contains(0) else { throw .system(EINVAL) }
    // To open a device can change it, as with tapes and watchdogs.
    guard stat(path.cPath, &status) == 0 else { throw .system(errno) }
    let isPipe = pipes == .ofTheProgram && ["/dev/", "/proc/"].contains(where: path.hasPrefix)
    try Self.check(status, isPipeTaken: isPipe)
    let descriptor = open(path.cPath, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw .system(errno) }
    do throws(FileProblem) {
      // It may have been replaced in between.
      guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
      try Self.check(status, isPipeTaken: isPipe)
    } catch {
      close(descriptor)
      throw error
    }
    // What is piped in is waited for.
    if status.st_mode & S_IFMT == S_IFIFO { _ = fcntl(descriptor, F_SETFL, 0) }
    (self.descriptor, byteCount) = (descriptor, Int(status.st_size))
  }

  private static func check(_ status: stat, isPipeTaken: Bool) throws(FileProblem) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw .system(EISDIR)
    case S_IFIFO where isPipeTaken: break
    case S_IFIFO: throw .notRegular("a named pipe")
    case S_IFSOCK: throw .notRegular("a socket")
    default: throw .notRegular("a device")
    }
  }

  deinit { close(descriptor) }

  /// Hands over the descriptor, which the caller then closes.
  package consuming func takeDescriptor() -> Int32 {
    let descriptor = descriptor
    discard self
    return descriptor
  }

  /// The whole file from where it was read last. Memory is taken for what is there, not for what is promised.
  ///
  /// - Throws: `tooLarge` where it has more than `limit` bytes, without reading more than that.
  package borrowing func bytes(limit: Int) throws(FileProblem) -> [UInt8] {
    guard byteCount <= limit else { throw .tooLarge(limit: limit) }
    // One more than are expected, so that the end is seen without another piece.
    var capacity = byteCount == 0 ? Self.piece : byteCount + 1
    var bytes: [UInt8] = []
    while true {
      let next = try piece(capacity)
      if next.isEmpty { return bytes }
      if bytes.isEmpty { bytes = next } else { bytes += next }
      guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
      capacity = Self.piece
    }
  }

  /// At most `count` bytes from its beginning, fewer where it is shorter or cannot be read. (pread)
  package borrowing func head(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      used = max(0, pread(descriptor, buffer.baseAddress, count, 0))
    }
  }

  /// Bytes that lie on the disk: without the holes of a sparse file. (SEEK_DATA, SEEK_HOLE of lseek)
  package borrowing func storedByteCount() -> Int {
    var (place, count) = (0, 0)
    while case let start = lseek(descriptor, place, Self.toData), start >= 0 {
      let end = lseek(descriptor, start, Self.toHole)
      guard end > start else { break }
      count += end - start
      place = end
    }
    lseek(descriptor, 0, SEEK_SET)
    return count
  }

  /// SEEK_DATA and SEEK_HOLE, which the headers have for GNU sources alone.
  private static let (toData, toHole): (Int32, Int32) = (3, 4)
  private static let piece = 1 << 16

  private borrowing func piece(_ capacity: Int) throws(FileProblem) -> [UInt8] {
    var failure: Int32 = 0
    let piece = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      var received = 0
      repeat {
        received = read(descriptor, buffer.baseAddress, capacity)
      } while received < 0 && errno == EINTR
      if received < 0 { failure = errno }
      count = max(received, 0)
    }
    guard failure == 0 else { throw .system(failure) }
    return piece
  }
}
