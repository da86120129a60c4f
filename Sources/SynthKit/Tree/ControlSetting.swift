import AudioGraph
import SynthText

/// A setting, declared once. The path, the typed command with its help and completion, the answer, the rights, learned
/// controls, the state that clients see and the addresses of OSC are all made from it.
///
///     .parameter("/channel/CHANNEL/level", "level CHANNEL DB", "the level of a channel, 1 to 16",
///       example: "level 3 -6") { $0.strip($1[0])?.gain }
///
/// CHANNEL, EFFECT, TRACK and INSERT in path and command stand for each of them (`TreeIndex`); the closures are given
/// their numbers, from 0. The last word of a command stands for the value.
package struct ControlSetting: Sendable {
  /// Where the value is.
  enum Content: Sendable {
    /// Any thread may set it, at once. Nil for a channel, an insert or a microphone that is missing.
    case parameter(@Sendable (Synthesizer, [Int]) -> Parameter?)
    /// The owner's thread sets it, and it may be refused.
    case property(
      PropertyKind, read: @Sendable (SynthesizerControl, [Int]) -> PropertyValue,
      write: @Sendable (SynthesizerControl, [Int], PropertyValue) throws -> Void)
  }

  /// Throws where there is nothing to set, as without a song.
  typealias Check = @Sendable (SynthesizerControl, _ indices: [Int], _ command: String) throws -> Void

  let path: TreePattern
  let command: Command
  let summary: String
  let by: Asker
  let content: Content
  let check: Check
  let text: (@Sendable (PropertyValue) -> String)?

  /// How it is typed.
  struct Command: Sendable {
    /// "level CHANNEL"
    let words: TreePattern
    /// What stands for the value in the form: "DB". Empty for a switch, which has words for on and off.
    let value: String
    /// The first word that switches it off, in place of `name`, and its summary; nil for what has a value.
    var off: (name: String, summary: String)?
    let example: String

    /// What stands behind the first word: "microphone"; empty without.
    var object: String { words.path([]).split(separator: "/").dropFirst().joined(separator: " ") }

    /// The first word.
    var name: String { if case .text(let name)? = words.components.first { name } else { "" } }
  }

  /// A number or a choice that may be set from any thread.
  static func parameter(
    _ path: String, _ command: String, _ summary: String, example: String, by: Asker = .network,
    check: @escaping Check = { _, _, _ in }, _ parameter: @escaping @Sendable (Synthesizer, [Int]) -> Parameter?
  ) -> ControlSetting {
    ControlSetting(path, command, summary, example, by, .parameter(parameter), nil, check, nil)
  }

  /// Something that is on or off, with a command for either.
  static func `switch`(
    _ path: String, _ command: String, _ summary: String, example: String,
    off: (name: String, summary: String), by: Asker = .network, check: @escaping Check = { _, _, _ in },
    _ content: Content
  ) -> ControlSetting {
    ControlSetting(path, command + " ON", summary, example, by, content, off, check, nil)
  }

  /// A value that the owner's thread sets.
  static func property(
    _ path: String, _ command: String, _ summary: String, example: String, kind: PropertyKind, by: Asker = .network,
    check: @escaping Check = { _, _, _ in }, text: (@Sendable (PropertyValue) -> String)? = nil,
    read: @escaping @Sendable (SynthesizerControl, [Int]) -> PropertyValue,
    write: @escaping @Sendable (SynthesizerControl, [Int], PropertyValue) throws -> Void
  ) -> ControlSetting {
    ControlSetting(
      path, command, summary, example, by, .property(kind, read: read, write: write), nil, check, text)
  }

  private init(
    _ path: String, _ command: String, _ summary: String, _ example: String, _ by: Asker, _ content: Content,
    _ off: (name: String, summary: String)?, _ check: @escaping Check,
    _ text: (@Sendable (PropertyValue) -> String)?
  ) {
    let end = command.lastIndex(of: " ") ?? command.endIndex
    self.path = TreePattern(path)
    self.command = Command(
      words: TreePattern(String(command[..<end])), value: off == nil ? String(command[end...].dropFirst()) : "",
      off: off, example: example)
    (self.summary, self.by, self.content, self.check, self.text) = (summary, by, content, check, text)
  }

  /// Whether any thread may set it.
  var isParameter: Bool { if case .parameter = content { true } else { false } }

  /// The node of these indices; nil where there is none now.
  ///
  /// - Parameter control: nil where the caller may touch parameters alone; there is no node for a property then.
  func node(_ indices: [Int], _ synthesizer: Synthesizer, _ control: SynthesizerControl?) -> ControlNode? {
    switch content {
    case .parameter(let parameter):
      guard let parameter = parameter(synthesizer, indices) else { return nil }
      let (place, title) = names(indices)
      return ControlNode(place, parameter, summary, by: by, label: command.name, title: title, text: text)
    case .property(let kind, let read, let write):
      guard let control else { return nil }
      let (place, title) = names(indices)
      return ControlNode(
        place, summary, by: by, kind: kind, label: command.name, noun: command.name, title: title,
        read: { read(control, indices) }, write: { try write(control, indices, $0) }, text: text)
    }
  }

  /// The path of a node, and what answers call it.
  private func names(_ indices: [Int]) -> (path: String, title: NodeValue.Title) {
    let words = zip(path.indices, indices).map { $0.word($1) }
    let place = path.path(words)
    guard path.indices.last == .insert else {
      let part = path.indices.isEmpty ? command.object : words.dropFirst().joined(separator: " ")
      return (place, NodeValue.Title(index: path.indices.first, number: words.first ?? "", part: part))
    }
    let insert = "insert \(words[words.count - 1])"
    guard words.count == 1, case .text(let strip) = path.components[0] else {
      return (place, NodeValue.Title(index: path.indices.first, number: words[0], part: insert))
    }
    return (place, NodeValue.Title(index: nil, number: "", part: "\(strip) \(insert)"))
  }
}
