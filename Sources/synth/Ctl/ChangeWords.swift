import SynthText

/// Changes of the state as lines for a person: "channel 3 level -6".
enum ChangeWords {
  /// Longer lists are left out: curves, names of all presets.
  private static let longestList = 12

  static func lines(of change: JSONValue, since state: JSONValue?) -> [String] {
    members(change).flatMap { section, value -> [String] in
      guard section == "channels" else { return lines(section, value, state?[section]) }
      return (value.list ?? []).flatMap { channel in
        let before = state?["channels"]?.list?.first { $0["channel"]?.number == channel["channel"]?.number }
        return lines("channel \(channel["channel"] ?? .null)", channel, before)
      }
    }
  }

  /// What is otherwise than before.
  private static func lines(_ name: String, _ value: JSONValue, _ before: JSONValue?) -> [String] {
    // Equal values of different lines are not the same, because they know their places.
    guard value.description != before?.description else { return [] }
    let fields = members(value)
    if !fields.isEmpty { return fields.flatMap { lines("\(name) \($0)", $1, before?[$0]) } }
    if let list = value.list, list.count > longestList || list.contains(where: { $0.list != nil }) { return [] }
    return ["\(name) \(value.text ?? "\(value)")"]
  }

  static func merged(_ state: JSONValue, _ change: JSONValue) -> JSONValue {
    .object(
      members(state).map { name, value in
        guard let new = change[name] else { return (name, value) }
        guard name == "channels", let channels = value.list, let changed = new.list else { return (name, new) }
        return (
          name, .array(channels.map { old in changed.first { $0["channel"]?.number == old["channel"]?.number } ?? old })
        )
      })
  }

  private static func members(_ value: JSONValue) -> [(String, JSONValue)] {
    if case .object(let members) = value.content { members.map { ($0.key, $0.value) } } else { [] }
  }
}
