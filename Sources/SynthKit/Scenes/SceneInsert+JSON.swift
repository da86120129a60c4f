import AudioGraph
import SynthText

extension Scene.Insert {
  private static let keys = ["effect", "file", "mix", "bypass", "sideChain", "parameters"]

  /// Its kind alone where nothing is set.
  var json: JSONValue {
    var members: [(String, JSONValue)] = []
    if let file { members.append(("file", .string(file))) }
    if let mix { members.append(("mix", .number(mix))) }
    if isBypassed { members.append(("bypass", .bool(true))) }
    if let sideChain { members.append(("sideChain", .string("\(sideChain)"))) }
    if !settings.isEmpty {
      members.append(("parameters", .object(settings.sorted { $0.key < $1.key }.map { ($0, $1.json) })))
    }
    return members.isEmpty ? .string(kind) : .object([("effect", .string(kind))] + members)
  }

  init(_ json: JSONValue, place: String, source: JSONSource) throws(ResourceError) {
    guard json.text == nil else {
      self.init(try Self.kind(json, place, source).name)
      return
    }
    let fields = try JSONFields(json, place: place, keys: Self.keys, source: source)
    let kind = try Self.kind(fields.value("effect"), fields.at("effect"), source)
    self.init(kind.name)
    if fields.has("file") {
      guard kind.takesFile else {
        throw source.fault(try fields.value("file"), fields.at("file"), "\(kind.name) takes no file; leave it out")
      }
      file = Self.path(try fields.text("file"), besides: source.path)
    }
    if fields.has("mix") { mix = try fields.number("mix", in: 0...100) }
    isBypassed = try fields.isOn("bypass")
    if fields.has("sideChain") { sideChain = try Self.sideChain(kind, fields) }
    if fields.has("parameters") { try readSettings(fields.value("parameters"), kind, fields.at("parameters"), source) }
  }

  private static func kind(
    _ json: JSONValue, _ place: String, _ source: JSONSource
  ) throws(ResourceError) -> InsertKind {
    guard let name = json.text, let kind = InsertKind.all.first(where: { $0.name == name }) else {
      throw source.fault(json, place, "expected an effect: \(InsertKind.names.joined(separator: ", "))")
    }
    return kind
  }

  private static func sideChain(_ kind: InsertKind, _ fields: JSONFields) throws(ResourceError) -> Strip {
    let place = fields.at("sideChain")
    guard kind.takesSideChain else {
      throw fields.source.fault(
        try fields.value("sideChain"), place, "\(kind.name) takes no side chain; leave it out")
    }
    guard let strip = Strip(parsing: try fields.text("sideChain")), strip != .click else {
      throw fields.source.fault(try fields.value("sideChain"), place, "expected \(TreeIndex.strip.expected)")
    }
    return strip
  }

  /// A relative path is looked for where the scene lies.
  private static func path(_ file: String, besides scene: String) -> String {
    guard !file.hasPrefix("/"), let end = scene.lastIndex(of: "/") else { return file }
    return scene[...end] + file
  }

  private mutating func readSettings(
    _ json: JSONValue, _ kind: InsertKind, _ place: String, _ source: JSONSource
  ) throws(ResourceError) {
    guard case .object(let members) = json.content else {
      throw source.fault(json, place, "expected an object, found \(json.kind)")
    }
    let known: [InsertKind.Setting]
    do {
      known = try kind.settings()
    } catch {
      throw source.fault(json, place, "\(error)")
    }
    for member in members {
      let place = "\(place).\(member.key)"
      guard let setting = known.first(where: { $0.name == member.key }) else {
        let near = EditDistance.nearest(to: member.key, among: known.map(\.name))
        let list = "docs/scenes.md says how they are listed"
        let remedy = near.map { "did you mean \($0)?" } ?? list
        throw source.fault(at: member.offset, place, "no such parameter of the \(kind.name); \(remedy)")
      }
      guard let value = setting.kind.value(of: member.value) else {
        throw source.fault(member.value, place, "expected \(setting.kind)")
      }
      settings[setting.name] = value
    }
  }
}

extension PropertyKind {
  /// The value that JSON stands for; nil for one of another kind, and out of the range.
  fileprivate func value(of json: JSONValue) -> PropertyValue? { plain(json).flatMap(accept) }

  private func plain(_ json: JSONValue) -> PropertyValue? {
    switch (self, json.content) {
    case (.integer, .number(let number)), (.channel, .number(let number)):
      return Int(exactly: number).map { .integer($0) }
    case (_, .number(let number)): return .number(number)
    case (_, .bool(let isOn)): return .bool(isOn)
    case (_, .string(let text)): return .text(text)
    case (.list(let element, _), .array(let elements)):
      let values = elements.compactMap(element.plain)
      return values.count == elements.count ? .list(values) : nil
    default: return nil
    }
  }
}
