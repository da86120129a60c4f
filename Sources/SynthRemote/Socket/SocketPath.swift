import Glibc

/// Where a running synth listens, and how a place there is taken.
public enum SocketPath {
  /// `$XDG_RUNTIME_DIR/synth.sock`, else in `/run/user/UID`, else in a directory of the user's own in `/tmp`.
  ///
  /// - Parameter makesDirectory: whether that last one is made where it is missing.
  /// - Throws: where it is another user's, or open to others.
  public static func standard(makesDirectory: Bool = false) throws(SocketError) -> String {
    for directory in [getenv("XDG_RUNTIME_DIR").map { String(cString: $0) } ?? "", "/run/user/\(getuid())"]
    where directory.hasPrefix("/") && access(directory, W_OK) == 0 { return "\(directory)/synth.sock" }
    let directory = "/tmp/synth-\(getuid())"
    if makesDirectory { mkdir(directory, 0o700) }
    var status = stat()
    if lstat(directory, &status) == 0 {
      let isOwn = status.st_uid == getuid() && status.st_mode & S_IFMT == S_IFDIR && status.st_mode & 0o077 == 0
      guard isOwn else {
        throw SocketError("opening", directory, "it is not a directory of this user alone; remove it")
      }
    }
    return "\(directory)/synth.sock"
  }

  /// The same with the process's number, for one more synth.
  static func another(than path: String) -> String {
    let stem = path.hasSuffix(".sock") ? String(path.dropLast(5)) : path
    return "\(stem)-\(getpid()).sock"
  }

  /// A socket that listens at a path, which only this user may connect to; one that nothing listens at is replaced. Nil
  /// where another process listens.
  static func listen(at path: String) throws(SocketError) -> Int32? {
    let turn = waitForTurn(at: path)
    defer { close(turn) }
    var status = stat()
    if lstat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFSOCK else {
        throw SocketError("listening at", path, "it is there and no socket; choose another path")
      }
      if let living = try? connect(to: path) {
        close(living)
        return nil
      }
      unlink(path)
    }
    let descriptor = try open(path)
    // The mode that the file will have. (unix(7) has bind apply the umask to it.)
    fchmod(descriptor, 0o600)
    guard try withAddress(path, { Glibc.bind(descriptor, $0, $1) }) == 0, Glibc.listen(descriptor, 64) == 0 else {
      let code = errno
      close(descriptor)
      throw SocketError("listening at", path, "\(text(code)); choose another path")
    }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    return descriptor
  }

  /// Waits until no other program is between looking at a path and listening there: two that start at once would take
  /// each other's fresh socket for one that was left behind.
  ///
  /// - Returns: the directory, locked until it is closed. After a second without the lock, which another user may hold
  ///   in a directory that is open to all, it is gone on without.
  private static func waitForTurn(at path: String) -> Int32 {
    let directory = Glibc.open(
      path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    var attempts = 0
    while directory >= 0, attempts < 100, flock(directory, LOCK_EX | LOCK_NB) != 0 {
      attempts += 1
      usleep(10_000)
    }
    return directory
  }

  /// A socket that is connected to what listens at a path.
  static func connect(to path: String) throws(SocketError) -> Int32 {
    let descriptor = try open(path)
    guard try withAddress(path, { Glibc.connect(descriptor, $0, $1) }) == 0 else {
      let code = errno
      close(descriptor)
      throw SocketError(
        "connecting to", path, code == ENOENT || code == ECONNREFUSED ? "no synth runs there" : text(code))
    }
    return descriptor
  }

  private static func open(_ path: String) throws(SocketError) -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw SocketError("opening a socket for", path, text(errno)) }
    return descriptor
  }

  private static func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws(SocketError) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let room = MemoryLayout.size(ofValue: address.sun_path) - 1
    guard !bytes.isEmpty, bytes.count <= room else {
      throw SocketError("using", path, "a socket's path has 1 to \(room) bytes; choose another")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }

  static func text(_ code: Int32) -> String { String(cString: strerror(code)).lowercased() }
}

/// A socket cannot be used.
public struct SocketError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String

  init(_ action: String, _ path: String, _ problem: String) { description = "\(action) \(path): \(problem)" }
}
