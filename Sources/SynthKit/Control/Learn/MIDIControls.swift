import AudioGraph
import SynthMIDI
import SynthRealtime

/// What keyboards and controllers send to the program in place of the instruments: learned controls, and program
/// changes that recall snapshots. Sources ask it on their own threads. A parameter is set there and then; commands wait
/// for the thread that owns the session.
public final class MIDIControls: Sendable {
  /// A command that was called.
  struct Call: Sendable, Equatable {
    let line: String
    let isToggle: Bool
    /// Whose rights it has.
    let asker: Asker
  }

  private struct Binding: Sendable {
    let control: LearnedControl
    /// Nil where its node is not there now, and for commands.
    let parameter: Parameter?
    var pickup = Pickup()
    var wasPressed = false
  }

  private struct State: Sendable {
    var snapshotChannel: UInt8? = 15
    var snapshots: [SnapshotStore.Entry] = []
    var programCommands: [String: Asker] = [:]
    var bindings: [Binding] = []
    /// What the next control that moves is to turn.
    var wish: (control: LearnedControl, parameter: Parameter?)?
    var reader = TriggerReader()
    var calls: [Call] = []
    var news: [String] = []
    var isChanged = false
    var wake: (@Sendable () -> Void)?
  }

  /// More than a person plays between two looks of the owner.
  private static let callLimit = 64

  private let state = CheckedMutex(State())

  init() {}

  /// Whose program changes recall snapshots, 0 to 15; nil for none. [control thread]
  public var snapshotChannel: UInt8? {
    get { state.withLock { $0.snapshotChannel } }
    set { state.withLock { $0.snapshotChannel = newValue } }
  }

  /// The snapshots there are. Programs that recall none go to the instruments. [control thread]
  public internal(set) var snapshots: [SnapshotStore.Entry] {
    get { state.withLock { $0.snapshots } }
    set { state.withLock { $0.snapshots = newValue } }
  }

  /// Called on a source's thread when something waits for the owner; returns at once. [control thread]
  var wake: (@Sendable () -> Void)? {
    get { state.withLock { $0.wake } }
    set { state.withLock { $0.wake = newValue } }
  }

  /// The first words of commands that the program adds, and who may give them at least: "next", all. [control thread]
  public var programCommands: [String: Asker] {
    get { state.withLock { $0.programCommands } }
    set { state.withLock { $0.programCommands = newValue } }
  }

  /// What was learned, in that order. [control thread]
  public var learned: [LearnedControl] { state.withLock { $0.bindings.map(\.control) } }

  /// - Parameter isChange: whether it is to be kept for the next start.
  func set(_ controls: [(control: LearnedControl, parameter: Parameter?)], isChange: Bool) {
    state.withLock { state in
      state.bindings = controls.map { Binding(control: $0.control, parameter: $0.parameter) }
      state.isChanged = isChange
    }
  }

  /// Lets the next control that is moved turn something; nil ends the waiting.
  func learn(_ wish: (control: LearnedControl, parameter: Parameter?)?) { state.withLock { $0.wish = wish } }

  /// What the next control that is moved is to turn; nil where none is waited for. [control thread]
  public var waiting: LearnedControl.Target? { state.withLock { $0.wish?.control.target } }

  /// - Returns: how many controls are forgotten.
  func unlearn(_ target: LearnedControl.Target?) -> Int {
    state.withLock { state in
      let before = state.bindings.count
      state.bindings.removeAll { target == nil || $0.control.target == target }
      if state.bindings.count < before { state.isChanged = true }
      return before - state.bindings.count
    }
  }

  func takeCalls() -> [Call] {
    state.withLock { state in
      defer { state.calls = [] }
      return state.calls
    }
  }

  /// What has been learned since the last call, in words, and all controls where they are to be kept.
  func takeNews() -> (lines: [String], changed: [LearnedControl]?) {
    state.withLock { state in
      defer { (state.news, state.isChanged) = ([], false) }
      return (state.news, state.isChanged ? state.bindings.map(\.control) : nil)
    }
  }

  /// Whether an event is for the program, and no matter of the instruments. [any thread]
  func takes(_ event: MIDISourceEvent) -> Bool {
    guard case .received(.message(let message), let port, _) = event else { return false }
    let (isTaken, wake) = state.withLock { state in
      let isTaken = Self.takes(message, from: port, &state)
      return (isTaken, state.calls.isEmpty && state.news.isEmpty ? nil : state.wake)
    }
    wake?()
    return isTaken
  }

  private static func takes(_ message: MIDIMessage, from port: MIDIPort, _ state: inout State) -> Bool {
    guard let (trigger, position) = state.reader.read(message, from: port) else { return false }
    if learn(trigger, position, &state) { return true }
    var isTaken = false
    for index in state.bindings.indices where state.bindings[index].control.trigger.matches(trigger) {
      isTaken = isTaken || !state.bindings[index].control.isPassedOn
      if let call = turn(&state.bindings[index], position), state.calls.count < Self.callLimit {
        state.calls.append(call)
      }
    }
    if isTaken { return true }
    guard case .program(let program) = trigger.kind, trigger.channel == state.snapshotChannel,
      let name = state.snapshots.first(where: { $0.program == program })?.name
    else { return false }
    if state.calls.count < Self.callLimit {
      state.calls.append(Call(line: "snapshot recall \(name)", isToggle: false, asker: .page))
    }
    return true
  }

  /// Whether a control is the one that was waited for.
  private static func learn(_ trigger: LearnedTrigger, _ position: Float, _ state: inout State) -> Bool {
    guard let (wish, parameter) = state.wish, position > 0 || trigger.isContinuous else { return false }
    // A fader cannot be turned by a key.
    guard trigger.isContinuous || (parameter?.isSwitch ?? true) else { return false }
    var control = wish
    control.trigger = trigger
    let others = state.bindings.filter { $0.control.trigger.matches(trigger) }.map(\.control.target.text)
    state.bindings.removeAll { $0.control.trigger.matches(trigger) }
    var binding = Binding(control: control, parameter: parameter)
    (binding.pickup, binding.wasPressed) = (Pickup(at: position), position >= 0.5)
    state.bindings.append(binding)
    let loss = others.isEmpty ? "" : ", and no longer \(others.joined(separator: ", "))"
    state.news.append("learned    \(trigger) turns \(control.target.text)\(loss)")
    (state.wish, state.isChanged) = (nil, true)
    return true
  }

  /// Sets a parameter, or says what is to be called.
  private static func turn(_ binding: inout Binding, _ position: Float) -> Call? {
    let isPressed = position >= 0.5
    defer { binding.wasPressed = isPressed }
    // Notes and programs come as a press each; of a controller the way up counts.
    let begins = isPressed && (!binding.control.trigger.isContinuous || !binding.wasPressed)
    if case .command(let line) = binding.control.target {
      return begins ? Call(line: line, isToggle: binding.control.isToggle, asker: binding.control.asker) : nil
    }
    guard let parameter = binding.parameter else { return nil }
    if parameter.isSwitch {
      if binding.control.isToggle || !binding.control.trigger.isContinuous {
        if begins { parameter.value = parameter.value == 0 ? 1 : 0 }
      } else {
        parameter.value = isPressed ? 1 : 0
      }
      return nil
    }
    let range = ControlRange(of: parameter, ends: binding.control.ends)
    let value = parameter.value
    guard binding.pickup.reaches(position, value, at: range.position(of: value)) else { return nil }
    parameter.value = range.value(at: position)
    binding.pickup.written = parameter.value
    return nil
  }
}

extension LearnedTrigger {
  /// Whether what came is this; without a port it may come from any.
  fileprivate func matches(_ other: LearnedTrigger) -> Bool {
    kind == other.kind && channel == other.channel && (port == nil || other.port == nil || port == other.port)
  }
}

extension Parameter {
  var isSwitch: Bool { unit == .toggle }
}
