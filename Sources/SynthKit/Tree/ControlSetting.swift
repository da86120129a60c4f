import AudioGraph
import SynthText

/// A setting, declared once. The path, the typed command with its help and completion, the answer, the rights, learned
/// controls, the state that clients see and the addresses of OSC are all made from it.
///
///     .parameter("/FADER/level", "level FADER DB", "the level of a channel, the microphone or a bus",
///       example: "level 3 -6") { $0.fader(of: $1.strip)?.gain }
///
/// CHANNEL, FADER, STRIP, EFFECT, TRACK and INSERT in path and command stand for each of them (`TreeIndex`); the
/// closures are told which is meant. The last word of a command stands for the value.
package struct ControlSetting: Sendable {
  /// Where the value is.
  enum Content: Sendable {
    /// Any thread may set it, at once. Nil for a strip or an insert that is missing.
    case parameter(@Sendable (Synthesizer, TreePlace) -> Parameter?)
    /// The owner's thread sets it, and it may be refused.
    case property(
      PropertyKind, read: @Sendable (SynthesizerControl, TreePlace) -> PropertyValue,
      write: @Sendable (SynthesizerControl, TreePlace, PropertyValue) throws -> Void)
  }

  /// Throws where there is nothing to set, as without a song.
  typealias Check = @Sendable (SynthesizerControl, TreePlace, _ command: String) throws -> Void

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

    /// The first word.
    var name: String { if case .text(let name)? = words.components.first { name } else { "" } }
  }

  /// A number or a choice that may be set from any thread.
  static func parameter(
    _ path: String, _ command: String, _ summary: String, example: String, by: Asker = .network,
    check: @escaping Check = { _, _, _ in }, _ parameter: @escaping @Sendable (Synthesizer, TreePlace) -> Parameter?
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
    read: @escaping @Sendable (SynthesizerControl, TreePlace) -> PropertyValue,
    write: @escaping @Sendable (SynthesizerControl, TreePlace, PropertyValue) throws -> Void
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

  /// Its node at a place; nil where there is none now.
  ///
  /// - Parameter control: nil where the caller may touch parameters alone; there is no node for a property then.
  func node(_ place: TreePlace, _ synthesizer: Synthesizer, _ control: SynthesizerControl?) -> ControlNode? {
    let path = path.path(path.indices.map { $0.path(place) })
    switch content {
    case .parameter(let parameter):
      guard let parameter = parameter(synthesizer, place) else { return nil }
      return ControlNode(path, parameter, summary, by: by, label: command.name, title: title(place), text: text)
    case .property(let kind, let read, let write):
      guard let control else { return nil }
      return ControlNode(
        path, summary, by: by, kind: kind, label: command.name, noun: command.name, title: title(place),
        read: { read(control, place) }, write: { try write(control, place, $0) }, text: text)
    }
  }

  /// Its nodes of a strip, those of inserts left out.
  func nodes(of strip: Strip, _ synthesizer: Synthesizer) -> [ControlNode] {
    guard let first = path.indices.first, first.accepts(strip), path.indices.last != .insert else { return [] }
    let numbers = path.indices.count > 1 ? path.indices[1].numbers : 0..<1
    return numbers.compactMap { node(TreePlace(strip: strip, number: $0), synthesizer, nil) }
  }

  /// What answers call a node.
  private func title(_ place: TreePlace) -> NodeValue.Title {
    guard let first = path.indices.first else { return NodeValue.Title() }
    let part = path.indices.dropFirst().map { $0 == .insert ? "insert \($0.word(place))" : $0.word(place) }.first ?? ""
    guard first.isStrip else { return NodeValue.Title(index: first, number: first.word(place), part: part) }
    let isChannel = TreeIndex.channel.accepts(place.strip)
    return NodeValue.Title(index: isChannel ? .channel : nil, number: place.strip.word, part: part)
  }
}
