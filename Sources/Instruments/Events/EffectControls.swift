import AudioGraph

/// What MIDI controls of a reverb and a chorus: their settings, by System Exclusive, and what each channel sends to them,
/// by controllers 91 and 93.
public struct EffectControls: Sendable {
  /// For each MIDI channel, the share of its sound that goes to the reverb.
  public let reverbSends: [Parameter]
  /// For each MIDI channel, the share of its sound that goes to the chorus.
  public let chorusSends: [Parameter]
  public let reverb: ReverbNode
  public let chorus: ChorusNode

  public init(reverbSends: [Parameter], chorusSends: [Parameter], reverb: ReverbNode, chorus: ChorusNode) {
    self.reverbSends = reverbSends
    self.chorusSends = chorusSends
    self.reverb = reverb
    self.chorus = chorus
  }

  /// What a kernel has to keep alive that holds an `EffectReceiver`.
  var retained: [AnyObject] { reverbSends + chorusSends + [reverb, chorus] }
}
