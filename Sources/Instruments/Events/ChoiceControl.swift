import AudioGraph

/// How MIDI chooses one of several things, an equalizer's presets for example: by the program changes of a channel, by a
/// controller, or by both. What is given over to the choice plays nothing else.
public struct ChoiceControl: Sendable {
  /// Set to the number of what is chosen, from 1 to the end of its range; to 0, what there was at first, by a new song.
  public var choice: Parameter
  /// 0 to 15: its n-th program, counted from 1, chooses the n-th; nothing on this channel sounds. Nil for none.
  public var programChannel: UInt8?
  /// 0 to 119: its values are spread evenly over the choices; no instrument receives it. Nil for none.
  public var controller: UInt8?
  /// 0 to 15: where the controller is received; nil for all channels.
  public var controllerChannel: UInt8?

  public init(
    _ choice: Parameter, programChannel: UInt8? = nil, controller: UInt8? = nil, controllerChannel: UInt8? = nil
  ) {
    self.choice = choice
    self.programChannel = programChannel
    self.controller = controller
    self.controllerChannel = controllerChannel
  }
}
