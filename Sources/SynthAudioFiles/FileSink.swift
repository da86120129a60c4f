import Glibc
import Synchronization
import SynthFiles

/// A file, pipe or device being written.
///
/// A regular file is written under a temporary name beside its target and renamed when complete, so that a failure
/// leaves no incomplete file and keeps an older one; or, where `AudioFileNaming` says so, under its own name. Pipes and
/// devices are written directly.
package final class FileSink {
  /// The name for messages.
  let path: String
  /// Whether it can be rewritten: not for pipes, devices, and a file that the shell appends to (`>>`).
  let isSeekable: Bool
  /// The errno value of the first write that failed; 0 before that.
  private(set) var failure: Int32 = 0

  /// The offset at which the write that failed began.
  private var failurePlace: off_t = 0

  private let descriptor: Int32
  private let place: Place
  /// The offset of our first byte: standard output may be a file that is not empty.
  private var origin: off_t
  private var isOpen = true

  private enum Place {
    case standardOutput
    case direct
    case replacing(target: String, temporary: String)
    case keeping
  }

  /// Whether it creates a regular file.
  var isReplacing: Bool {
    if case .replacing = place { true } else { false }
  }

  /// Whether what was written is kept whatever happens.
  var isKeeping: Bool {
    if case .keeping = place { true } else { false }
  }

  private static let serial = Atomic(0)

  /// Opens `path` for writing; `-` is standard output.
  package init(path: String, naming: AudioFileNaming = .whenWhole) throws(AudioFileError) {
    self.path = path == "-" ? "standard output" : path
    (place, descriptor) = try Self.open(path, naming)
    var status = stat()
    let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    isSeekable = isFile && fcntl(descriptor, F_GETFL) & O_APPEND == 0
    origin = isSeekable ? lseek(descriptor, 0, SEEK_CUR) : 0
  }

  deinit { discard() }

  private static func open(_ path: String, _ naming: AudioFileNaming) throws(AudioFileError) -> (Place, Int32) {
    while true {
      let place = try Self.place(of: path, naming)
      let descriptor =
        switch place {
        case .standardOutput: STDOUT_FILENO
        // What is recorded live does not wait until somebody reads a pipe.
        case .direct: Glibc.open(path.cPath, O_WRONLY | O_CLOEXEC | O_NOCTTY | (naming == .atOnce ? O_NONBLOCK : 0))
        case .replacing(_, let temporary): Glibc.open(temporary.cPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        case .keeping: Glibc.open(path.cPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        }
      if descriptor < 0, errno == ENXIO {
        throw .unsupported(path: path, reason: "nobody reads the pipe — start the program that reads it first")
      }
      if descriptor < 0 { throw .cannotCreate(path: path, code: errno) }
      guard case .replacing = place, !lock(descriptor) else { return (place, descriptor) }
      close(descriptor)
    }
  }

  /// A target that exists is followed through symbolic links, and must be writable as if it were written to.
  private static func place(of path: String, _ naming: AudioFileNaming) throws(AudioFileError) -> Place {
    if path == "-" { return .standardOutput }
    var target = path
    var status = stat()
    if stat(path.cPath, &status) == 0 {
      if status.st_mode & S_IFMT == S_IFDIR { throw .cannotCreate(path: path, code: EISDIR) }
      if status.st_mode & S_IFMT != S_IFREG { return .direct }
      if naming == .atOnce { throw .cannotCreate(path: path, code: EEXIST) }
      if access(path.cPath, W_OK) != 0 { throw .cannotCreate(path: path, code: errno) }
      guard let resolved = realpath(path.cPath, nil) else { throw .cannotCreate(path: path, code: errno) }
      target = String(path: resolved)
      free(resolved)
    }
    if naming == .atOnce { return .keeping }
    let directory = target.lastIndex(of: "/").map { String(target[...$0]) } ?? ""
    let number = serial.add(1, ordering: .relaxed).newValue
    return .replacing(
      target: target, temporary: "\(directory)\(temporaryPrefix)\(getpid())-\(number)\(temporarySuffix)")
  }

  /// Writes all bytes: the count written, less only after a failure, which `failure` keeps.
  @discardableResult
  func write(_ bytes: UnsafeRawPointer, count: Int) -> Int {
    if !isOpen { failure = EBADF }
    var done = 0
    while done < count && failure == 0 {
      let written = Glibc.write(descriptor, bytes + done, count - done)
      if written >= 0 {
        done += written
      } else if errno == EAGAIN {
        waitForRoom()
      } else if errno != EINTR {
        failure = errno
        failurePlace = lseek(descriptor, 0, SEEK_CUR) - off_t(done)
      }
    }
    return done
  }

  /// Standard output may be non-blocking. (poll)
  private func waitForRoom() {
    var output = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    poll(&output, 1, -1)
  }

  /// Writes all bytes; `failure` keeps a failure.
  package func write(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { if let base = $0.baseAddress { write(base, count: bytes.count) } }
  }

  /// Writes bytes that come before what is then the first byte.
  func writeHead(_ bytes: [UInt8]) {
    write(bytes)
    if isSeekable { origin += off_t(bytes.count) }
  }

  /// Overwrites the file's first bytes, and moves to its end.
  func rewrite(_ bytes: [UInt8]) {
    _ = seek(0, from: SEEK_SET)
    write(bytes)
    _ = seek(0, from: SEEK_END)
  }

  /// Overwrites bytes of the file, the first ones if nothing else is said, and stays where it is. (pwrite)
  func overwrite(_ bytes: [UInt8], at offset: Int = 0) {
    if pwrite(descriptor, bytes, bytes.count, origin + off_t(offset)) != bytes.count, failure == 0 { failure = errno }
  }

  /// Takes back the write that failed, and forgets the failure, so that the file can be put in order; the failure.
  /// (ftruncate)
  func recover() -> Int32 {
    defer { failure = 0 }
    if failure != 0, ftruncate(descriptor, failurePlace) == 0 { lseek(descriptor, failurePlace, SEEK_SET) }
    return failure
  }

  /// Bytes at an offset from the first; fewer at the file's end. (pread)
  func bytes(at offset: Int, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      used = max(0, pread(descriptor, buffer.baseAddress, count, origin + off_t(offset)))
    }
  }

  /// Reads from the present offset. (read)
  func read(_ bytes: UnsafeMutableRawPointer, count: Int) -> Int { max(0, Glibc.read(descriptor, bytes, count)) }

  /// Moves to an offset from our first byte, from here or from the end; the new offset, or -1. (lseek)
  func seek(_ offset: Int, from whence: Int32) -> Int {
    let position = lseek(descriptor, whence == SEEK_SET ? origin + offset : offset, whence)
    return position < 0 ? -1 : position - origin
  }

  /// Bytes from our first to the end of the file. (fstat)
  var length: Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? status.st_size - origin : 0
  }

  /// Closes the file and gives it its name; after a failure there is no file, unless what was written is kept.
  package func commit() throws(AudioFileError) {
    guard isOpen else { return }
    defer { discard() }
    if failure != 0 { throw AudioFileError(writing: path, code: failure) }
    guard case .replacing(let target, let temporary) = place else { return }
    isOpen = false
    // The lock is held until the file has its name.
    let lock = dup(descriptor)
    defer { if lock >= 0 { close(lock) } }
    // Network file systems report a full disk only now.
    if close(descriptor) != 0 || rename(temporary.cPath, target.cPath) != 0 {
      let code = errno
      unlink(temporary.cPath)
      throw AudioFileError(writing: path, code: code)
    }
  }

  /// Closes the file and removes it if its name is temporary, or it has no bytes.
  func discard() {
    guard isOpen else { return }
    isOpen = false
    switch place {
    case .keeping:
      if length == 0 { unlink(path.cPath) }
      close(descriptor)
    case .standardOutput: break
    case .direct: close(descriptor)
    case .replacing(_, let temporary):
      close(descriptor)
      unlink(temporary.cPath)
    }
  }
}
