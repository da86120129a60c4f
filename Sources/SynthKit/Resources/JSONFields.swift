import AudioGraph
import SynthText

/// A JSON file that is read, for errors that name the place of a fault.
struct JSONSource {
  let path: String
  let bytes: [UInt8]

  /// The value of the whole text.
  func value() throws(ResourceError) -> JSONValue {
    do {
      return try JSONValue(parsing: bytes)
    } catch {
      throw .malformed(path: path, at: TextLocation(offset: error.offset, in: bytes), problem: error.problem)
    }
  }

  func fault(at offset: Int, _ place: String, _ problem: String) -> ResourceError {
    .invalid(path: path, at: TextLocation(offset: offset, in: bytes), place: place, problem: problem)
  }

  func fault(_ value: JSONValue, _ place: String, _ problem: String) -> ResourceError {
    fault(at: value.offset, place, problem)
  }
}

/// The members of a JSON object; a member that is read without a default is required.
struct JSONFields {
  let object: JSONValue
  let members: [JSONValue.Member]
  let place: String
  let source: JSONSource

  init(_ value: JSONValue, place: String, keys: [String], source: JSONSource) throws(ResourceError) {
    guard case .object(let members) = value.content else {
      throw source.fault(value, place, "expected an object, found \(value.kind)")
    }
    (object, self.members, self.place, self.source) = (value, members, place, source)
    if let stranger = members.first(where: { !keys.contains($0.key) }) {
      let problem = "unknown key; known are \(keys.joined(separator: ", "))"
      throw source.fault(at: stranger.offset, at(stranger.key), problem)
    }
  }

  func value(_ key: String) throws(ResourceError) -> JSONValue {
    guard let member = members.first(where: { $0.key == key }) else {
      throw source.fault(object, at(key), "missing; add it")
    }
    return member.value
  }

  func number(_ key: String) throws(ResourceError) -> (number: Double, value: JSONValue) {
    let value = try value(key)
    guard case .number(let number) = value.content else {
      throw source.fault(value, at(key), "expected a number, found \(value.kind)")
    }
    return (number, value)
  }

  /// A number within a range; the default where the key is left out.
  func number(_ key: String, in range: ClosedRange<Double>, default: Double? = nil) throws(ResourceError) -> Double {
    if let `default`, !has(key) { return `default` }
    let (number, value) = try number(key)
    guard range.contains(number) else {
      let limits = "\(plain(range.lowerBound))…\(plain(range.upperBound))".replacing("-", with: "−")
      throw source.fault(value, at(key), "\(plain(number)) is outside \(limits); choose a number within it")
    }
    return number
  }

  /// One of a few words; the default where the key is left out.
  func word<Word: RawRepresentable<String> & CaseIterable>(
    _ key: String, default: Word? = nil
  ) throws(ResourceError) -> Word {
    if let `default`, !has(key) { return `default` }
    let value = try value(key)
    let known = Word.allCases.map(\.rawValue)
    guard case .string(let text) = value.content, let word = Word(rawValue: text) else {
      throw source.fault(value, at(key), "expected one of \(known.joined(separator: ", "))")
    }
    return word
  }

  /// The object of a key; nil where it is left out.
  func fields(_ key: String, keys: [String]) throws(ResourceError) -> JSONFields? {
    has(key) ? try JSONFields(value(key), place: at(key), keys: keys, source: source) : nil
  }

  func has(_ key: String) -> Bool { members.contains { $0.key == key } }

  func checkVersion() throws(ResourceError) {
    let version = try number("version")
    guard version.number == 1 else {
      throw source.fault(
        version.value, "version", "\(plain(version.number)) is not known; this program reads version 1")
    }
  }

  func text(_ key: String) throws(ResourceError) -> String {
    let value = try value(key)
    guard case .string(let text) = value.content, !text.isEmpty, !text.unicodeScalars.contains(where: isControl) else {
      throw source.fault(value, at(key), "expected a text of one line")
    }
    return text
  }

  private func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .control }

  func at(_ key: String) -> String { place.isEmpty ? key : "\(place).\(key)" }
}

/// A number without ".0".
func plain(_ number: Double) -> String {
  number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
}
