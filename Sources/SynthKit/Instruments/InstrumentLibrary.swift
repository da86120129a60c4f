import AudioGraph
import SynthInstruments
import SynthText

/// Finds the patches of the oscillator instrument by name in a list of directories, or by path. Reads files.
/// [control thread]
public struct InstrumentLibrary: Sendable, Equatable {
  /// Where it looks, in this order; of two patches of one name the first found counts.
  public let directories: [String]

  /// A library of these directories; those that do not exist are ignored.
  public init(directories: [String]) {
    self.directories = directories
  }

  /// The library of this process: the user's own patches, then the installed ones, then those of the source tree the
  /// program was built in.
  public static func standard() -> InstrumentLibrary {
    InstrumentLibrary(directories: ResourceDirectories.current.all("presets").map { "\($0)/instruments" })
  }

  /// Every patch that can be read, by name, and what is wrong with the files that cannot.
  public func patches() -> (patches: [Patch], faults: [ResourceError]) {
    ResourceFile.readAll(names, patch)
  }

  /// The patch of a name, or in a file if `reference` contains "/" or ends in ".json".
  public func patch(_ reference: String) throws(ResourceError) -> Patch {
    let file = try file(reference)
    do throws(ResourceError) {
      return try PatchReader.patch(named: file.name, bytes: file.bytes, path: file.path)
    } catch {
      throw .instrument(error)
    }
  }

  /// The file of a patch, as it stands there.
  package func file(_ reference: String) throws(ResourceError) -> (name: String, path: String, bytes: [UInt8]) {
    guard let (name, path) = ResourceFile.locate(reference, in: directories) else {
      throw .unknownInstrument(name: reference, nearest: EditDistance.nearest(to: reference, among: choices))
    }
    do throws(ResourceError) {
      return (name, path, try ResourceFile.bytes(at: path))
    } catch {
      throw .instrument(error)
    }
  }

  /// What people can choose: the names of patches, and of built-in instruments.
  public var choices: [String] { names + InstrumentChoice.builtIn.map(\.instrument.name) }

  /// The names in all directories, sorted, each once.
  var names: [String] { Set(directories.flatMap { ResourceFile.names(in: $0) }).sorted() }
}
