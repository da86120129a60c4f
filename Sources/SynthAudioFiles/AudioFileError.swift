import AudioGraph
import Glibc
import SynthFiles

/// An error of an audio file. Codes are errno values.
public enum AudioFileError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file cannot be created or opened for writing.
  case cannotCreate(path: String, code: Int32)
  /// No room is left on the device, or the user's quota is used up.
  case diskFull(path: String)
  /// The reader of the pipe has closed it.
  case brokenPipe(path: String)
  /// Writing failed otherwise.
  case cannotWrite(path: String, code: Int32)
  /// No file can have this format; the text says what to do instead.
  case unsupported(path: String, reason: String)
  /// What is to be written has another format than the file.
  case otherFormat(path: String, AudioFormat, file: AudioFormat)
  /// The file cannot be opened for reading.
  case cannotOpen(path: String, code: Int32)
  /// The file is not an audio file, or it is damaged; the reason is libsndfile's.
  case unreadable(path: String, reason: String)
  /// The file has no such frames; `count` is nil for all from `start` on, `fileFrameCount` if the file does not tell.
  case noSuchSegment(path: String, start: Int, count: Int?, fileFrameCount: Int?)
  /// The system has no thread left for reading or writing files in the background.
  case noThread(reason: String)

  /// What a person can do about it, for programs that word it themselves. The description has it in general words.
  public enum Remedy: Sendable, Equatable {
    /// Create the directory of the file first.
    case createDirectory
    /// Write to another place.
    case writeElsewhere
    /// Name a file in the directory.
    case nameFile
    /// Choose a name that no file has.
    case chooseName

    /// In general words.
    public var description: String {
      switch self {
      case .createDirectory: "create its directory first"
      case .writeElsewhere: "write elsewhere"
      case .nameFile: "name a file in it"
      case .chooseName: "choose another name"
      }
    }
  }

  /// What helps; nil if nothing is known to.
  public var remedy: Remedy? {
    switch self {
    case .cannotCreate(_, ENOENT): .createDirectory
    case .cannotCreate(_, EACCES), .cannotCreate(_, EPERM), .cannotCreate(_, EROFS), .diskFull:
      .writeElsewhere
    case .cannotCreate(_, EISDIR): .nameFile
    case .cannotCreate(_, EEXIST): .chooseName
    default: nil
    }
  }

  /// A failed write by its errno value.
  init(writing path: String, code: Int32) {
    switch code {
    case ENOSPC, EDQUOT: self = .diskFull(path: path)
    case EPIPE: self = .brokenPipe(path: path)
    default: self = .cannotWrite(path: path, code: code)
    }
  }

  public var description: String { line(\.description) }

  /// The description with the remedy in the caller's words.
  public func line(_ words: (Remedy) -> String) -> String {
    let remedy = remedy.map(words)
    return switch self {
    case .cannotCreate(let path, let code):
      "creating \(path): \(systemText(code))\(remedy.map { " — \($0)" } ?? "")"
    case .diskFull(let path):
      "writing \(path): no space left on device — free some\(remedy.map { ", or \($0)" } ?? "")"
    case .brokenPipe(let path):
      "writing \(path): broken pipe — the program that was reading has ended"
    case .cannotWrite(let path, let code): "writing \(path): \(systemText(code))"
    case .unsupported(let path, let reason): "creating \(path): \(reason)"
    case .otherFormat(let path, let format, let file):
      "writing \(path): it has \(file) and the buffer \(format) — convert that with converted(to:) first"
    case .cannotOpen(let path, let code): "opening \(path): \(systemText(code))"
    case .unreadable(let path, let reason): "reading \(path): \(reason)"
    case .noSuchSegment(let path, let start, let count, let fileFrameCount):
      "reading \(path): \(count.map { "\($0) frames" } ?? "all") from frame \(start) on are not there — "
        + (fileFrameCount.map { "it has \($0), numbered from 0" } ?? "both must be 0 or more")
    case .noThread(let reason):
      "starting a thread for audio files: \(reason) — use fewer players and recorders"
    }
  }
}
