import AudioGraph
import SynthDSP
import SynthMIDI

/// What MIDI controls outside the instruments: the settings of a reverb, a chorus and a delay, by System Exclusive;
/// what each channel sends to them, by controllers 91, 93 and 94; and the selection of presets.
public struct EffectControls: Sendable {
  /// For each MIDI channel, the share of its sound that goes to the reverb.
  public let reverbSends: [Parameter]
  /// For each MIDI channel, the share of its sound that goes to the chorus.
  public let chorusSends: [Parameter]
  /// For each MIDI channel, the share of its sound that goes to the delay.
  public let delaySends: [Parameter]
  /// What controller 91 of the channels leads to.
  public let reverb: ReverbNode
  /// What controller 93 of the channels leads to.
  public let chorus: ChorusNode
  /// What controller 94 of the channels leads to.
  public let delay: TapDelayNode
  /// The place among `ReverbType.allCases` of the initial reverb, which a new song and a reset return to.
  public let initialReverb: Parameter
  /// The place among `ChorusType.allCases` of the initial chorus, which a new song and a reset return to.
  public let initialChorus: Parameter
  /// The place among `DelayType.allCases` of the initial delay, which a new song and a reset return to.
  public let initialDelay: Parameter
  /// The presets that MIDI chooses; nil where it chooses none.
  public let presetControl: PresetMIDIControl?

  /// Effects may hear each other: the reverb's second input what the chorus gives, its third what the delay gives; the
  /// delay's second input what the chorus gives, its third what channels send to the reverb.
  ///
  /// - Parameter delayType: what the delay is at first.
  public init(
    reverbSends: [Parameter], chorusSends: [Parameter], delaySends: [Parameter], reverb: ReverbNode,
    chorus: ChorusNode, delay: TapDelayNode, delayType: DelayType = .delay1, presetControl: PresetMIDIControl? = nil
  ) {
    self.reverbSends = reverbSends
    self.chorusSends = chorusSends
    self.delaySends = delaySends
    self.reverb = reverb
    self.chorus = chorus
    self.delay = delay
    self.presetControl = presetControl
    initialReverb = Parameter("initial reverb", values: ReverbType.allCases.map(\.name))
    initialReverb.value = reverb.type.defaultValue
    initialChorus = Parameter("initial chorus", values: ChorusType.allCases.map(\.name))
    initialChorus.value = Float(chorus.type.rawValue)
    initialDelay = Parameter("initial delay", values: DelayType.allCases.map(\.name))
    initialDelay.value = Float(delayType.rawValue)
  }

  /// Makes the delay one of a type, which a new song and a reset return to. [any thread]
  package func set(_ type: DelayType) {
    initialDelay.value = Float(type.rawValue)
    delay.set(type.setting)
    delay.returnLevel.value = 1
    reverb.inputShares[1].value = type.setting.reverbShare
  }

  /// The objects that an `EffectReceiver` points into.
  var retained: [AnyObject] {
    let presets = [initialReverb, initialChorus, initialDelay, presetControl?.preset].compactMap(\.self)
    return reverbSends + chorusSends + delaySends + presets + [reverb, chorus, delay]
  }
}

/// Receives what MIDI controls, each message at its quantum. [audio thread]
struct EffectReceiver: ~Copyable {
  /// For each channel its sends to reverb, chorus and delay.
  private let sends: UnsafeMutablePointer<Send>
  private let channelCount: Int
  private var effects: SystemEffects?
  private let presetControl: PresetMIDIReceiver?

  private static var sendCount: Int { @_noLocks get { 3 } }

  /// - Parameter controls: nil for an instrument without effects.
  init(_ controls: EffectControls?) {
    let parameters = controls.map { [$0.reverbSends, $0.chorusSends, $0.delaySends] } ?? []
    channelCount = parameters.map(\.count).min() ?? 0
    sends = .allocate(capacity: max(1, Self.sendCount * channelCount))
    effects = controls.map { SystemEffects($0) }
    presetControl = controls?.presetControl.map { PresetMIDIReceiver($0) }
    for channel in 0..<channelCount {
      for (index, ofEffect) in parameters.enumerated() {
        (sends + Self.sendCount * channel + index).initialize(to: Send(ofEffect[channel]))
      }
    }
  }

  deinit { sends.deallocate() }

  /// Whether a message may change something outside the instruments.
  @_noLocks
  func mayTake(_ message: MIDIMessage) -> Bool {
    switch message.kind {
    case .systemExclusive: true
    case .controlChange: presetControl != nil || Self.effect(of: message.controller.rawValue) != nil
    case .programChange: presetControl != nil
    default: false
    }
  }

  /// - Returns: false for a message that the instruments do not receive.
  @_noLocks
  mutating func receive(_ message: MIDIMessage, _ systemExclusive: SystemExclusive) -> Bool {
    if let presetControl, presetControl.take(message) { return false }
    if message.kind == .controlChange { control(Int(message.channel), message.controller.rawValue, message.value7) }
    switch systemExclusive {
    // The selected preset is no state of an instrument, so it stays.
    case .reset(let reset): resetEffects(reset)
    case .effects(let message): effects?.receive(message)
    case .parameters(let data): effects?.receive(data)
    case .parts, .part, .tuning, .master, .keyBased, .other: break
    }
    return true
  }

  /// Takes all controls to their initial values.
  @_noLocks
  mutating func reset() {
    resetEffects(nil)
    presetControl?.reset()
  }

  @_noLocks
  private mutating func resetEffects(_ reset: SystemReset?) {
    for index in 0..<Self.sendCount &* channelCount { sends[index].share.set(sends[index].initialShare) }
    effects?.reset(reset)
  }

  /// The place of what a controller sends to.
  @_noLocks
  static func effect(of controller: UInt8) -> Int? {
    switch controller {
    case 91: 0
    case 93: 1
    case 94: 2
    default: nil
    }
  }

  @_noLocks
  private func control(_ channel: Int, _ controller: UInt8, _ value: UInt8) {
    guard channel < channelCount, let effect = Self.effect(of: controller) else { return }
    if controller == Controller.delaySend.rawValue, effects?.receivesDelaySend == false { return }
    sends[Self.sendCount &* channel &+ effect].share.set(Float(value) / 127)
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
