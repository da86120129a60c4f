import SynthMIDI
import SynthText

/// How a synthesizer is set at a moment: fonts, instruments, programs, strips, effects, preset, and how songs are
/// played. What is nil stays as it is when the snapshot is recalled. `docs/configuration.md` describes its file.
public struct SynthesizerSnapshot: Sendable, Equatable {
  /// What a channel, 0 to 15, plays of the soundfonts.
  public struct Program: Sendable, Equatable {
    /// 0 to 15.
    public var channel: UInt8
    /// The soundfont's; 128 for drums.
    public var bank: Int
    /// 0 to 127.
    public var program: UInt8
  }

  /// The parameters of a node, by name.
  public struct Node: Sendable, Equatable {
    /// As the graph has it.
    public var name: String
    /// In each parameter's unit.
    public var values: [(name: String, value: Float)]

    public static func == (one: Node, other: Node) -> Bool {
      one.name == other.name && one.values.elementsEqual(other.values) { $0 == $1 }
    }
  }

  /// Paths, in the order of the stack.
  public var soundFonts: [String]?
  /// As they are asked for: "3=pad".
  public var instruments: [String]?
  /// Of the channels that play soundfonts.
  public var programs: [Program]?
  /// The preset's name, and its gains, which count.
  public var preset: String?
  /// The ten gains in decibels.
  public var bands: [Double]?
  /// The names of types, or "off".
  public var reverb: String?
  /// See `reverb`.
  public var chorus: String?
  /// See `reverb`.
  public var delay: String?
  /// What is inserted where.
  public var scene: Scene?
  /// Of all nodes that have parameters, but those of inserts.
  public var nodes: [Node]?
  /// 1 is the file's.
  public var tempo: Double?
  /// In semitones.
  public var transposition: Int?
  /// In bars.
  public var countIn: Int?
  /// As they are asked for: "track:2=10".
  public var routes: [String]?
  /// From 0.
  public var mutedTracks: [Int]?
  /// From 0.
  public var soloedTracks: [Int]?
  /// What controls of keyboards turn.
  public var learned: [LearnedControl]?

  public init() {}
}

// MARK: - As a file

extension SynthesizerSnapshot {
  private static let keys = [
    "version", "program", "soundfonts", "instruments", "programs", "preset", "bands", "reverb", "chorus", "delay",
    "scene", "parameters", "tempo", "transpose", "countIn", "routes", "mutedTracks", "soloedTracks", "learned",
  ]

  /// A line for each member.
  ///
  /// - Parameter program: the program change that recalls it.
  func text(program: UInt8?) -> String {
    func list<Item>(_ items: [Item]?, _ json: (Item) -> JSONValue) -> JSONValue? { items.map { .array($0.map(json)) } }
    let members: [(String, JSONValue?)] = [
      ("version", .number(1)), ("program", program.map { .number(Int($0)) }),
      ("soundfonts", list(soundFonts) { .string($0) }), ("instruments", list(instruments) { .string($0) }),
      (
        "programs",
        list(programs) { program in
          .object([
            ("channel", .number(Int(program.channel) + 1)), ("bank", .number(program.bank)),
            ("program", .number(Int(program.program))),
          ])
        }
      ),
      ("preset", preset.map { .string($0) }), ("bands", list(bands) { .number($0) }),
      ("reverb", reverb.map { .string($0) }), ("chorus", chorus.map { .string($0) }),
      ("delay", delay.map { .string($0) }), ("scene", scene?.json),
      (
        "parameters",
        nodes.map { nodes in
          .object(nodes.map { node in (node.name, .object(node.values.map { ($0.name, .number($0.value)) })) })
        }
      ),
      ("tempo", tempo.map { .number($0) }), ("transpose", transposition.map { .number($0) }),
      ("countIn", countIn.map { .number($0) }), ("routes", list(routes) { .string($0) }),
      ("mutedTracks", list(mutedTracks) { .number($0 + 1) }), ("soloedTracks", list(soloedTracks) { .number($0 + 1) }),
      ("learned", list(learned, \.json)),
    ]
    let lines = members.compactMap { name, value in value.map { "  \(JSONValue.string(name)): \($0)" } }
    return "{\n\(lines.joined(separator: ",\n"))\n}\n"
  }

  /// - Returns: the snapshot, and the program change that recalls it.
  static func read(_ bytes: [UInt8], path: String) throws(ResourceError) -> (
    snapshot: SynthesizerSnapshot, program: UInt8?
  ) {
    let source = JSONSource(path: path, bytes: bytes)
    let fields = try JSONFields(try source.value(), place: "", keys: keys, source: source)
    try fields.checkVersion()
    var snapshot = SynthesizerSnapshot()
    snapshot.soundFonts = try fields.list("soundfonts", "texts", \.text)
    snapshot.instruments = try fields.list("instruments", "texts", \.text)
    snapshot.programs = try fields.list("programs", "objects of channel, bank and program", Program.init)
    snapshot.preset = fields.has("preset") ? try fields.text("preset") : nil
    snapshot.bands = try fields.list("bands", "numbers", \.number)
    snapshot.reverb = fields.has("reverb") ? try fields.text("reverb") : nil
    snapshot.chorus = fields.has("chorus") ? try fields.text("chorus") : nil
    snapshot.delay = fields.has("delay") ? try fields.text("delay") : nil
    if fields.has("scene") { snapshot.scene = try Scene(fields.value("scene"), place: "scene", source: source) }
    if fields.has("parameters") { snapshot.nodes = try fields.nodes("parameters") }
    snapshot.tempo = fields.has("tempo") ? try fields.number("tempo", in: 0.25...4) : nil
    snapshot.transposition = fields.has("transpose") ? Int(try fields.number("transpose", in: -24...24)) : nil
    snapshot.countIn = fields.has("countIn") ? Int(try fields.number("countIn", in: 0...16)) : nil
    snapshot.routes = try fields.list("routes", "texts", \.text)
    snapshot.mutedTracks = try fields.list("mutedTracks", "numbers of tracks from 1", track)
    snapshot.soloedTracks = try fields.list("soloedTracks", "numbers of tracks from 1", track)
    if fields.has("learned") {
      snapshot.learned = try LearnedControl.list(fields.value("learned"), place: "learned", source: source)
    }
    return (snapshot, fields.has("program") ? UInt8(try fields.number("program", in: 0...127)) : nil)
  }

  private static func track(_ value: JSONValue) -> Int? {
    value.number.flatMap { Int(exactly: $0) }.flatMap { (1...1024).contains($0) ? $0 - 1 : nil }
  }
}

extension SynthesizerSnapshot.Program {
  fileprivate init?(_ json: JSONValue) {
    func number(_ key: String, _ range: ClosedRange<Int>) -> Int? {
      guard case .object(let members) = json.content else { return nil }
      return members[key]?.number.flatMap { Int(exactly: $0) }.flatMap { range.contains($0) ? $0 : nil }
    }
    guard let channel = number("channel", 1...MIDIPorts.channelCount), let bank = number("bank", 0...16383),
      let program = number("program", 0...127)
    else { return nil }
    self.init(channel: UInt8(channel - 1), bank: bank, program: UInt8(program))
  }
}

extension JSONFields {
  /// The list of a key; nil where it is left out.
  fileprivate func list<Item>(
    _ key: String, _ expected: String, _ read: (JSONValue) -> Item?
  ) throws(ResourceError) -> [Item]? {
    guard has(key) else { return nil }
    let value = try value(key)
    guard let list = value.list else {
      throw source.fault(value, key, "expected a list of \(expected), found \(value.kind)")
    }
    var items: [Item] = []
    for element in list {
      guard let item = read(element) else { throw source.fault(element, key, "expected a list of \(expected)") }
      items.append(item)
    }
    return items
  }

  fileprivate func nodes(_ key: String) throws(ResourceError) -> [SynthesizerSnapshot.Node] {
    var nodes: [SynthesizerSnapshot.Node] = []
    guard case .object(let members) = try value(key).content else {
      throw source.fault(try value(key), key, "expected an object of nodes")
    }
    for member in members {
      guard case .object(let values) = member.value.content, values.allSatisfy({ $0.value.number != nil }) else {
        throw source.fault(member.value, "\(key).\(member.key)", "expected an object of numbers")
      }
      nodes.append(
        SynthesizerSnapshot.Node(
          name: member.key, values: values.map { (name: $0.key, value: Float($0.value.number ?? 0)) }))
    }
    return nodes
  }
}
