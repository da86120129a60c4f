import AudioGraph
import Instruments

/// How MIDI chooses equalizer presets while it plays: by the program changes of a channel, by a controller, or by both.
public struct PresetControl: Sendable {
  /// Those to choose from, in this order.
  public var presets: [Preset]
  /// 0 to 15: its program n, counted from 1, chooses the n-th preset; nothing on this channel sounds. Nil for none.
  public var programChannel: UInt8?
  /// 0 to 119: its values are spread evenly over the presets; no instrument receives it. Nil for none.
  public var controller: UInt8?
  /// 0 to 15: where the controller is received; nil for all channels.
  public var controllerChannel: UInt8?

  public init(
    _ presets: [Preset], programChannel: UInt8? = nil, controller: UInt8? = nil, controllerChannel: UInt8? = nil
  ) {
    self.presets = presets
    self.programChannel = programChannel
    self.controller = controller
    self.controllerChannel = controllerChannel
  }

  /// The control of an equalizer that has these presets.
  func choice(of equalizer: EqualizerNode) -> ChoiceControl {
    ChoiceControl(
      equalizer.preset, programChannel: programChannel, controller: controller, controllerChannel: controllerChannel)
  }

  /// The presets as an equalizer takes them.
  var bank: [EqualizerNode.Preset] { presets.map { EqualizerNode.Preset(name: $0.name, curve: $0.curve) } }
}
