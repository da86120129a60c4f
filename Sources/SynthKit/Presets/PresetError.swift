/// Why a preset, or an instrument, cannot be had.
public indirect enum PresetError: Error, Sendable, Equatable {
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

  /// What is wrong with a file is wrong with an instrument's.
  case instrument(PresetError)
}

extension PresetError: CustomStringConvertible {
  public var description: String { description(of: "preset") }

  private func description(of thing: String) -> String {
    switch self {
    case .unknown(let name, let nearest): Self.unknown("preset", name, nearest)
    case .unknownInstrument(let name, let nearest): Self.unknown("instrument", name, nearest)
    case .unreadable(let path, let reason):
      "reading \(thing) \(path): \(reason); give \(thing == "preset" ? "a" : "an") \(thing)'s name "
        + "or the path of a readable file"
    case .malformed(let path, let location, let problem):
      "reading \(thing) \(path):\(location): \(problem); correct the file there"
    case .invalid(let path, let location, let place, let problem):
      "reading \(thing) \(path):\(location): \(place.isEmpty ? "" : place + ": ")\(problem)"
    case .instrument(let error): error.description(of: "instrument")
    }
  }

  private static func unknown(_ thing: String, _ name: String, _ nearest: String?) -> String {
    let suggestion = nearest.map { "did you mean \"\($0)\"? " } ?? ""
    return "choosing \(thing) \"\(name)\": there is none of that name; \(suggestion)\"synth \(thing)s\" lists them"
  }
}
