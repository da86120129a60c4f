import AudioGraph
import SynthDSP
import SynthMIDI

/// What MIDI controls outside the instruments: the settings of a reverb and a chorus, by System Exclusive; what
/// each channel sends to them, by controllers 91 and 93; and the selection of presets.
public struct EffectControls: Sendable {
  /// For each MIDI channel, the share of its sound that goes to the reverb.
  public let reverbSends: [Parameter]
  /// For each MIDI channel, the share of its sound that goes to the chorus.
  public let chorusSends: [Parameter]
  /// What controller 91 of the channels leads to.
  public let reverb: ReverbNode
  /// What controller 93 of the channels leads to.
  public let chorus: ChorusNode
  /// The place among `ReverbType.allCases` of the initial reverb, which a new song and a reset return to.
  public let initialReverb: Parameter
  /// The place among `ChorusType.allCases` of the initial chorus, which a new song and a reset return to.
  public let initialChorus: Parameter
  /// The presets that MIDI chooses; nil where it chooses none.
  public let presetControl: PresetMIDIControl?

  public init(
    reverbSends: [Parameter], chorusSends: [Parameter], reverb: ReverbNode, chorus: ChorusNode,
    presetControl: PresetMIDIControl? = nil
  ) {
    self.reverbSends = reverbSends
    self.chorusSends = chorusSends
    self.reverb = reverb
    self.chorus = chorus
    self.presetControl = presetControl
    initialReverb = Parameter("initial reverb", values: ReverbType.allCases.map(\.name))
    initialReverb.value = reverb.type.defaultValue
    initialChorus = Parameter("initial chorus", values: ChorusType.allCases.map(\.name))
    initialChorus.value = Float(chorus.type.rawValue)
  }

  /// The objects that an `EffectReceiver` points into.
  var retained: [AnyObject] {
    let presets = [initialReverb, initialChorus, presetControl?.preset].compactMap(\.self)
    return reverbSends + chorusSends + presets + [reverb, chorus]
  }
}

/// Receives what MIDI controls, each message at its quantum. [audio thread]
struct EffectReceiver: ~Copyable {
  /// For each channel its sends to reverb and chorus.
  private let sends: UnsafeMutablePointer<Send>
  private let channelCount: Int
  private let effects: EffectSystemExclusive?
  private let presetControl: PresetMIDIReceiver?

  /// - Parameter controls: nil for an instrument without effects.
  init(_ controls: EffectControls?) {
    channelCount = controls.map { min($0.reverbSends.count, $0.chorusSends.count) } ?? 0
    sends = .allocate(capacity: max(1, 2 * channelCount))
    effects = controls.map { EffectSystemExclusive($0) }
    presetControl = controls?.presetControl.map { PresetMIDIReceiver($0) }
    for channel in 0..<channelCount {
      if let reverb = controls?.reverbSends[channel], let chorus = controls?.chorusSends[channel] {
        (sends + 2 * channel).initialize(to: Send(reverb))
        (sends + 2 * channel + 1).initialize(to: Send(chorus))
      }
    }
  }

  deinit { sends.deallocate() }

  /// Whether a message may change something outside the instruments.
  @_noLocks
  func mayTake(_ message: MIDIMessage) -> Bool {
    switch message.kind {
    case .systemExclusive: true
    case .controlChange: presetControl != nil || message.controller.rawValue == 91 || message.controller.rawValue == 93
    case .programChange: presetControl != nil
    default: false
    }
  }

  /// - Returns: false for a message that the instruments do not receive.
  @_noLocks
  func receive(_ message: MIDIMessage, _ systemExclusive: SystemExclusive) -> Bool {
    if let presetControl, presetControl.take(message) { return false }
    if message.kind == .controlChange { control(Int(message.channel), message.controller.rawValue, message.value7) }
    switch systemExclusive {
    // The selected preset is no state of an instrument, so it stays.
    case .reset: resetEffects()
    case .effects(let message): effects?.receive(message)
    case .partMode, .tuning, .other: break
    }
    return true
  }

  /// Takes all controls to their initial values.
  @_noLocks
  func reset() {
    resetEffects()
    presetControl?.reset()
  }

  @_noLocks
  private func resetEffects() {
    for index in 0..<2 &* channelCount { sends[index].share.set(sends[index].initialShare) }
    effects?.reset()
  }

  @_noLocks
  private func control(_ channel: Int, _ controller: UInt8, _ value: UInt8) {
    guard channel < channelCount, controller == 91 || controller == 93 else { return }
    sends[2 &* channel &+ (controller == 91 ? 0 : 1)].share.set(Float(value) / 127)
  }

  private struct Send {
    let share: ParameterWriter
    let initialShare: Float

    init(_ parameter: Parameter) {
      share = parameter.writer
      initialShare = parameter.defaultValue
    }
  }
}
