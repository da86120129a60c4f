import AudioGraph
import SynthMIDI
import SynthSoundFonts

/// All that reads messages, to be asked which of them it follows: each reader says it where it reads. What it follows
/// does not depend on the mode that a song is in. [control thread]
struct MessageReaders: ~Copyable {
  /// A kind of message, and whether anything follows it.
  typealias Answer = (kind: MessageKind, isFollowed: Bool)

  private var drums = DrumSetups()
  private var effects: SystemEffects
  private var equalizer = EqualizerSettings(sampleRate: 48000)
  private var master = MasterLevel(sampleRate: 48000)
  private var dry = DryLevels(sampleRate: 48000)
  /// What the effects set.
  private let controls: EffectControls
  /// The sources of routes that were set up.
  private var sources: Set<ControllerRoutes.Source> = []
  /// The controllers that a song has made the two sources that are chosen.
  private var chosenControllers: Set<UInt8> = [16, 17]

  init() {
    controls = EffectControls(
      reverbSends: [], chorusSends: [], delaySends: [], reverb: ReverbNode(), chorus: ChorusNode(),
      delay: TapDelayNode())
    effects = SystemEffects(controls)
  }

  // MARK: - System Exclusive

  /// The kinds of what a message says: one for each address or parameter that it sets.
  mutating func answers(_ payload: UnsafeBufferPointer<UInt8>) -> [Answer] {
    switch SystemExclusive(payload) {
    case .parts(let message): return answers(message, payload)
    case .parameters(let data): return (0..<data.count).map { answer(data, at: $0) }
    case .effects(let message):
      return (0..<message.count).map { index in
        let kind = MessageKind.exclusive([0x7F, 4, 5, message.effect == .reverb ? 1 : 2, message.pair(index).parameter])
        return (kind, effects.receive(message, at: index))
      }
    case .keyBased(let control):
      return (0..<control.count).map { index in
        (.exclusive([0x7F, 0x0A, 1, control.pair(index).controller]), drums.follow(control, at: index))
      }
    case .reset: return [(MessageKind(ofReset: payload), true)]
    case .tuning(let message): return [(MessageKind(payload), message.isWhole)]
    case .master: return [(MessageKind(payload), true)]
    case .part, .other: return [(MessageKind(payload), false)]
    }
  }

  private mutating func answers(_ message: PartMessage, _ payload: UnsafeBufferPointer<UInt8>) -> [Answer] {
    var (message, answers): (PartMessage, [Answer]) = (message, [])
    while let (reading, part, place) = message.nextReading() {
      if let setting = reading.setting { follow(PartChange(setting, part: part)) }
      if let data = message.data {
        let kind = MessageKind(data.model, data.address(of: place))
        answers.append((kind, reading.setting != nil || follow(data, at: place)))
      } else {
        answers.append((MessageKind(payload), reading.setting != nil))
      }
    }
    return answers
  }

  private mutating func answer(_ data: ParameterData, at index: Int) -> Answer {
    let style: BankStyle = data.model == .gs ? .gs : .xg
    let isFollowed =
      effects.receive(data, at: index) || follow(data, at: index) || drums.follow(data, at: index, style)
    return (MessageKind(data.model, data.address(of: index)), isFollowed)
  }

  /// What stands in messages to parts and in others.
  private mutating func follow(_ data: ParameterData, at index: Int) -> Bool {
    master.follow(data, at: index) || dry.follow(data, at: index)
      || equalizer.set(data.model, data.address(of: index), data.value(index) & 0x7F) != 0
  }

  private mutating func follow(_ change: PartChange) {
    switch change.setting {
    case .route(let source, _, _): sources.insert(source)
    case .assign(_, let controller): chosenControllers.insert(controller)
    default: break
    }
  }

  // MARK: - Channel messages

  /// Whether data entry of an assignable parameter does anything.
  mutating func followsAssignable(_ parameter: UInt16) -> Bool {
    let (high, low) = (UInt8(parameter >> 7), UInt8(parameter & 0x7F))
    return PartSettings.controller(ofAssignable: parameter) != nil || ControllerTable.isGenerator(parameter)
      || EqualizerSettings.partAddress(ofAssignable: parameter) != nil
      || drums.follow(parameter: high, key: low, value: 64, 0, .gs)
      || drums.follow(parameter: high, key: low, value: 64, 0, .xg)
  }

  static func followsRegistered(_ parameter: UInt16) -> Bool {
    var parameters = RegisteredParameters()
    return parameters.set(parameter, to: 0) || parameter == RegisteredParameters.configuration
  }

  /// Whether a controller does anything: to the instruments, to the effects, by a modulator that every zone of a
  /// SoundFont has, or by a route that the song has set up.
  func follows(_ controller: UInt8) -> Bool {
    if Self.followedControllers.contains(controller) { return true }
    return chosenControllers.contains(controller) && !sources.isDisjoint(with: [.first, .second])
  }

  /// Whether polyphonic key pressure does anything: by a route alone.
  var followsKeyPressure: Bool { sources.contains(.keyPressure) }

  private static let followedControllers = Set(
    (0..<128 as Range<UInt8>).filter { number in
      var performance = Performance()
      var state = ChannelState()
      let message = MIDIMessage.controlChange(channel: 0, Controller(rawValue: number), value7: 127)
      if case .value = performance.follow(message) {} else { return true }
      return state.follow(message.controller, message.value32) || EffectReceiver.effect(of: number) != nil
        || ZoneModulator.defaults.contains { $0.source.isController && $0.source.index == number }
    })
}
