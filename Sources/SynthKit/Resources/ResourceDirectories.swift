@preconcurrency import Glibc
import SynthFiles

/// Where presets and soundfonts lie: the user's own, those beside the program, those of source trees, the system's.
///
/// A program that depends on this package finds those of its checkout. One that is given to others brings them in
/// `share/synth` beside its `bin`, or finds those that are installed with `synth`.
public struct ResourceDirectories: Sendable {
  private let environment: [String: String]
  private let executable: String?
  private let sourceTree: String?

  /// - Parameters:
  ///   - environment: `XDG_DATA_HOME`, `HOME` and `XDG_DATA_DIRS` are looked at.
  ///   - executable: the program's path; nil where it is not known.
  ///   - sourceTree: where this package was compiled, for a program that depends on it; nil to leave it out.
  public init(environment: [String: String], executable: String?, sourceTree: String? = nil) {
    self.environment = environment
    self.executable = executable
    self.sourceTree = sourceTree
  }

  /// Those of the running program.
  public static var current: ResourceDirectories {
    let tree = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    return ResourceDirectories(
      environment: processEnvironment(), executable: realPath("/proc/self/exe"), sourceTree: "/\(tree)")
  }

  /// Every directory of a kind of resource, the user's own first.
  public func all(_ kind: String) -> [String] { user(kind) + installed(kind) }

  /// `$XDG_DATA_HOME/synth/KIND`, or `~/.local/share/synth/KIND`.
  public func user(_ kind: String) -> [String] {
    // The XDG base directory specification has relative paths ignored.
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return ["\(data)/synth/\(kind)"] }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return [] }
    return ["\(home)/.local/share/synth/\(kind)"]
  }

  /// Beside the installed program, in the source tree it was built in, in this package's, and in the system's: in
  /// `synth/KIND` of `$XDG_DATA_DIRS`, or of `/usr/local/share` and `/usr/share`.
  public func installed(_ kind: String) -> [String] {
    var directories = besideProgram(kind)
    if let sourceTree, exists("\(sourceTree)/\(kind)") { directories.append("\(sourceTree)/\(kind)") }
    directories += systemData.map { "\($0)/synth/\(kind)" }
    var known: Set<String> = []
    return directories.filter { known.insert($0).inserted }
  }

  private var systemData: [Substring] {
    let listed = (environment["XDG_DATA_DIRS"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
    return listed.isEmpty ? ["/usr/local/share", "/usr/share"] : listed
  }

  private func besideProgram(_ kind: String) -> [String] {
    guard let executable else { return [] }
    var place = parent(of: executable)
    var directories = ["\(parent(of: place))/share/synth/\(kind)"]
    while !place.isEmpty {
      if exists("\(place)/Package.swift"), exists("\(place)/\(kind)") {
        directories.append("\(place)/\(kind)")
        break
      }
      place = parent(of: place)
    }
    return directories
  }

  private func exists(_ path: String) -> Bool { access(path, R_OK) == 0 }

  private func parent(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }
}

/// The process's environment.
func processEnvironment() -> [String: String] {
  var variables: [String: String] = [:]
  var entry = environ
  while let text = entry.pointee {
    let parts = String(path: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
    entry += 1
  }
  return variables
}

private func realPath(_ path: String) -> String? {
  guard let resolved = realpath(path.cPath, nil) else { return nil }
  defer { free(resolved) }
  return String(path: resolved)
}
