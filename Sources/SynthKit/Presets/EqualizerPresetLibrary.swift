import AudioGraph
import SynthDSP
import SynthText

/// Finds equalizer presets by name in a list of directories, or by path. Reads files. [control thread]
public struct EqualizerPresetLibrary: Sendable, Equatable {
  /// Where it looks, in this order; of two presets of one name the first found counts.
  public let directories: [String]

  /// A library of these directories; those that do not exist are ignored.
  public init(directories: [String]) {
    self.directories = directories
  }

  /// The library of this process: the user's own presets, then the installed ones, then those of the source tree the
  /// program was built in.
  public static func standard() -> EqualizerPresetLibrary {
    EqualizerPresetLibrary(directories: ResourceDirectories.current.all("presets"))
  }

  /// Every preset that can be read, by name, `flat` always among them, and what is wrong with the files that cannot.
  public func presets() -> (presets: [EqualizerPreset], faults: [ResourceError]) {
    ResourceFile.readAll(names, preset)
  }

  /// The preset of a name, or in a file if `reference` contains "/" or ends in ".json", or written out if it begins
  /// with "bands:".
  public func preset(_ reference: String) throws(ResourceError) -> EqualizerPreset {
    if reference.hasPrefix(BandList.prefix) { return try BandList.preset(reference) }
    if let (name, path) = ResourceFile.locate(reference, in: directories) {
      return try EqualizerPresetReader.preset(named: name, bytes: ResourceFile.bytes(at: path), path: path)
    }
    if reference == EqualizerPreset.flat.name { return .flat }
    let names = names
    if names == [EqualizerPreset.flat.name] { throw .noPresets(name: reference, searched: directories) }
    throw .unknown(name: reference, nearest: EditDistance.nearest(to: reference, among: names))
  }

  /// The names in all directories, sorted, each once.
  var names: [String] {
    Set(directories.flatMap { ResourceFile.names(in: $0) }).union([EqualizerPreset.flat.name]).sorted()
  }
}

/// Turns the text of a preset file into a `EqualizerPreset`; `presets/README.md` describes the format.
struct EqualizerPresetReader {
  private let source: JSONSource

  /// The preset in `bytes`, which came from `path`; unknown keys are faults, so that a typing error is not lost.
  static func preset(named name: String, bytes: [UInt8], path: String) throws(ResourceError) -> EqualizerPreset {
    let source = JSONSource(path: path, bytes: bytes)
    return try EqualizerPresetReader(source: source).preset(named: name, from: source.value())
  }

  private func preset(named name: String, from root: JSONValue) throws(ResourceError) -> EqualizerPreset {
    let fields = try JSONFields(root, place: "", keys: ["version", "title", "description", "bands"], source: source)
    try fields.checkVersion()
    let title = try fields.text("title")
    let description = try fields.text("description")
    let bands = try fields.value("bands")
    guard case .array(let elements) = bands.content else {
      throw source.fault(bands, "bands", "expected a list, found \(bands.kind)")
    }
    guard elements.count == EqualizerCurve.bandCount else {
      throw source.fault(
        bands, "bands", "\(elements.count) bands given; give \(EqualizerCurve.bandCount), from 32 to 16000 Hz")
    }
    var gains: [Decibels] = []
    for (index, element) in elements.enumerated() {
      gains.append(try gain(of: element, index: index))
    }
    do {
      return EqualizerPreset(
        name: name, title: title, description: description, curve: try EqualizerCurve(gains: gains))
    } catch {
      throw source.fault(bands, "bands", "\(error)")
    }
  }

  private func gain(of element: JSONValue, index: Int) throws(ResourceError) -> Decibels {
    let place = "bands[\(index)]"
    let fields = try JSONFields(element, place: place, keys: ["frequency", "gain"], source: source)
    let frequency = try fields.number("frequency")
    let centre = EqualizerCurve.frequencies[index]
    guard frequency.number == centre else {
      let problem = "\(plain(frequency.number)) Hz is not the centre of this band; write \(plain(centre))"
      throw source.fault(frequency.value, place + ".frequency", problem)
    }
    let gain = try fields.number("gain")
    guard EqualizerCurve.gainRange.contains(Decibels(gain.number)) else {
      throw source.fault(
        gain.value, place + ".gain", "\(Decibels(gain.number)) is outside −24…24 dB; choose a gain within it")
    }
    return Decibels(gain.number)
  }
}
