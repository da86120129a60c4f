import AudioGraph

/// What a node of the control tree is set to, at a moment.
public struct NodeValue: Sendable, Equatable {
  /// "/channel/3/level"
  public let path: String
  /// Of the node's kind.
  public let value: PropertyValue
  /// As people read it: "−6.0 dB".
  public let text: String
  let label: String
  let title: Title

  /// What an answer calls a node among those of one command.
  package struct Title: Sendable, Equatable {
    /// What it is one of; nil for what has a name in place of a number.
    var index: TreeIndex?
    /// "3"; of strips that are no channels "microphone", "drums".
    var number = ""
    /// Which of several things of it: "reverb".
    var part = ""

    package init() {}

    init(index: TreeIndex?, number: String, part: String) {
      (self.index, self.number, self.part) = (index, number, part)
    }
  }
}

extension [NodeValue] {
  /// What a command has set, or tells, in a line: "level      channel 3 −6.0 dB".
  var line: String {
    guard let label = first?.label else { return "" }
    var kinds: [TreeIndex?] = []
    for value in self where !kinds.contains(value.title.index) { kinds.append(value.title.index) }
    let lists = kinds.map { kind in filter { $0.title.index == kind }.list(of: kind) }
    return label + String(repeating: " ", count: Swift.max(1, 11 - label.count)) + lists.joined(separator: "; ")
  }

  /// "channel 3 −6.0 dB", "3 −6.0 dB, 10 −3.0 dB, others 0.0 dB" or "all channels 0.0 dB".
  private func list(of index: TreeIndex?) -> String {
    var entries: [(number: String, text: String)] = []
    for value in self {
      let text = value.title.part.isEmpty ? value.text : "\(value.title.part) \(value.text)"
      if let last = entries.last, last.number == value.title.number {
        entries[entries.count - 1].text += " \(text)"
      } else {
        entries.append((value.title.number, text))
      }
    }
    guard let noun = index?.noun else {
      return entries.map { $0.number.isEmpty ? $0.text : "\($0.number) \($0.text)" }.joined(separator: ", ")
    }
    if entries.count == 1 { return "\(noun) \(entries[0].number) \(entries[0].text)" }
    let counts = Dictionary(entries.map { ($0.text, 1) }, uniquingKeysWith: +)
    let usual = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? ""
    let others = entries.filter { $0.text != usual }.map { "\($0.number) \($0.text)" }
    return others.isEmpty ? "all \(noun)s \(usual)" : (others + ["others \(usual)"]).joined(separator: ", ")
  }
}
