import AudioGraph
import MIDI

/// A choice as an instrument's kernel makes it, at the quantum of its event. [audio thread]
struct ChoiceReceiver {
  private static let none: UInt8 = 0xFF

  private let choice: ParameterWriter
  private let count: Int
  private let programChannel: UInt8
  private let controller: UInt8
  private let controllerChannel: UInt8

  init(_ control: ChoiceControl) {
    choice = control.choice.writer
    count = Int(control.choice.range.upperBound)
    programChannel = control.programChannel ?? Self.none
    controller = control.controller ?? Self.none
    controllerChannel = control.controllerChannel ?? Self.none
  }

  /// Whether the message was given over to the choice, and is for nobody else.
  @_noLocks
  func take(_ message: MIDIMessage) -> Bool {
    guard message.kind != .systemExclusive else { return false }
    if message.kind == .controlChange, message.controller.rawValue == controller,
      controllerChannel == Self.none || message.channel == controllerChannel
    {
      if count > 0 { choose(1 &+ (Int(message.value7) &* count) >> 7) }
      return true
    }
    guard message.channel == programChannel else { return false }
    if message.kind == .programChange { choose(1 &+ Int(message.program)) }
    return true
  }

  @_noLocks
  func reset() { choice.set(0) }

  /// What there is not is not chosen.
  @_noLocks
  private func choose(_ number: Int) {
    if number <= count { choice.set(Float(Int32(truncatingIfNeeded: number))) }
  }
}
