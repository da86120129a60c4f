import Glibc

/// Whose processes use a socket, in the kernel's words.
enum SocketUser {
  /// The user whose process is connected to a socket; nil where the kernel does not tell. (socket(7), SO_PEERCRED)
  static func connected(to descriptor: Int32) -> uid_t? {
    var credentials: (process: pid_t, user: uid_t, group: gid_t) = (0, 0, 0)
    var size = socklen_t(MemoryLayout.size(ofValue: credentials))
    let code = getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size)
    return code == 0 && credentials.process != 0 ? credentials.user : nil
  }

  /// The user whose process has sent a datagram, of the control data that came with it; nil where that does not say so.
  /// (unix(7), SCM_CREDENTIALS)
  static func sender(in control: Slice<UnsafeRawBufferPointer>) -> uid_t? {
    let control = UnsafeRawBufferPointer(rebasing: control)
    let head = MemoryLayout<cmsghdr>.size
    guard control.count >= head + 3 * MemoryLayout<Int32>.size else { return nil }
    let message = control.loadUnaligned(as: cmsghdr.self)
    guard message.cmsg_level == SOL_SOCKET, message.cmsg_type == 2 else { return nil }
    // Behind the process's number.
    return control.loadUnaligned(fromByteOffset: head + MemoryLayout<pid_t>.size, as: uid_t.self)
  }

  /// Whether a user may do all here: this one, or the one who may do everything anyway.
  static func isTrusted(_ user: uid_t?) -> Bool { user == geteuid() || user == 0 }
}
