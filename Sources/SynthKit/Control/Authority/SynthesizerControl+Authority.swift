import AudioGraph
import SynthALSA
import SynthDSP
import SynthText

// Who may do what, and what others than the owner may name; `docs/control.md` has the table.

extension SynthesizerControl {
  /// Does what a line of words asks for, as far as its asker may. [control thread]
  ///
  /// - Returns: what is played then.
  public mutating func perform(
    _ line: String, as asker: Asker
  ) throws(SynthesizerCommandError) -> SynthesizerAnswer {
    try authorize(line, as: asker)
    let command = try listed(SynthesizerCommand(parsing: line), for: asker)
    do throws(SynthesizerCommandError) {
      if case .learn(let command) = command { return try perform(command, as: asker) }
      return try perform(command)
    } catch {
      throw asker == .owner ? error : error.withoutContents
    }
  }

  /// Finds out whether a command may be given, a program's own too; the one place where that is decided.
  ///
  /// - Throws: who may give it. An unknown command is refused to all but the owner, whose line the program then reads.
  func authorize(_ line: String, as asker: Asker) throws(SynthesizerCommandError) {
    let words = CommandWords(line)
    // What a path may be set to says each node of it.
    if words.name.hasPrefix("/") { return }
    let row = words.row
    let own = session?.controls.programCommands[words.name]
    guard let least = own ?? row.map({ words.isAtEnd && $0.setting != nil ? .network : $0.by }) else {
      if asker == .owner { return }
      throw .unknownCommand(
        words.name, nearest: EditDistance.nearest(to: words.name, among: SynthesizerCommand.names))
    }
    guard asker >= least else { throw asker.refusal(of: words.name, least: least) }
  }

  /// A command with what it names as it is listed: a device, a soundfont, a new file in the directory of recordings.
  /// The owner may name anything.
  ///
  /// - Throws: where it names something else. Whether anything lies there is not looked at.
  private func listed(
    _ command: SynthesizerCommand, for asker: Asker
  ) throws(SynthesizerCommandError) -> SynthesizerCommand {
    guard asker < .owner else { return command }
    switch command {
    case .preset(let name):
      guard name.hasPrefix(BandList.prefix) || presetNames.contains(name) else {
        throw unlisted(name, "preset", command: "preset", among: presetNames)
      }
    case .instrument(let choice):
      for name in choice.names where !instrumentLibrary.choices.contains(name) {
        throw unlisted(name, "instrument", command: "instrument", among: instrumentLibrary.choices)
      }
    case .soundFont(let name):
      let fonts = soundFonts
      guard let path = fonts[name] else {
        throw unlisted(name, "soundfont", command: "soundfont", among: Array(fonts.keys))
      }
      return .soundFont(path)
    case .move(let name):
      let devices = devices
      guard let device = devices.first(where: { $0 == name || $0 == PCMRequest.stableName(of: name) }) else {
        throw unlisted(name, "device", command: "out", among: devices)
      }
      return .move(device)
    case .record(let name?): return .record(try newFile(name, command: "record"))
    case .recordStrip(let name, let strip):
      return .recordStrip(try newFile(name, command: "record"), from: strip)
    case .save(let name): return .save(try newFile(name, command: "save"))
    case .inserts(.insert(_, _, file: .some, _)): throw asker.refusal(of: "insert from a file", least: .owner)
    case .setNode(let node, let name, _):
      for node in try nodes.nodes(of: node, name) { try node.authorize(asker) }
    case .set(let path, _):
      for node in try tree.nodes(at: path) { try node.authorize(asker) }
    default: break
    }
    return command
  }

  /// Finds out whether a command that a control is to call may be given.
  func authorize(learning line: String, as asker: Asker) throws(SynthesizerCommandError) {
    try authorize(line, as: asker)
    if let command = try? SynthesizerCommand(parsing: line) { _ = try listed(command, for: asker) }
  }

  private func newFile(_ name: String, command: String) throws(SynthesizerCommandError) -> String {
    guard let recorder else { throw .output("recording: nothing is played") }
    return try recorder.directory.newFile(named: name, command: command)
  }

  private func unlisted(
    _ name: String, _ kind: String, command: String, among names: [String]
  ) -> SynthesizerCommandError {
    let near = EditDistance.nearest(to: name, among: names, within: name.count / 2)
    let known = near == nil && names.count <= 8 ? names.sorted() : []
    return .unknownName(name, kind: kind, command: command, nearest: near, known: known)
  }
}

// MARK: - What is listed

extension SynthesizerControl {
  /// The paths of the soundfonts that can be chosen by file name: those that lie in the directories of soundfonts, and
  /// those that the synthesizer began with. Reads directories.
  var soundFonts: [String: String] {
    let own = initialFonts.compactMap { path in path.split(separator: "/").last.map { (String($0), path) } }
    return Dictionary(own) { first, _ in first }.merging(SoundFontLocator.standard().listed) { own, _ in own }
  }

  /// The output devices that can be chosen: those of cards, `default`, and those that the session began with.
  var devices: [String] {
    Set(["default"] + initialDevices + PCMHardware.all(.playback).map(\.id)).sorted()
  }
}

extension SynthesizerCommandError {
  /// The error without what stands in the file that it is about.
  fileprivate var withoutContents: SynthesizerCommandError {
    switch self {
    case .preset(.unreadable(let path, _)), .preset(.malformed(let path, _, _)), .preset(.invalid(let path, _, _, _)),
      .preset(.instrument(.unreadable(let path, _))), .preset(.instrument(.malformed(let path, _, _))),
      .preset(.instrument(.invalid(let path, _, _, _))):
      .refused("reading \(path): the file has a fault; the same command in the terminal says which")
    default: self
    }
  }
}
