@preconcurrency import Glibc
import SynthAudioFiles
import SynthFiles

/// The one directory into which others than the owner write: by plain names, and never over what is there.
package struct RecordingDirectory: Sendable, Equatable {
  /// Nil where the program has no place for its data.
  package let path: String?

  /// - Parameter path: nil for none: nothing can be written then.
  package init(path: String?) { self.path = path }

  /// That of the running program.
  package static func standard() -> RecordingDirectory { RecordingDirectory(environment: processEnvironment()) }

  /// `recordings` in a service's `$STATE_DIRECTORY`, else in the user's data directory: `$XDG_DATA_HOME/synth`, or
  /// `~/.local/share/synth`.
  init(environment: [String: String]) {
    let isService = environment["STATE_DIRECTORY"]?.hasPrefix("/") == true
    path =
      isService
      ? StateFile.directory(environment).map { "\($0)/recordings" }
      : ResourceDirectories(environment: environment, executable: nil).user("recordings").first
  }

  /// The path of a file that is not there yet. The directory is made for its owner alone where it is missing.
  /// [control thread]
  func newFile(named name: String, command: String) throws(SynthesizerCommandError) -> String {
    if let fault = NamedStateFiles.fault(of: name) { throw .badValue(name, command: command, problem: fault) }
    guard SessionRecorder.canWrite(name) else { throw .recording(.noFile(name)) }
    guard let path else {
      throw .refused("\(command) \(name): there is no directory for it; set HOME or XDG_DATA_HOME")
    }
    do throws(StateFileError) {
      try StateFile.makeDirectory(path)
    } catch {
      throw .refused("\(command) \(name): the directory of recordings cannot be made: \(error.reason)")
    }
    // The file is created with O_EXCL; a link or a pipe of the owner's is not followed either.
    var status = stat()
    guard lstat("\(path)/\(name)".cPath, &status) != 0 else {
      throw .badValue(name, command: command, problem: "the name is taken; give another")
    }
    return "\(path)/\(name)"
  }

  /// Lets only the owner read a file that lies in it.
  func protect(_ file: String) {
    guard let path, file.hasPrefix("\(path)/") else { return }
    chmod(file.cPath, 0o600)
  }
}
