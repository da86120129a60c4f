import AudioGraph
import SynthDSP
import SynthMIDI

/// What MIDI controls outside the instruments: the settings of a reverb, a chorus and a delay, by System Exclusive;
/// what each channel sends to them, by controllers 91, 93 and 94; and the selection of presets.
public struct EffectControls: Sendable {
  /// For each MIDI channel, of all ports, the share of its sound that goes to the reverb.
  public var reverbSends: [Parameter] { sends.parameters[0] }
  /// For each MIDI channel, of all ports, the share of its sound that goes to the chorus.
  public var chorusSends: [Parameter] { sends.parameters[1] }
  /// For each MIDI channel, of all ports, the share of its sound that goes to the delay.
  public var delaySends: [Parameter] { sends.parameters[2] }
  private let sends = EffectSends()
  /// What controller 91 of the channels leads to.
  public let reverb: ReverbNode
  /// What controller 93 of the channels leads to.
  public let chorus: ChorusNode
  /// What controller 94 of the channels leads to.
  public let delay: TapDelayNode
  /// Where reverb, chorus and delay return to, -1 left to 1 right; empty where they have no places.
  public let returnPans: [Parameter]
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
  /// - Parameters:
  ///   - delayType: what the delay is at first.
  ///   - returnPans: of reverb, chorus and delay; or none.
  public init(
    reverbSends: [Parameter], chorusSends: [Parameter], delaySends: [Parameter], reverb: ReverbNode,
    chorus: ChorusNode, delay: TapDelayNode, delayType: DelayType = .delay1, returnPans: [Parameter] = [],
    presetControl: PresetMIDIControl? = nil
  ) {
    self.reverb = reverb
    self.chorus = chorus
    self.delay = delay
    self.returnPans = returnPans
    self.presetControl = presetControl
    initialReverb = Parameter("initial reverb", values: ReverbType.allCases.map(\.name))
    initialReverb.value = reverb.type.defaultValue
    initialChorus = Parameter("initial chorus", values: ChorusType.allCases.map(\.name))
    initialChorus.value = Float(chorus.type.rawValue)
    initialDelay = Parameter("initial delay", values: DelayType.allCases.map(\.name))
    initialDelay.value = Float(delayType.rawValue)
    addSends(reverb: reverbSends, chorus: chorusSends, delay: delaySends)
  }

  /// Makes the delay one of a type, which a new song and a reset return to. [any thread]
  package func set(_ type: DelayType) {
    initialDelay.value = Float(type.rawValue)
    delay.set(type.setting)
    delay.returnLevel.value = 1
    reverb.inputShares[1].value = type.setting.reverbShare
  }

  /// Adds the sends of further channels, up to 64, also while a receiver follows those there are. [control thread]
  package func addSends(reverb: [Parameter], chorus: [Parameter], delay: [Parameter]) {
    sends.append([reverb, chorus, delay])
  }

  /// For receivers.
  fileprivate var sendTable: UnsafeMutablePointer<SendTable> { sends.table.pointer }

  /// The objects that an `EffectReceiver` points into.
  var retained: [AnyObject] {
    let presets = [initialReverb, initialChorus, initialDelay, presetControl?.preset].compactMap(\.self)
    return [sends, sends.table] + presets + [reverb, chorus, delay] + returnPans
  }
}

/// Receives what MIDI controls, each message at its quantum. [audio thread]
struct EffectReceiver: ~Copyable {
  /// Nil for an instrument without effects.
  private let table: UnsafeMutablePointer<SendTable>?
  private var effects: SystemEffects?
  private let presetControl: PresetMIDIReceiver?

  /// - Parameter controls: nil for an instrument without effects.
  init(_ controls: EffectControls?) {
    table = controls?.sendTable
    effects = controls.map { SystemEffects($0) }
    presetControl = controls?.presetControl.map { PresetMIDIReceiver($0) }
  }

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

  /// Resets of a port are for the sends of its channels; the effects follow those of the first port.
  ///
  /// - Returns: false for a message that the instruments do not receive.
  @_noLocks
  mutating func receive(_ message: MIDIMessage, _ systemExclusive: SystemExclusive) -> Bool {
    if let presetControl, presetControl.take(message) { return false }
    if message.kind == .controlChange { control(message.channelIndex, message.controller.rawValue, message.value7) }
    switch systemExclusive {
    // The selected preset is no state of an instrument, so it stays.
    case .reset(let reset):
      let first = message.channelIndex
      resetSends(first..<first &+ midiChannelCount)
      if first == 0 { effects?.reset(reset) }
    case .effects(let message): effects?.receive(message)
    case .parameters(let data): effects?.receive(data)
    case .parts, .part, .tuning, .master, .keyBased, .other: break
    }
    return true
  }

  /// Takes all controls to their initial values.
  @_noLocks
  mutating func reset() {
    resetSends(0..<MIDIPorts.channelCount)
    effects?.reset(nil)
    presetControl?.reset()
  }

  @_noLocks
  private func resetSends(_ channels: Range<Int>) {
    guard let table else { return }
    for channel in channels.lowerBound..<max(channels.lowerBound, min(channels.upperBound, table.pointee.channelCount))
    {
      table.pointee.reset(channel)
    }
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
    guard let table, channel < table.pointee.channelCount, let effect = Self.effect(of: controller) else { return }
    if controller == Controller.delaySend.rawValue, effects?.receivesDelaySend == false { return }
    table.pointee.set(Float(value) / 127, channel, effect)
  }
}
