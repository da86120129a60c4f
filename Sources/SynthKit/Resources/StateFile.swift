import Glibc
import SynthFiles

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
    return path("HOME").flatMap { access($0.cPath, F_OK) == 0 ? "\($0)/.local/state/synth" : nil }
  }

  /// That of the running program.
  package static var directory: String? { directory(processEnvironment()) }

  /// Replaces a file as a whole. Directories that are missing are made, for their owner alone. [control thread]
  package static func write(_ bytes: [UInt8], to path: String) throws(StateFileError) {
    try makeDirectory(path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "")
    do throws(FileProblem) {
      try WholeFile.write(bytes, to: path, mode: 0o600)
    } catch {
      throw StateFileError(path: path, reason: error.reason)
    }
  }

  /// Deletes a file. [control thread]
  static func delete(_ path: String) throws(StateFileError) {
    do throws(FileProblem) {
      try WholeFile.delete(path)
    } catch {
      throw StateFileError(path: path, reason: error.reason)
    }
  }

  /// Makes a directory and those above it that are missing, for their owner alone. [control thread]
  static func makeDirectory(_ path: String) throws(StateFileError) {
    if path.isEmpty || access(path.cPath, F_OK) == 0 { return }
    if let end = path.lastIndex(of: "/") { try makeDirectory(String(path[..<end])) }
    guard mkdir(path.cPath, 0o700) == 0 || errno == EEXIST else {
      throw StateFileError(path: path, reason: systemText(errno))
    }
  }
}

/// Why a state file is not written.
package struct StateFileError: Error, Equatable, CustomStringConvertible {
  let path: String
  let reason: String

  package var description: String { "writing \(path): \(reason); make room there, or let its owner write there" }
}
