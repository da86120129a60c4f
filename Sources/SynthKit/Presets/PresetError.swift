/// Why a preset cannot be had.
public enum PresetError: Error, Sendable, Equatable {
  /// No preset has this name; `nearest` is one that might be meant.
  case unknown(name: String, nearest: String?)

  /// No instrument has this name; `nearest` is one that might be meant.
  case unknownInstrument(name: String, nearest: String?)

  /// The file cannot be read, for a reason in the system's words.
  case unreadable(path: String, reason: String)

  /// The file is not JSON.
  case malformed(path: String, at: TextLocation, problem: String)

  /// The file is JSON but no preset; `place` is the JSON path of the fault, empty for the whole.
  case invalid(path: String, at: TextLocation, place: String, problem: String)
}

extension PresetError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknown(let name, let nearest):
      let suggestion = nearest.map { "did you mean \"\($0)\"? " } ?? ""
      return "choosing preset \"\(name)\": there is none of that name; \(suggestion)\"synth presets\" lists them"
    case .unknownInstrument(let name, let nearest):
      let suggestion = nearest.map { "did you mean \"\($0)\"? " } ?? ""
      return
        "choosing instrument \"\(name)\": there is none of that name; \(suggestion)\"synth instruments\" lists them"
    case .unreadable(let path, let reason):
      return "reading preset \(path): \(reason); give a preset's name or the path of a readable file"
    case .malformed(let path, let location, let problem):
      return "reading preset \(path):\(location): \(problem); correct the file there"
    case .invalid(let path, let location, let place, let problem):
      return "reading preset \(path):\(location): \(place.isEmpty ? "" : place + ": ")\(problem)"
    }
  }
}
