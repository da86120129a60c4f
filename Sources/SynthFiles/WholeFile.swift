import Glibc

/// Files that are written as a whole: under another name first, so that a power cut, a full disk or a kill leaves the
/// old file or the new one. [control thread]
package enum WholeFile {
  /// Puts a file in the place of the one that is there, whose permissions it takes over. What a symbolic link names is
  /// replaced, not the link; a pipe or a device is written to directly.
  ///
  /// - Parameter mode: the permissions of a file that is new, less the process's mask.
  package static func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o666) throws(FileProblem) {
    guard !path.utf8.contains(0) else { throw .system(EINVAL) }
    var status = stat()
    let isThere = stat(path.cPath, &status) == 0
    guard !isThere || status.st_mode & S_IFMT == S_IFREG else {
      let descriptor = open(path.cPath, O_WRONLY | O_CLOEXEC | O_NOCTTY)
      guard descriptor >= 0 else { throw .system(errno) }
      defer { close(descriptor) }
      return try writeAll(bytes, to: descriptor)
    }
    var target = path
    if isThere, let real = realpath(path.cPath, nil) {
      target = String(path: real)
      free(real)
    }
    let folder = target.lastIndex(of: "/").map { String(target[...$0]) } ?? ""
    let part = "\(folder).synth-\(getpid())-\(UInt64.random(in: 0 ... .max)).new"
    do throws(FileProblem) {
      try writeNew(bytes, to: part, mode: mode, like: isThere ? status.st_mode & 0o7777 : nil)
      guard rename(part.cPath, target.cPath) == 0 else { throw .system(errno) }
    } catch {
      unlink(part.cPath)
      throw error
    }
    sync(folder)
  }

  /// Deletes a file, and waits until that is on the disk.
  package static func delete(_ path: String) throws(FileProblem) {
    guard unlink(path.cPath) == 0 else { throw .system(errno) }
    sync(path.lastIndex(of: "/").map { String(path[...$0]) } ?? "")
  }

  /// All bytes, in as many calls as the system wants. (write)
  package static func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(FileProblem) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done) }
      guard count >= 0 || errno == EINTR else { throw .system(errno) }
      done += max(count, 0)
    }
  }

  private static func writeNew(
    _ bytes: [UInt8], to path: String, mode: mode_t, like present: mode_t?
  ) throws(FileProblem) {
    let descriptor = open(path.cPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw .system(errno) }
    do throws(FileProblem) {
      if let present { fchmod(descriptor, present) }
      try writeAll(bytes, to: descriptor)
      // EINVAL: some file systems have no disk to wait for.
      guard fsync(descriptor) == 0 || errno == EINVAL else { throw .system(errno) }
    } catch {
      close(descriptor)
      throw error
    }
    // Network file systems report a full disk only now.
    guard close(descriptor) == 0 else { throw .system(errno) }
  }

  /// Waits until a folder's entries are on the disk; "" is the present one.
  private static func sync(_ folder: String) {
    let descriptor = open((folder.isEmpty ? "." : folder).cPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}
