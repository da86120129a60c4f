import AudioGraph
import SynthMIDI

/// The messages that select a preset: the program changes of a channel, the values of a controller, or both. The
/// instruments do not receive them.
public struct PresetMessages: Sendable {
  /// The channel, 0 to 15, whose n-th program, counted from 1, selects the n-th preset; notes on it are silent. Nil for
  /// none.
  public var programChannel: UInt8?
  /// The controller, 0 to 119, whose values are spread evenly over the presets. Nil for none.
  public var controller: UInt8?
  /// The channel, 0 to 15, on which the controller is received; nil for all channels.
  public var controllerChannel: UInt8?

  public init(programChannel: UInt8? = nil, controller: UInt8? = nil, controllerChannel: UInt8? = nil) {
    self.programChannel = programChannel
    self.controller = controller
    self.controllerChannel = controllerChannel
  }
}

/// How MIDI selects a preset, an equalizer's for example.
public struct PresetMIDIControl: Sendable {
  /// Set to the number of the selected preset, from 1 to the end of its range. A new song sets it to 0, the initial
  /// state.
  public var preset: Parameter
  /// The messages that choose one.
  public var messages: PresetMessages

  public init(_ preset: Parameter, by messages: PresetMessages) {
    self.preset = preset
    self.messages = messages
  }
}

/// The selection as an instrument's kernel makes it, at the quantum of its event. [audio thread]
struct PresetMIDIReceiver {
  private static let none: UInt8 = 0xFF

  private let preset: ParameterWriter
  private let count: Int
  private let programChannel: UInt8
  private let controller: UInt8
  private let controllerChannel: UInt8

  init(_ control: PresetMIDIControl) {
    preset = control.preset.writer
    count = Int(control.preset.range.upperBound)
    programChannel = control.messages.programChannel ?? Self.none
    controller = control.messages.controller ?? Self.none
    controllerChannel = control.messages.controllerChannel ?? Self.none
  }

  /// Whether the message belongs to the selection; the instruments then do not receive it.
  @_noLocks
  func take(_ message: MIDIMessage) -> Bool {
    guard message.kind != .systemExclusive else { return false }
    if message.kind == .controlChange, message.controller.rawValue == controller,
      controllerChannel == Self.none || UInt8(truncatingIfNeeded: message.channelIndex) == controllerChannel
    {
      if count > 0 { select(1 &+ (Int(message.value7) &* count) >> 7) }
      return true
    }
    guard UInt8(truncatingIfNeeded: message.channelIndex) == programChannel else { return false }
    if message.kind == .programChange { select(1 &+ Int(message.program)) }
    return true
  }

  @_noLocks
  func reset() { preset.set(0) }

  /// Unknown numbers are ignored.
  @_noLocks
  private func select(_ number: Int) {
    if number <= count { preset.set(Float(Int32(truncatingIfNeeded: number))) }
  }
}
