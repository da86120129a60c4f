import SynthText

/// Documents of a kind in a directory of the program's state, found by their names. Reads and writes files. [control
/// thread]
package struct NamedStateFiles: Sendable {
  /// What one of them is, for errors: "snapshot".
  let thing: String
  /// Nil where the program has no place for its state.
  let directory: String?

  init(_ thing: String, directory: String?) { (self.thing, self.directory) = (thing, directory) }

  var names: [String] { directory.map { ResourceFile.names(in: $0) } ?? [] }

  func has(_ name: String) -> Bool { path(of: name).map(ResourceFile.exists) ?? false }

  /// The path and the bytes of one.
  func read(_ name: String) throws(ResourceError) -> (bytes: [UInt8], path: String) {
    guard let path = path(of: name) else { throw .unreadable(path: name, reason: "there is no directory for it") }
    return (try ResourceFile.bytes(at: path), path)
  }

  /// Writes one in place of one of the same name.
  ///
  /// - Parameter remedy: what to do where it is too large to be read again.
  func write(_ text: String, as name: String, ifTooLarge remedy: String) throws(SynthesizerCommandError) {
    guard let path = path(of: name) else {
      throw .refused("saving \(thing) \(name): there is no directory for it; set HOME or XDG_STATE_HOME")
    }
    let bytes = Array(text.utf8)
    guard bytes.count <= ResourceFile.sizeLimit else {
      throw .refused("saving \(thing) \(name): it is larger than 64 KiB; \(remedy)")
    }
    do throws(StateFileError) {
      try StateFile.write(bytes, to: path)
    } catch {
      throw .refused("saving \(thing) \(name): \(error)")
    }
  }

  func delete(_ name: String) throws(SynthesizerCommandError) {
    do throws(StateFileError) {
      if let path = path(of: name) { try StateFile.delete(path) }
    } catch {
      throw .refused("deleting \(thing) \(name): \(error.path): \(error.reason)")
    }
  }

  /// Finds out whether there is one of a name that one can have.
  func check(_ name: String) throws(SynthesizerCommandError) {
    guard Self.fault(of: name) != nil || !has(name) else { return }
    throw .unknownName(
      name, kind: thing, command: thing, nearest: EditDistance.nearest(to: name, among: names), known: names)
  }

  /// Why one cannot have this name; nil where it can.
  static func fault(of name: String) -> String? {
    let isControl = name.unicodeScalars.contains { $0.properties.generalCategory == .control }
    guard name.isEmpty || name.hasPrefix(".") || name.contains("/") || isControl || name.utf8.count > 100 else {
      return nil
    }
    return "give a name of at most 100 letters without / that does not begin with a dot"
  }

  private func path(of name: String) -> String? { directory.map { "\($0)/\(name).json" } }
}
