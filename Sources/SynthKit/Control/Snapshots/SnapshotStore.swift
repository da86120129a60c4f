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

  /// Nil where the program has no place for its state.
  let directory: String?

  /// - Parameter directory: nil for none: nothing can be saved then.
  public init(directory: String?) { self.directory = directory }

  /// That of the running program: `snapshots` in its state directory.
  public static func standard() -> SnapshotStore {
    SnapshotStore(directory: StateFile.directory.map { "\($0)/snapshots" })
  }

  /// Those that can be read, by name, and what is wrong with the others.
  public func all() -> (entries: [Entry], faults: [ResourceError]) {
    ResourceFile.readAll(directory.map { ResourceFile.names(in: $0) } ?? []) { name throws(ResourceError) in
      Entry(name: name, program: try read(name).program)
    }
  }

  /// The snapshot of a name.
  public func snapshot(named name: String) throws(ResourceError) -> SynthesizerSnapshot { try read(name).snapshot }

  func has(_ name: String) -> Bool { path(of: name).map(ResourceFile.exists) ?? false }

  /// Writes a snapshot in place of one of the same name. It keeps its program change, and a new one gets the lowest
  /// that is free.
  func save(_ snapshot: SynthesizerSnapshot, as name: String) throws(SynthesizerCommandError) -> Entry {
    guard let path = path(of: name) else {
      throw .refused("saving snapshot \(name): there is no directory for it; set HOME or XDG_STATE_HOME")
    }
    let entries = all().entries
    let taken = Set(entries.compactMap(\.program))
    let present = entries.first { $0.name == name }?.program
    let program = present ?? (0...127).first { !taken.contains($0) }
    let bytes = Array(snapshot.text(program: program).utf8)
    guard bytes.count <= ResourceFile.sizeLimit else {
      throw .refused("saving snapshot \(name): it is larger than 64 KiB; give the mixers fewer inputs")
    }
    do throws(StateFileError) {
      try StateFile.write(bytes, to: path)
    } catch {
      throw .refused("saving snapshot \(name): \(error)")
    }
    return Entry(name: name, program: program)
  }

  func delete(_ name: String) throws(SynthesizerCommandError) {
    do throws(StateFileError) {
      if let path = path(of: name) { try StateFile.delete(path) }
    } catch {
      throw .refused("deleting snapshot \(name): \(error.path): \(error.reason)")
    }
  }

  /// Why a snapshot cannot have this name; nil where it can.
  static func fault(of name: String) -> String? {
    let isControl = name.unicodeScalars.contains { $0.properties.generalCategory == .control }
    guard name.isEmpty || name.hasPrefix(".") || name.contains("/") || isControl || name.utf8.count > 100 else {
      return nil
    }
    return "give a name of at most 100 letters without / that does not begin with a dot"
  }

  private func read(_ name: String) throws(ResourceError) -> (snapshot: SynthesizerSnapshot, program: UInt8?) {
    guard let path = path(of: name) else { throw .unreadable(path: name, reason: "there is no directory for it") }
    return try SynthesizerSnapshot.read(ResourceFile.bytes(at: path), path: path)
  }

  private func path(of name: String) -> String? { directory.map { "\($0)/\(name).json" } }
}
