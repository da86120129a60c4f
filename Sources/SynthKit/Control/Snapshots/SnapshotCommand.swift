/// What is asked of snapshots.
public enum SnapshotCommand: Sendable, Equatable {
  /// Keeps how everything is set, by a name.
  case save(String)
  /// Sets everything as it was kept by this name.
  case recall(String)
  /// Forgets the one of this name.
  case delete(String)
  /// Tells the names.
  case list
}

/// What has become of snapshots.
public enum SnapshotAnswer: Sendable, Equatable {
  /// What was kept.
  case saved(SnapshotStore.Entry)
  /// Everything but what was lost, in a line each.
  case recalled(String, lost: [String])
  /// The name of the one that is forgotten.
  case deleted(String)
  /// All that are kept, and the files that cannot be read, a line each.
  case list([SnapshotStore.Entry], faults: [String])

  var text: String {
    switch self {
    case .saved(let entry): "snapshot   \(entry.name) saved" + (entry.program.map { ", program \($0)" } ?? "")
    case .recalled(let name, let lost):
      (["snapshot   \(name)"] + lost.map { "lost       \($0)" }).joined(separator: "\n")
    case .deleted(let name): "snapshot   \(name) deleted"
    case .list(let entries, let faults):
      (["snapshots  " + (entries.isEmpty ? "none; snapshot save NAME keeps how all is set" : Self.names(entries))]
        + faults).joined(separator: "\n")
    }
  }

  /// "lead (program 0), pad (program 1)"
  private static func names(_ entries: [SnapshotStore.Entry]) -> String {
    entries.map { entry in entry.name + (entry.program.map { " (program \($0))" } ?? "") }.joined(separator: ", ")
  }
}

extension CommandWords {
  /// "lead", "recall lead", "save lead" or "delete lead".
  mutating func snapshot() throws(SynthesizerCommandError) -> SynthesizerCommand {
    let (verb, name) = try named(["save", "recall", "delete"])
    return switch verb {
    case "save": .snapshot(.save(name))
    case "delete": .snapshot(.delete(name))
    default: .snapshot(.recall(name))
    }
  }
}
