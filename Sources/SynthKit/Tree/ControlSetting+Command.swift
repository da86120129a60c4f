import AudioGraph
import SynthText

// The typed commands of settings: forms, reading and completion, all from the declarations.

extension ControlSetting {
  /// The rows of the table of commands. Settings with the same first word share a row: "mute 3" and "mute track 2".
  static func forms(_ settings: [ControlSetting]) -> [CommandForm] {
    var names: [String] = []
    for setting in settings where !names.contains(setting.command.name) { names.append(setting.command.name) }
    return names.flatMap { name in
      let group = settings.filter { $0.command.name == name }
      let first = group[0]
      // Where it is told alone: all of its nodes.
      let told = SynthesizerSetting.values(group.flatMap(\.path.wildPaths))
      func form(_ name: String, _ summary: String, _ example: String, to value: String?) -> CommandForm {
        CommandForm(
          name + valueForm(group), summary, by: first.by, example: example, choices: .setting(group), tells: told
        ) { words throws(SynthesizerCommandError) in try read(&words, group, to: value) }
      }
      guard let off = first.command.off else { return [form(name, first.summary, first.command.example, to: nil)] }
      let example = first.command.example
      return [
        form(name, first.summary, example, to: "on"),
        form(off.name, off.summary, off.name + example.dropFirst(name.count), to: "off"),
      ]
    }
  }

  /// " CHANNEL|all|track N", " CHANNEL|all DB".
  private static func valueForm(_ group: [ControlSetting]) -> String {
    let forms = group.map { setting in
      let words = setting.command.words.components.dropFirst().map { component in
        switch component {
        case .text(let text): text
        case .index(let index): index.form
        }
      }
      return (words + (setting.command.value.isEmpty ? [] : [setting.command.value])).joined(separator: " ")
    }
    return " " + forms.joined(separator: "|")
  }

  /// - Parameter value: what a switch is set to; nil where the value is typed.
  private static func read(
    _ words: inout CommandWords, _ group: [ControlSetting], to value: String?
  ) throws(SynthesizerCommandError) -> SynthesizerCommand {
    let setting = group.first { $0.command.begins(with: words.upcoming) } ?? group[0]
    var typed: [String] = []
    var chosen: [String] = []
    for component in setting.command.words.components.dropFirst() {
      // "send 3" tells of all effects.
      if words.isAtEnd, value == nil, !typed.isEmpty { break }
      let word = try words.next()
      typed.append(word)
      guard case .index(let index) = component else { continue }
      if word == "all", index != .effect {
        chosen.append(index.wildcards[0])
      } else if let place = index.place(of: word) {
        chosen.append(index.path(place))
      } else {
        let expected = index.expected + (index == .effect || index == .insert ? "" : ", or all")
        throw .badValue(typed.joined(separator: " "), command: words.name, problem: "give \(expected)")
      }
    }
    let rest = setting.path.indices.dropFirst(chosen.count).map { $0.wildcards[0] }
    let path = setting.path.path(chosen + rest)
    if let value { return .set(path: path, to: value) }
    return words.isAtEnd ? .tell(.values([path])) : .set(path: path, to: try words.rest())
  }

  /// What the word behind some words of the command can be.
  ///
  /// - Parameters:
  ///   - words: those between the first one and the one that has been begun.
  ///   - buses: the names of those there are.
  func candidates(_ words: [String], _ buses: [String]) -> [String] {
    let components = command.words.components.dropFirst()
    if words.count < components.count {
      guard words.count == 0 || command.begins(with: words.first) || path.indices.count > 1 else { return [] }
      switch components[components.startIndex + words.count] {
      case .index(let index): return index.words(buses)
      case .text(let text): return [text]
      }
    }
    guard words.count == components.count, case .property(let kind, _, _) = content else { return [] }
    return command.off == nil ? kind.names : []
  }
}

extension ControlSetting.Command {
  /// Whether the second word is written as it stands here: "track".
  func begins(with word: String?) -> Bool {
    guard words.components.count > 1, case .text(let text) = words.components[1] else { return false }
    return text == word
  }
}

extension PropertyKind {
  /// The words that a value may be; empty where it is a number or a text.
  var names: [String] {
    switch self {
    case .bool: ["on", "off"]
    case .choice(let names): names
    default: []
    }
  }
}
