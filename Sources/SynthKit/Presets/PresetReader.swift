import DSP

/// Turns the text of a preset file into a `Preset`; `presets/README.md` describes the format.
struct PresetReader {
  private let source: PresetSource

  /// The preset in `bytes`, which came from `path`; unknown keys are faults, so that a typing error is not lost.
  static func preset(named name: String, bytes: [UInt8], path: String) throws(PresetError) -> Preset {
    let root: JSONValue
    do {
      root = try JSONReader.value(of: bytes)
    } catch {
      throw .malformed(path: path, at: TextLocation(offset: error.offset, in: bytes), problem: error.problem)
    }
    return try PresetReader(source: PresetSource(path: path, bytes: bytes)).preset(named: name, from: root)
  }

  private func preset(named name: String, from root: JSONValue) throws(PresetError) -> Preset {
    let fields = try Fields(root, place: "", keys: ["version", "title", "description", "bands"], source: source)
    let version = try fields.number("version")
    guard version.number == 1 else {
      throw source.fault(
        version.value, "version", "\(plain(version.number)) is not known; this program reads version 1")
    }
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
    let fields = try Fields(element, place: place, keys: ["frequency", "gain"], source: source)
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

/// Where a preset was read from, to name the place of what is wrong with it.
private struct PresetSource {
  let path: String
  let bytes: [UInt8]

  func fault(at offset: Int, _ place: String, _ problem: String) -> PresetError {
    .invalid(path: path, at: TextLocation(offset: offset, in: bytes), place: place, problem: problem)
  }

  func fault(_ value: JSONValue, _ place: String, _ problem: String) -> PresetError {
    fault(at: value.offset, place, problem)
  }
}

/// The members of one object, each of which must be there.
private struct Fields {
  let object: JSONValue
  let members: [JSONValue.Member]
  let place: String
  let source: PresetSource

  init(_ value: JSONValue, place: String, keys: [String], source: PresetSource) throws(PresetError) {
    guard case .object(let members) = value.content else {
      throw source.fault(value, place, "expected an object, found \(value.kind)")
    }
    (object, self.members, self.place, self.source) = (value, members, place, source)
    if let stranger = members.first(where: { !keys.contains($0.key) }) {
      let problem = "unknown key; known are \(keys.joined(separator: ", "))"
      throw source.fault(at: stranger.offset, at(stranger.key), problem)
    }
  }

  func value(_ key: String) throws(PresetError) -> JSONValue {
    guard let member = members.first(where: { $0.key == key }) else {
      throw source.fault(object, at(key), "missing; add it")
    }
    return member.value
  }

  func number(_ key: String) throws(PresetError) -> (number: Double, value: JSONValue) {
    let value = try value(key)
    guard case .number(let number) = value.content else {
      throw source.fault(value, at(key), "expected a number, found \(value.kind)")
    }
    return (number, value)
  }

  func text(_ key: String) throws(PresetError) -> String {
    let value = try value(key)
    guard case .string(let text) = value.content, !text.isEmpty, !text.unicodeScalars.contains(where: isControl) else {
      throw source.fault(value, at(key), "expected a text of one line")
    }
    return text
  }

  private func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .control }

  private func at(_ key: String) -> String { place.isEmpty ? key : "\(place).\(key)" }
}

/// A number without a needless ".0".
private func plain(_ number: Double) -> String {
  number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
}
