import Glibc
import SynthALSA
import SynthFiles
import SynthText

/// Files of equalizer presets and instruments: found by name or path, and read whole.
package enum ResourceFile {
  /// The largest file that is read; a preset has less than a kilobyte.
  static let sizeLimit = 1 << 16

  /// What a file holds. [control thread]
  ///
  /// - Parameter pipes: whether it may be one that the program was started with.
  package static func bytes(at path: String, pipes: OutsideFile.Pipes = .refused) throws(ResourceError) -> [UInt8] {
    do throws(FileProblem) {
      return try OutsideFile(path: path, pipes: pipes).bytes(limit: sizeLimit)
    } catch {
      throw .unreadable(path: path, reason: error.reason)
    }
  }

  /// The names of the files in a directory that end in ".json", without that ending, sorted; empty if it does not
  /// exist.
  static func names(in directory: String) -> [String] {
    directoryEntries(directory)
      .filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
      .map { String($0.dropLast(5)) }
      .sorted()
  }

  /// All of these names that can be read, and what is wrong with the others.
  static func readAll<Item>(
    _ names: [String], _ read: (String) throws(ResourceError) -> Item
  ) -> ([Item], [ResourceError]) {
    var items: [Item] = []
    var faults: [ResourceError] = []
    for name in names {
      do throws(ResourceError) { items.append(try read(name)) } catch { faults.append(error) }
    }
    return (items, faults)
  }

  /// The file that `reference` is the path of, if it contains "/" or ends in ".json"; else the first of that name in
  /// the directories. nil if no such file exists.
  static func locate(_ reference: String, in directories: [String]) -> (name: String, path: String)? {
    if reference.utf8.contains(UInt8(ascii: "/")) || reference.hasSuffix(".json") {
      let file = reference.split(separator: "/").last ?? ""
      return (String(file.hasSuffix(".json") ? file.dropLast(5) : file), reference)
    }
    guard !reference.isEmpty, !reference.utf8.contains(0) else { return nil }
    return directories.lazy.map { "\($0)/\(reference).json" }.first(where: exists).map { (reference, $0) }
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}

/// Why an equalizer preset or an instrument cannot be read.
public indirect enum ResourceError: Error, Sendable, Equatable {
  /// No preset has this name; `nearest` is one that might be meant.
  case unknown(name: String, nearest: String?)

  /// There are no presets at all but `flat`; these are the directories that were looked into.
  case noPresets(name: String, searched: [String])

  /// No instrument has this name; `nearest` is one that might be meant.
  case unknownInstrument(name: String, nearest: String?)

  /// The file cannot be read, for a reason in the system's words.
  case unreadable(path: String, reason: String)

  /// The file is not JSON.
  case malformed(path: String, at: TextLocation, problem: String)

  /// The file is JSON but not a preset; `place` is the JSON path of the fault, empty for the whole.
  case invalid(path: String, at: TextLocation, place: String, problem: String)

  /// The error concerns an instrument's file.
  case instrument(ResourceError)

  /// The error concerns a scene's file.
  case scene(ResourceError)
}

extension ResourceError: CustomStringConvertible {
  /// What a person can do about it, for programs that word it themselves. The description has it in general words.
  public enum Remedy: Sendable, Equatable {
    /// To see the names that can be chosen.
    case listPresets, listInstruments

    /// In general words.
    public var description: String { self == .listPresets ? "list the presets" : "list the instruments" }
  }

  public var description: String { line(\.description) }

  /// The description with remedies in the caller's words.
  public func line(_ words: (Remedy) -> String) -> String { line(of: "preset", words) }

  func line(of thing: String, _ words: (Remedy) -> String) -> String {
    switch self {
    case .unknown(let name, let nearest): Self.unknown("preset", name, nearest, words(.listPresets))
    case .noPresets(let name, let searched):
      "choosing preset \"\(name)\": no presets are in \(searched.joined(separator: ", ")); put those of synth into "
        + "one of these"
    case .unknownInstrument(let name, let nearest): Self.unknown("instrument", name, nearest, words(.listInstruments))
    case .unreadable(let path, let reason):
      "reading \(thing) \(path): \(reason); give \(thing == "instrument" ? "an" : "a") \(thing)'s name "
        + "or the path of a readable file"
    case .malformed(let path, let location, let problem):
      "reading \(thing) \(path):\(location): \(problem); correct the file there"
    case .invalid(let path, let location, let place, let problem):
      "reading \(thing) \(path):\(location): \(place.isEmpty ? "" : place + ": ")\(problem)"
    case .instrument(let error): error.line(of: "instrument", words)
    case .scene(let error): error.line(of: "scene", words)
    }
  }

  private static func unknown(_ thing: String, _ name: String, _ nearest: String?, _ remedy: String) -> String {
    let suggestion = nearest.map { "did you mean \"\($0)\"? " } ?? ""
    return "choosing \(thing) \"\(name)\": unknown \(thing); \(suggestion)\(remedy)"
  }
}
