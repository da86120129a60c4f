extension SynthesizerControl {
  /// What the last word of a command that has been begun can become. Each is what is to stand behind its last blank: a
  /// whole word, or the rest of one in quotation marks.
  public func completions(of text: String) -> [String] {
    let (words, begun) = CommandWords.begun(text)
    guard let name = words.first else { return SynthesizerCommand.names.filter { $0.hasPrefix(begun) } }
    guard let row = CommandForm.all.first(where: { $0.name == name }) else { return [] }
    return candidates(for: row.choices, Array(words.dropFirst()), begun)
      .compactMap { CommandWords.completion($0, of: begun) }
  }

  /// - Parameters:
  ///   - words: those between the command and the one that has been begun.
  ///   - begun: with its opening quotation mark.
  private func candidates(for choices: CommandForm.Choices, _ words: [String], _ begun: String) -> [String] {
    let buses = synthesizer.buses.map(\.name)
    switch choices {
    case .nodes where words.isEmpty: return nodes.nodes
    case .nodes where words.count == 1: return nodes.names(of: words[0])
    case .nodes where words.count == 2: return nodes.values(of: words[1], of: words[0])
    case .setting(let settings): return settings.flatMap { $0.candidates(words, buses) }
    case .snapshots where words == ["recall"] || words == ["delete"] || words == ["save"]:
      return snapshots.all().entries.map(\.name)
    case .effects where words.count == 1: return InsertKind.names
    case .buses where words == ["delete"], .shares where words.count == 1: return buses
    case .buses where words.count == 1, .leading where words.count == 1:
      return ["main"] + buses.filter { $0 != words[0] }
    case .scenes where words.count == 1 && ["load", "delete", "save"].contains(words[0]): return snapshots.scenes.names
    default: break
    }
    guard words.isEmpty else { return [] }
    switch choices {
    case .presets: return presets.map(\.name) + ["next", "previous"] + (begun.contains("/") ? paths(begun) : [])
    case .instruments: return instruments(completing: begun[...])
    case .onOff: return ["on", "off"]
    case .off: return ["off"]
    case .files: return paths(begun)
    case .recording: return ["stop"] + paths(begun)
    case .snapshots: return ["save", "recall", "delete"] + snapshots.all().entries.map(\.name)
    case .devices: return devices
    case .strips, .effects: return TreeIndex.strip.words(buses)
    case .buses: return ["delete"] + buses
    case .leading: return TreeIndex.source.words(buses)
    case .scenes: return ["save", "load", "delete"] + snapshots.scenes.names
    case .setting, .nodes, .shares, .none: return []
    }
  }

  private func paths(_ begun: String) -> [String] {
    TypedPath.completions(of: String(begun.drop { $0 == "\"" || $0 == "'" }))
  }
}
