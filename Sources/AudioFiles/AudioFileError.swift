import Glibc

/// What went wrong with an audio file. Codes are errno values.
public enum AudioFileError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file cannot be created or opened for writing.
  case cannotCreate(path: String, code: Int32)
  /// No room is left on the device, or the user's quota is used up.
  case diskFull(path: String)
  /// Whoever read the pipe has closed it.
  case brokenPipe(path: String)
  /// Writing failed otherwise.
  case cannotWrite(path: String, code: Int32)
  /// No file can have this format; the text says what to do instead.
  case unsupported(path: String, reason: String)
  /// The file cannot be opened for reading.
  case cannotOpen(path: String, code: Int32)
  /// The file is no audio file, or a damaged one; libsndfile's words.
  case unreadable(path: String, reason: String)
  /// The file has no such frames; `count` is nil for all from `start` on, `fileFrameCount` if the file does not tell.
  case noSuchSegment(path: String, start: Int, count: Int?, fileFrameCount: Int?)
  /// The system has no thread for what reads or writes files in the background.
  case noThread(reason: String)

  /// A failed write by its errno value.
  init(writing path: String, code: Int32) {
    switch code {
    case ENOSPC, EDQUOT: self = .diskFull(path: path)
    case EPIPE: self = .brokenPipe(path: path)
    default: self = .cannotWrite(path: path, code: code)
    }
  }

  public var description: String {
    switch self {
    case .cannotCreate(let path, let code): "creating \(path): \(errorText(code))\(remedy(code))"
    case .diskFull(let path): "writing \(path): no space left on device — free some, or write elsewhere with -o"
    case .brokenPipe(let path): "writing \(path): broken pipe — the program that was reading has ended"
    case .cannotWrite(let path, let code): "writing \(path): \(errorText(code))"
    case .unsupported(let path, let reason): "creating \(path): \(reason)"
    case .cannotOpen(let path, let code): "opening \(path): \(errorText(code))"
    case .unreadable(let path, let reason): "reading \(path): \(reason)"
    case .noSuchSegment(let path, let start, let count, let fileFrameCount):
      "reading \(path): \(count.map { "\($0) frames" } ?? "all") from frame \(start) on are not there — "
        + (fileFrameCount.map { "it has \($0), numbered from 0" } ?? "both must be 0 or more")
    case .noThread(let reason): "starting a thread for audio files: \(reason) — use fewer players and recorders"
    }
  }

  private func remedy(_ code: Int32) -> String {
    switch code {
    case ENOENT: " — create its directory first"
    case EACCES, EPERM, EROFS: " — write elsewhere with -o"
    case EISDIR: " — name a file in it"
    default: ""
    }
  }
}

/// What an errno value means, in the system's words.
func errorText(_ code: Int32) -> String {
  let text = String(cString: strerror(code))
  return text.prefix(1).lowercased() + text.dropFirst()
}
