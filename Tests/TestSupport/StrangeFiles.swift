import Glibc

/// What may stand at a path in place of a file: a test asks that none of them is waited for.
public final class StrangeFiles: Sendable {
  /// Of all of them.
  public let folder: String
  /// "a pipe" and its path, and so on. None is a song, a sound, a font or JSON.
  public let all: [(kind: String, path: String)]

  /// - Parameter suffix: of their names, such as ".mid".
  public init(suffix: String = "") {
    var template = Array("/tmp/strange-XXXXXX".utf8CString)
    let folder = mkdtemp(&template).map { String(cString: $0) } ?? "/tmp"
    self.folder = folder
    func path(_ name: String) -> String { "\(folder)/\(name)\(suffix)" }
    mkfifo(path("pipe"), 0o600)
    mkdir(path("folder"), 0o700)
    Self.makeSocket(path("socket"))
    symlink("/dev/zero", path("zero"))
    for name in ["empty", "hole"] { close(open(path(name), O_WRONLY | O_CREAT, 0o600)) }
    // A hole takes no room on the disk; file systems that take no such size leave it empty.
    truncate(path("hole"), 1 << 40)
    symlink("/proc/kmsg", path("kernel"))
    all = ["pipe", "folder", "socket", "zero", "empty", "hole", "kernel", "missing"].map { ($0, path($0)) }
  }

  deinit {
    for (_, path) in all where unlink(path) != 0 { rmdir(path) }
    rmdir(folder)
  }

  private static func makeSocket(_ path: String) {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
