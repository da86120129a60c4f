import AudioGraph
import DSP

/// What MIDI controls beside the instruments' own sound: the settings of a reverb and a chorus, by System Exclusive; what
/// each channel sends to them, by controllers 91 and 93; and a choice.
public struct EffectControls: Sendable {
  /// For each MIDI channel, the share of its sound that goes to the reverb.
  public let reverbSends: [Parameter]
  /// For each MIDI channel, the share of its sound that goes to the chorus.
  public let chorusSends: [Parameter]
  public let reverb: ReverbNode
  public let chorus: ChorusNode
  /// The place among `ReverbType.allCases` of the room that a new song or a reset begins with.
  public let initialReverb: Parameter
  /// The place among `ChorusType.allCases` of the chorus that a new song or a reset begins with.
  public let initialChorus: Parameter
  public let choice: ChoiceControl?

  public init(
    reverbSends: [Parameter], chorusSends: [Parameter], reverb: ReverbNode, chorus: ChorusNode,
    choice: ChoiceControl? = nil
  ) {
    self.reverbSends = reverbSends
    self.chorusSends = chorusSends
    self.reverb = reverb
    self.chorus = chorus
    self.choice = choice
    initialReverb = Parameter("initial reverb", values: ReverbType.allCases.map(\.name))
    initialReverb.value = reverb.type.defaultValue
    initialChorus = Parameter("initial chorus", values: ChorusType.allCases.map(\.name))
    initialChorus.value = Float(chorus.type.rawValue)
  }

  /// What a kernel has to keep alive that holds an `EffectReceiver`.
  var retained: [AnyObject] {
    let choices = [initialReverb, initialChorus, choice?.choice].compactMap(\.self)
    return reverbSends + chorusSends + choices + [reverb, chorus]
  }
}
