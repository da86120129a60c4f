/// What kind of node is meant, or which kinds (`AudioComponentDescription`). What is left out matches everything.
public struct ComponentDescription: Hashable, Sendable {
  /// What it is good for: "aumx" mixes.
  public var type: FourCharacterCode?
  /// Which of those it is: "mcmx" is the multichannel mixer.
  public var subtype: FourCharacterCode?
  /// Whose it is.
  public var manufacturer: FourCharacterCode?

  public init(
    type: FourCharacterCode? = nil, subtype: FourCharacterCode? = nil, manufacturer: FourCharacterCode? = nil
  ) {
    self.type = type
    self.subtype = subtype
    self.manufacturer = manufacturer
  }

  /// Parses `aumx/mcmx/synt`; `*` or nothing matches everything, and the type may also be a name: `mixer`, `effect/*`.
  public init(parsing text: String) throws(ComponentError) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count <= 3 else { throw .malformed(text) }
    var codes: [FourCharacterCode?] = []
    for (index, part) in parts.enumerated() {
      guard !part.isEmpty, part != "*" else {
        codes.append(nil)
        continue
      }
      let named = index == 0 ? ComponentType.allCases.first { $0.rawValue == part.lowercased() }?.code : nil
      guard let code = named ?? FourCharacterCode(parsing: part) else { throw .malformed(text) }
      codes.append(code)
    }
    codes += Array(repeating: nil, count: 3 - codes.count)
    self.init(type: codes[0], subtype: codes[1], manufacturer: codes[2])
  }

  /// Whether a kind of node is among those meant. A code of 0 matches everything, as no code does.
  public func matches(_ other: ComponentDescription) -> Bool {
    func agree(_ wanted: FourCharacterCode?, _ present: FourCharacterCode?) -> Bool {
      wanted == nil || wanted?.rawValue == 0 || wanted == present
    }
    return agree(type, other.type) && agree(subtype, other.subtype) && agree(manufacturer, other.manufacturer)
  }
}

extension ComponentDescription: CustomStringConvertible {
  /// `aumx/mcmx/synt`, with `*` for what is left out.
  public var description: String {
    [type, subtype, manufacturer].map { $0.map(\.description) ?? "*" }.joined(separator: "/")
  }
}

/// What nodes are good for; the codes are those of Audio Units.
public enum ComponentType: String, CaseIterable, Sendable {
  /// Gives the graph's sound to a device or a file.
  case output
  /// Plays MIDI.
  case instrument
  /// Makes sound by itself.
  case generator
  /// Alters sound.
  case effect
  /// Makes one sound from several.
  case mixer
  /// Changes the format of sound, or its rate.
  case converter
  /// Takes sound out of the graph beside its output.
  case sink

  /// What Audio Units call the type: "aumx".
  public var code: FourCharacterCode {
    switch self {
    case .output: "auou"
    case .instrument: "aumu"
    case .generator: "augn"
    case .effect: "aufx"
    case .mixer: "aumx"
    case .converter: "aufc"
    case .sink: "ausk"
    }
  }
}

/// Four ASCII characters in 32 bits, by which kinds of node are told apart (`OSType`): "aumx".
public struct FourCharacterCode: Hashable, Sendable {
  /// The first character in the highest byte. 0 is no code.
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Exactly four printable ASCII characters; nil for anything else.
  public init?(parsing text: String) {
    guard text.utf8.count == 4, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
    rawValue = text.utf8.reduce(0) { $0 << 8 | UInt32($1) }
  }
}

extension FourCharacterCode: ExpressibleByStringLiteral {
  /// A literal of another form is a mistake in the program, which ends with a message.
  public init(stringLiteral text: String) {
    guard let code = FourCharacterCode(parsing: text) else {
      preconditionFailure("\"\(text)\" is no four-character code: write four printable ASCII characters")
    }
    self = code
  }
}

extension FourCharacterCode: CustomStringConvertible {
  /// The four characters; what is not printable is a full stop.
  public var description: String {
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> $0) }
    return String(decoding: bytes.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: ".") }, as: UTF8.self)
  }
}
