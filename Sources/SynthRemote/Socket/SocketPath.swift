import Glibc
import SynthFiles

/// Where a running synth listens, and how a place there is taken.
public enum SocketPath {
  /// `$XDG_RUNTIME_DIR/synth.sock`, else in `/run/user/UID`, else in a directory of the user's own in `/tmp`.
  ///
  /// - Parameter makesDirectory: whether that last one is made where it is missing.
  /// - Throws: where it is another user's, or open to others.
  public static func standard(makesDirectory: Bool = false) throws(SocketError) -> String {
    try directory(makesDirectory: makesDirectory) + "/synth.sock"
  }

  /// The one of the standard sockets, which only this user can enter.
  package static func directory(makesDirectory: Bool = false) throws(SocketError) -> String {
    for directory in [getenv("XDG_RUNTIME_DIR").map { String(path: $0) } ?? "", "/run/user/\(getuid())"]
    where directory.hasPrefix("/") && access(directory.cPath, W_OK) == 0 { return directory }
    let directory = "/tmp/synth-\(getuid())"
    if makesDirectory { mkdir(directory, 0o700) }
    var status = stat()
    if lstat(directory, &status) == 0 {
      let isOwn = status.st_uid == getuid() && status.st_mode & S_IFMT == S_IFDIR && status.st_mode & 0o077 == 0
      guard isOwn else {
        throw SocketError("opening", directory, "it is not a directory of this user alone; remove it")
      }
    }
    return directory
  }

  /// The same with the process's number, for one more synth.
  static func another(than path: String) -> String {
    let (stem, ending) = parts(path)
    return "\(stem)-\(getpid())\(ending)"
  }

  /// "/run/synth" and ".sock".
  private static func parts(_ path: String) -> (stem: String, ending: String) {
    guard let dot = path.lastIndex(of: "."), dot > path.lastIndex(of: "/") ?? path.startIndex else { return (path, "") }
    return (String(path[..<dot]), String(path[dot...]))
  }

  /// A socket at a path, or where another process has that, at the same with this process's number. Those that killed
  /// processes have left beside it are removed.
  static func claim(
    _ path: String, datagrams: Bool = false
  ) throws(SocketError) -> (descriptor: Int32, file: SocketFile) {
    removeLeftovers(of: path)
    for place in [path, another(than: path)] {
      if let socket = try listen(at: place, datagrams: datagrams) { return (socket, SocketFile(place)) }
    }
    throw SocketError("listening at", path, "another synth does; choose another path")
  }

  /// A socket that listens at a path, which only this user may connect to; one that nothing listens at is replaced. Nil
  /// where another process listens.
  static func listen(at path: String, datagrams: Bool = false) throws(SocketError) -> Int32? {
    let (turn, _) = waitForTurn(at: path)
    defer { close(turn) }
    var status = stat()
    if lstat(path.cPath, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFSOCK else {
        throw SocketError("listening at", path, "it is there and no socket; choose another path")
      }
      guard isLeft(path) else { return nil }
      unlink(path.cPath)
    }
    let descriptor = try open(path, datagrams: datagrams)
    // The mode that the file will have. (unix(7) has bind apply the umask to it.)
    fchmod(descriptor, 0o600)
    guard try withAddress(path, { Glibc.bind(descriptor, $0, $1) }) == 0,
      datagrams || Glibc.listen(descriptor, 64) == 0
    else {
      let code = errno
      close(descriptor)
      throw SocketError("listening at", path, "\(text(code)); choose another path")
    }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    var isOn: Int32 = 1
    if datagrams { setsockopt(descriptor, SOL_SOCKET, SO_PASSCRED, &isOn, socklen_t(MemoryLayout<Int32>.size)) }
    return descriptor
  }

  /// Waits until no other program is between looking at a path and listening there: two that start at once would take
  /// each other's fresh socket for one that was left behind.
  ///
  /// - Returns: the directory, locked until it is closed, and whether it is. After a second without the lock, which
  ///   another user may hold in a directory that is open to all, it is gone on without.
  private static func waitForTurn(at path: String) -> (directory: Int32, isLocked: Bool) {
    let directory = Glibc.open(
      (path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".").cPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    var attempts = 0
    while directory >= 0, attempts < 100, flock(directory, LOCK_EX | LOCK_NB) != 0 {
      attempts += 1
      usleep(10_000)
    }
    return (directory, directory >= 0 && attempts < 100)
  }

  /// Whether nothing listens at a socket any more. One that is busy, or may not be connected to, is in use.
  private static func isLeft(_ path: String) -> Bool {
    for type in [SOCK_STREAM, SOCK_DGRAM] {
      let descriptor = socket(AF_UNIX, Int32(type.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
      defer { close(descriptor) }
      let code = (try? withAddress(path) { Glibc.connect(descriptor, $0, $1) == 0 ? 0 : errno }) ?? 0
      // EPROTOTYPE: it is of the other type.
      if code != EPROTOTYPE { return code == ECONNREFUSED }
    }
    return false
  }

  /// Removes the sockets that processes have left which were killed: "synth-812.sock". Only this user's.
  private static func removeLeftovers(of path: String) {
    let (turn, isLocked) = waitForTurn(at: path)
    defer { close(turn) }
    guard isLocked, let start = path.lastIndex(of: "/"), let list = opendir(String(path[...start]).cPath) else {
      return
    }
    defer { closedir(list) }
    let (stem, ending) = parts(path)
    while let entry = readdir(list) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(path: $0) }
      }
      let place = String(path[...start]) + name
      guard place.hasPrefix("\(stem)-"), place.hasSuffix(ending) else { continue }
      let number = place.dropFirst(stem.count + 1).dropLast(ending.count)
      var status = stat()
      guard !number.isEmpty, number.allSatisfy({ ("0"..."9").contains($0) }), lstat(place.cPath, &status) == 0,
        status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == geteuid(), isLeft(place)
      else { continue }
      unlink(place.cPath)
    }
  }

  /// A socket that is connected to what listens at a path.
  package static func connect(to path: String) throws(SocketError) -> Int32 {
    let descriptor = try open(path)
    guard try withAddress(path, { Glibc.connect(descriptor, $0, $1) }) == 0 else {
      let code = errno
      close(descriptor)
      throw SocketError(
        "connecting to", path, code == ENOENT || code == ECONNREFUSED ? "no synth runs there" : text(code))
    }
    return descriptor
  }

  private static func open(_ path: String, datagrams: Bool = false) throws(SocketError) -> Int32 {
    let type = datagrams ? SOCK_DGRAM : SOCK_STREAM
    let descriptor = socket(AF_UNIX, Int32(type.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw SocketError("opening a socket for", path, text(errno)) }
    return descriptor
  }

  static func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws(SocketError) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = path.pathBytes
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
