import AudioGraph
import Instruments

/// Finds the patches of the oscillator instrument by name in a list of directories, or by path. Control thread: reads files.
public struct InstrumentLibrary: Sendable, Equatable {
  /// Where it looks, in this order; of two patches of one name the first found counts.
  public let directories: [String]

  /// A library of these directories; those that are not there are passed over.
  public init(directories: [String]) {
    self.directories = directories
  }

  /// The library of this process: the user's own patches, then the installed ones, then those of the source tree the
  /// program was built in.
  public static func standard() -> InstrumentLibrary {
    InstrumentLibrary(directories: ResourceDirectories.current.all("presets").map { "\($0)/instruments" })
  }

  /// Every patch that can be read, by name, and what is wrong with the files that cannot.
  public func patches() -> (patches: [Patch], faults: [PresetError]) {
    var patches: [Patch] = []
    var faults: [PresetError] = []
    for name in names {
      do throws(PresetError) {
        patches.append(try patch(name))
      } catch {
        faults.append(error)
      }
    }
    return (patches, faults)
  }

  /// The patch of a name, or in a file if `reference` contains "/" or ends in ".json".
  public func patch(_ reference: String) throws(PresetError) -> Patch {
    guard let (name, path) = PresetFile.locate(reference, in: directories) else {
      let known = names + [InstrumentChoice.samplerName]
      throw .unknownInstrument(name: reference, nearest: EditDistance.nearest(to: reference, among: known))
    }
    do throws(PresetError) {
      return try PatchReader.patch(named: name, bytes: PresetFile.bytes(at: path), path: path)
    } catch {
      throw .instrument(error)
    }
  }

  /// The names in all directories, sorted, each once.
  var names: [String] { Set(directories.flatMap { PresetFile.names(in: $0) }).sorted() }
}
