import AudioGraph
import SynthMIDI
import SynthText

/// What is asked of learned controls, in the words that were typed.
public enum LearnCommand: Sendable, Equatable {
  /// Waits for a control that is to turn this; "off" ends the waiting.
  case learn([String])
  /// "all" is every one.
  case unlearn([String])
  /// All that is learned.
  case list
}

extension SynthesizerControl {
  /// - Parameter asker: whose rights what is learned has.
  func perform(_ command: LearnCommand, as asker: Asker = .owner) throws(SynthesizerCommandError) -> SynthesizerAnswer {
    guard let controls = session?.controls else { throw .refused("learn: nothing is played") }
    switch command {
    case .learn(["off"]):
      controls.learn(nil)
      return .learn("learn      off")
    case .learn(let words):
      let wish = try wish(words, of: asker)
      controls.learn(wish)
      let form = wish.parameter.map { $0.isSwitch ? "press or move" : "move" } ?? "press or move"
      return .learn("learn      \(form) what is to turn \(wish.control.target.text); learn off gives it up")
    case .unlearn(let words):
      let count = controls.unlearn(words == ["all"] ? nil : try target(words).target)
      if count == 0, words != ["all"] { throw .refused("unlearn \(words.joined(separator: " ")): nothing turns it") }
      return .learn("unlearned  \(NumberFormatting.count(count, "control", "controls"))")
    case .list:
      let lines = controls.learned.map { "learned    \($0.trigger) turns \(text($0))" }
      return .learn(
        lines.isEmpty ? "learned    nothing; learn level 3, then move a control" : lines.joined(separator: "\n"))
    }
  }

  private func text(_ control: LearnedControl) -> String {
    let unit = parameter(of: control.target)?.unit ?? .ratio
    return control.target.text
      + (control.ends.map { " from \(unit.text($0[0])) to \(unit.text($0[1]))" } ?? "")
      + (control.isToggle ? ", toggle" : "") + (control.isPassedOn ? ", through" : "")
  }

  // MARK: - What words mean

  /// "mixer \"input 3 gain\" from -40 to 0 through"
  private func wish(
    _ words: [String], of asker: Asker
  ) throws(SynthesizerCommandError) -> (control: LearnedControl, parameter: Parameter?) {
    var words = words
    var control = LearnedControl(.command(""), LearnedTrigger(.controller(0), channel: 0))
    while let last = words.last, ["toggle", "through"].contains(last), words.count > 1 {
      if last == "toggle" { control.isToggle = true } else { control.isPassedOn = true }
      words.removeLast()
    }
    var ends: [String] = []
    if words.count > 4, words[words.count - 4] == "from", words[words.count - 2] == "to" {
      ends = [words[words.count - 3], words[words.count - 1]]
      words.removeLast(4)
    }
    let (target, parameter) = try target(words)
    if case .command(let line) = target {
      try authorize(learning: line, as: asker)
      control.asker = asker
    }
    control.target = target
    for text in ends {
      guard let parameter, !parameter.isSwitch else {
        throw .badValue(text, command: "learn \(target.text)", problem: "it has no range; leave out from and to")
      }
      guard let value = parameter.value(parsing: text) else {
        throw .badValue(text, command: "learn \(target.text)", problem: "give \(parameter.expected)")
      }
      control.ends = (control.ends ?? []) + [value]
    }
    return (control, parameter)
  }

  /// A node and a parameter of it, a strip's fader as it is called in commands, or a command.
  private func target(
    _ words: [String]
  ) throws(SynthesizerCommandError) -> (target: LearnedControl.Target, parameter: Parameter?) {
    if let parameter = tree.parameter(named: words), let node = node(of: parameter) {
      return (.parameter(node: node.name, name: parameter.name), parameter)
    }
    let line = words.map(CommandWords.quoted).joined(separator: " ")
    if words.count > 1, let node = try? nodes.node(named: words[0]) {
      let name = words.dropFirst().joined(separator: " ")
      if let parameter = node.parameters.first(where: { $0.name == name }) {
        return (.parameter(node: node.name, name: name), parameter)
      }
      guard (try? SynthesizerCommand(parsing: line)) == nil else { return (.command(line), nil) }
      throw nodes.unknown(name, of: node.name)
    }
    if session?.controls.programCommands[words[0]] != nil { return (.command(line), nil) }
    if case .tell? = try? SynthesizerCommand(parsing: line) {
      throw .badValue(
        line, command: "learn", problem: "it changes nothing; give all its words, or a node and a parameter")
    }
    _ = try SynthesizerCommand(parsing: line)
    return (.command(line), nil)
  }

  /// The node that has a parameter.
  private func node(of parameter: Parameter) -> (any AudioNode)? {
    synthesizer.engine.graph.nodes.first { $0.parameters.contains { $0 === parameter } }
  }

  func parameter(of target: LearnedControl.Target) -> Parameter? {
    guard case .parameter(let node, let name) = target else { return nil }
    return (try? nodes.node(named: node))?.parameters.first { $0.name == name }
  }

  // MARK: - From start to start

  /// Takes over what was learned before, and lets program changes of keyboards recall snapshots. [control thread]
  ///
  /// - Throws: where the file cannot be read; what it has is left alone until something is learned.
  public func loadControls() throws(SynthesizerCommandError) {
    listSnapshots()
    do throws(ResourceError) {
      set(try learnedStore.read(), isChange: false)
    } catch {
      throw .refused(error.line(of: "learned controls", \.description))
    }
  }

  /// - Returns: a line for each whose parameter is not there.
  @discardableResult
  func set(_ learned: [LearnedControl], isChange: Bool) -> [String] {
    let bound = learned.map { ($0, parameter(of: $0.target)) }
    session?.controls.set(bound, isChange: isChange)
    return bound.compactMap { control, parameter in
      guard case .parameter = control.target, parameter == nil else { return nil }
      return "\(control.trigger): \(control.target.text) is not there now"
    }
  }

  /// What controls have called since the last look, as it would be typed, with the rights of who had it learned; and
  /// what was learned, which is kept for the next start. To be called some 20 times a second. [control thread]
  ///
  /// - Throws: where what was learned cannot be kept.
  public func takeControls() throws(SynthesizerCommandError) -> (
    commands: [(line: String, asker: Asker)], news: [String]
  ) {
    guard let controls = session?.controls else { return ([], []) }
    let news = controls.takeNews()
    do throws(StateFileError) {
      if let changed = news.changed { try learnedStore.write(changed) }
    } catch {
      throw .refused("keeping learned controls: \(error)")
    }
    return (controls.takeCalls().map { ($0.isToggle ? toggled($0.line) : $0.line, $0.asker) }, news.lines)
  }

  /// The command that changes what is: of a button that plays and pauses, records and stops.
  private func toggled(_ line: String) -> String {
    switch line.prefix(while: { $0 != " " }) {
    case "pause", "play": session?.isSongPaused == true ? "play" : "pause"
    case "record": recorder?.recordings.isEmpty == false ? "record stop" : line
    default: line
    }
  }
}
