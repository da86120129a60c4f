import AudioGraph
import DSP

/// Finds presets by name in a list of directories, or by path. Control thread: reads files.
public struct PresetLibrary: Sendable, Equatable {
  /// Where it looks, in this order; of two presets of one name the first found counts.
  public let directories: [String]

  /// A library of these directories; those that are not there are passed over.
  public init(directories: [String]) {
    self.directories = directories
  }

  /// The library of this process: the user's own presets, then the installed ones, then those of the source tree the
  /// program was built in.
  public static func standard() -> PresetLibrary {
    PresetLibrary(directories: ResourceDirectories.current.all("presets"))
  }

  /// Every preset that can be read, by name, `flat` always among them, and what is wrong with the files that cannot.
  public func presets() -> (presets: [Preset], faults: [PresetError]) {
    var presets: [Preset] = []
    var faults: [PresetError] = []
    for name in names {
      do throws(PresetError) {
        presets.append(try preset(name))
      } catch {
        faults.append(error)
      }
    }
    return (presets, faults)
  }

  /// The preset of a name, or in a file if `reference` contains "/" or ends in ".json", or written out if it begins with
  /// "bands:".
  public func preset(_ reference: String) throws(PresetError) -> Preset {
    if reference.hasPrefix(BandList.prefix) { return try BandList.preset(reference) }
    if let (name, path) = PresetFile.locate(reference, in: directories) {
      return try PresetReader.preset(named: name, bytes: PresetFile.bytes(at: path), path: path)
    }
    if reference == Preset.flat.name { return .flat }
    throw .unknown(name: reference, nearest: EditDistance.nearest(to: reference, among: names))
  }

  /// The names in all directories, sorted, each once.
  private var names: [String] {
    Set(directories.flatMap { PresetFile.names(in: $0) }).union([Preset.flat.name]).sorted()
  }
}
