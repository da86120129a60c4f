import DSP

/// Turns the text of a preset file into a `Preset`; `presets/README.md` describes the format.
struct PresetReader {
  private let source: PresetSource

  /// The preset in `bytes`, which came from `path`; unknown keys are faults, so that a typing error is not lost.
  static func preset(named name: String, bytes: [UInt8], path: String) throws(PresetError) -> Preset {
    let source = PresetSource(path: path, bytes: bytes)
    return try PresetReader(source: source).preset(named: name, from: source.value())
  }

  private func preset(named name: String, from root: JSONValue) throws(PresetError) -> Preset {
    let fields = try PresetFields(root, place: "", keys: ["version", "title", "description", "bands"], source: source)
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
      return Preset(name: name, title: title, description: description, curve: try EqualizerCurve(gains: gains))
    } catch {
      throw source.fault(bands, "bands", "\(error)")
    }
  }

  private func gain(of element: JSONValue, index: Int) throws(PresetError) -> Decibels {
    let place = "bands[\(index)]"
    let fields = try PresetFields(element, place: place, keys: ["frequency", "gain"], source: source)
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
