@preconcurrency import Glibc

/// Files in which a program keeps what is to be there at its next start: each is replaced as a whole, so that a power
/// cut, a full disk or a kill leaves the old one or the new one.
package enum StateFile {
  /// `$STATE_DIRECTORY`, which systemd sets for a service, else `$XDG_STATE_HOME/synth`, else `~/.local/state/synth`;
  /// nil where there is none of them, nor a home directory.
  package static func directory(_ environment: [String: String]) -> String? {
    func path(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    // Of several, which stand between colons, the first.
    if let service = path("STATE_DIRECTORY") { return String(service.prefix { $0 != ":" }) }
    if let state = path("XDG_STATE_HOME") { return "\(state)/synth" }
    // Who has no home directory, as some service accounts, is not given one.
    return path("HOME").flatMap { access($0, F_OK) == 0 ? "\($0)/.local/state/synth" : nil }
  }

  /// That of the running program.
  package static var directory: String? { directory(processEnvironment()) }

  /// Writes a file beside the present one, waits until it is on the disk, and puts it in the other's place. Directories
  /// that are missing are made, for their owner alone. [control thread]
  package static func write(_ bytes: [UInt8], to path: String) throws(StateFileError) {
    let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let name = path.split(separator: "/").last ?? ""
    try makeDirectory(directory)
    let temporary = "\(directory)/.\(name).\(getpid())"
    do throws(StateFileError) {
      try writeNew(bytes, to: temporary)
      guard rename(temporary, path) == 0 else { throw StateFileError(path: path) }
    } catch {
      unlink(temporary)
      throw StateFileError(path: path, reason: error.reason)
    }
    sync(directory)
  }

  /// Deletes a file; false where it cannot be deleted. [control thread]
  static func delete(_ path: String) throws(StateFileError) {
    guard unlink(path) == 0 else { throw StateFileError(path: path) }
    sync(path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ".")
  }

  /// Makes a directory and those above it that are missing, for their owner alone. [control thread]
  static func makeDirectory(_ path: String) throws(StateFileError) {
    if path.isEmpty || access(path, F_OK) == 0 { return }
    if let end = path.lastIndex(of: "/") { try makeDirectory(String(path[..<end])) }
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw StateFileError(path: path) }
  }

  private static func writeNew(_ bytes: [UInt8], to path: String) throws(StateFileError) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw StateFileError(path: path) }
    defer { close(file) }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress.map { $0 + written }, $0.count - written) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw StateFileError(path: path) }
      written += count
    }
    guard fsync(file) == 0 else { throw StateFileError(path: path) }
  }

  /// Waits until a directory's entries are on the disk.
  private static func sync(_ directory: String) {
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}

/// Why a state file is not written.
package struct StateFileError: Error, Equatable, CustomStringConvertible {
  let path: String
  let reason: String

  init(path: String, reason: String) { (self.path, self.reason) = (path, reason) }

  /// By `errno`.
  init(path: String) {
    let reason = strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
    self.init(path: path, reason: reason.prefix(1).lowercased() + reason.dropFirst())
  }

  package var description: String { "writing \(path): \(reason); make room there, or let its owner write there" }
}
