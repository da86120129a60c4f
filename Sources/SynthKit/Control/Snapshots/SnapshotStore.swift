import SynthText

/// Snapshots by name, each a JSON file in one directory. Reads and writes files. [control thread]
public struct SnapshotStore: Sendable {
  /// A snapshot, as lists show it.
  public struct Entry: Sendable, Equatable {
    /// What `recall` finds it by.
    public let name: String
    /// The program change that recalls it; nil where all numbers were taken.
    public let program: UInt8?
  }

  private let files: NamedStateFiles

  /// - Parameter directory: nil for none: nothing can be saved then.
  public init(directory: String?) { files = NamedStateFiles("snapshot", directory: directory) }

  /// That of the running program: `snapshots` in its state directory.
  public static func standard() -> SnapshotStore {
    SnapshotStore(directory: StateFile.directory.map { "\($0)/snapshots" })
  }

  /// Those that can be read, by name, and what is wrong with the others.
  public func all() -> (entries: [Entry], faults: [ResourceError]) {
    ResourceFile.readAll(files.names) { name throws(ResourceError) in
      Entry(name: name, program: try read(name).program)
    }
  }

  /// The snapshot of a name.
  public func snapshot(named name: String) throws(ResourceError) -> SynthesizerSnapshot { try read(name).snapshot }

  /// The scenes that are kept, in the directory `scenes` beside that of the snapshots.
  package var scenes: NamedStateFiles {
    let parent = files.directory.map { $0[..<($0.lastIndex(of: "/") ?? $0.startIndex)] }
    return NamedStateFiles("scene", directory: parent.map { "\($0)/scenes" })
  }

  /// Finds out whether there is a snapshot of a name.
  func check(_ name: String) throws(SynthesizerCommandError) { try files.check(name) }

  /// Writes a snapshot in place of one of the same name. It keeps its program change, and a new one gets the lowest
  /// that is free.
  func save(_ snapshot: SynthesizerSnapshot, as name: String) throws(SynthesizerCommandError) -> Entry {
    let entries = all().entries
    let taken = Set(entries.compactMap(\.program))
    let present = entries.first { $0.name == name }?.program
    let program = present ?? (0...127).first { !taken.contains($0) }
    try files.write(snapshot.text(program: program), as: name, ifTooLarge: "give the mixers fewer inputs")
    return Entry(name: name, program: program)
  }

  func delete(_ name: String) throws(SynthesizerCommandError) { try files.delete(name) }

  private func read(_ name: String) throws(ResourceError) -> (snapshot: SynthesizerSnapshot, program: UInt8?) {
    let (bytes, path) = try files.read(name)
    return try SynthesizerSnapshot.read(bytes, path: path)
  }
}
