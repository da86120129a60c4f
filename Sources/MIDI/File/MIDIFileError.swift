/// Why something cannot be read as a MIDI file.
public enum MIDIFileError: Error, Hashable, Sendable {
  /// The file has no bytes.
  case empty
  /// No MIDI header was found; `found` shows the first bytes.
  case notAMIDIFile(found: String)
  /// The file ends within its header.
  case truncatedHeader(byteCount: Int)
  /// The file is larger than the largest file read.
  case tooLarge(maximumByteCount: Int)
  /// The file could not be opened or read; `reason` is the system's text.
  case cannotRead(path: String, reason: String)
}

extension MIDIFileError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .empty:
      "reading a MIDI file: the file is empty; choose another"
    case .notAMIDIFile(let found):
      "reading a MIDI file: this is none (it starts with \(found)); give a Standard MIDI File (.mid, .rmi, .kar)"
    case .truncatedHeader(let count):
      "reading a MIDI file: the file ends within its header, after \(count) bytes; fetch it again"
    case .tooLarge(let maximum):
      "reading a MIDI file: it is larger than \(maximum >> 20) MiB; choose a smaller one"
    case .cannotRead(let path, let reason):
      "reading \(path): \(reason); check the name and the permissions"
    }
  }
}
