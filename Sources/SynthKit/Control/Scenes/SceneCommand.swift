import SynthText

/// What is asked of scenes that are kept.
public enum SceneCommand: Sendable, Equatable {
  /// Keeps what is inserted, by a name.
  case save(String)
  /// Inserts what was kept by this name, in place of the present inserts.
  case load(String)
  /// Forgets the one of this name.
  case delete(String)
  /// Tells the names.
  case list
}

/// What has become of scenes.
public enum SceneAnswer: Sendable, Equatable {
  /// The name of the one that was kept, loaded or forgotten.
  case saved(String), loaded(String), deleted(String)
  /// The names of all that are kept.
  case list([String])

  var text: String {
    switch self {
    case .saved(let name): "scene      \(name) saved"
    case .loaded(let name): "scene      \(name)"
    case .deleted(let name): "scene      \(name) deleted"
    case .list(let names):
      "scene      " + (names.isEmpty ? "none; scene save NAME keeps what is inserted" : names.joined(separator: ", "))
    }
  }
}

extension CommandWords {
  /// "live", "load live", "save live" or "delete live".
  mutating func scene() throws(SynthesizerCommandError) -> SynthesizerCommand {
    let (verb, name) = try named(["save", "load", "delete"])
    return switch verb {
    case "save": .scene(.save(name))
    case "delete": .scene(.delete(name))
    default: .scene(.load(name))
    }
  }

  /// A name, and the verb before it, if there is one. What is saved needs a name that a file can have.
  mutating func named(_ verbs: [String]) throws(SynthesizerCommandError) -> (verb: String?, name: String) {
    let text = try rest()
    let words = text.split(separator: " ", maxSplits: 1).map(String.init)
    guard let verb = words.first, verbs.contains(verb) else { return (nil, text) }
    guard words.count == 2 else { throw .incomplete(form: row?.form ?? name) }
    let isReserved = verbs.contains(words[1])
    let reserved = isReserved ? "this word has a meaning of its own here; give another name" : nil
    if verb == "save", let fault = NamedStateFiles.fault(of: words[1]) ?? reserved {
      throw .badValue("save \(words[1])", command: name, problem: fault)
    }
    return (verb, words[1])
  }
}

extension SynthesizerControl {
  func perform(_ command: SceneCommand) throws(SynthesizerCommandError) -> SceneAnswer {
    switch command {
    case .save(let name):
      try snapshots.scenes.write(synthesizer.scene.text, as: name, ifTooLarge: "remove some inserts")
      return .saved(name)
    case .load(let name):
      try snapshots.scenes.check(name)
      do {
        try synthesizer.apply(Scene(named: name, in: snapshots.scenes))
      } catch {
        throw .refused("\(error)")
      }
      return .loaded(name)
    case .delete(let name):
      try snapshots.scenes.check(name)
      try snapshots.scenes.delete(name)
      return .deleted(name)
    case .list: return .list(snapshots.scenes.names)
    }
  }
}

extension Scene {
  /// The scene of a file, which `reference` is the path of if it contains "/" or ends in ".json"; else the one that was
  /// saved by this name. [control thread]
  package init(
    named reference: String, in files: NamedStateFiles = SnapshotStore.standard().scenes
  ) throws(ResourceError) {
    guard !reference.contains("/"), !reference.hasSuffix(".json") else {
      try self.init(path: reference)
      return
    }
    let bytes: [UInt8]
    let path: String
    do throws(ResourceError) {
      (bytes, path) = try files.read(reference)
    } catch {
      throw .scene(error)
    }
    try self.init(bytes, path: path)
  }
}
