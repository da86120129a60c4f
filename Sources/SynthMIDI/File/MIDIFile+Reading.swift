/// Why something cannot be read as a MIDI file.
public struct MIDIFileError: Error, Hashable, Sendable {
  /// The file's path, or what else the bytes were called.
  public let name: String
  /// What is wrong with it.
  public let cause: Cause

  public init(_ cause: Cause, reading name: String) {
    self.name = name
    self.cause = cause
  }

  /// What is wrong with it.
  public enum Cause: Error, Hashable, Sendable {
    /// The file has no bytes.
    case empty
    /// No MIDI header was found; `found` shows the first bytes.
    case notAMIDIFile(found: String)
    /// It is a file of another kind, such as "a WAV audio file".
    case anotherFile(kind: String)
    /// The file ends within its header.
    case truncatedHeader(byteCount: Int)
    /// The file is larger than the largest file read.
    case tooLarge(maximumByteCount: Int)
    /// The file could not be opened or read; `reason` is the system's text.
    case cannotRead(reason: String)
    /// It is a named pipe, a socket or a device. Of pipes only the program's own are read, as `/dev/stdin` or
    /// `/dev/fd/63`: opening a named one may wait for ever.
    case notRegular
  }
}

extension MIDIFileError: CustomStringConvertible {
  public var description: String {
    switch cause {
    case .empty:
      "reading \(name): the file is empty; choose another"
    case .notAMIDIFile(let found):
      "reading \(name): no MIDI file (it starts with \(found)); give a MIDI file (.mid, .rmi, .kar, .xmi, .mus)"
    case .anotherFile(let kind):
      "reading \(name): it is \(kind), no MIDI file; give a MIDI file (.mid, .rmi, .kar, .xmi, .mus)"
    case .truncatedHeader(let count):
      "reading \(name): the file ends within its header, after \(bytes(count)); fetch it again"
    case .tooLarge(let maximum):
      "reading \(name): it is larger than \(maximum >> 20) MiB; choose a smaller one"
    case .cannotRead(let reason):
      "reading \(name): \(reason); check the name and the permissions"
    case .notRegular:
      "reading \(name): not a regular file; give a MIDI file (.mid, .rmi, .kar, .xmi, .mus)"
    }
  }
}
