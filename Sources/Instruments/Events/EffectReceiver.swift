import AudioGraph
import DSP
import MIDI

/// Effect controls as an instrument's kernel plays them, each at the quantum of its event. [audio thread]
struct EffectReceiver: ~Copyable {
  /// For each channel the way to the reverb, and the one to the chorus.
  private let sends: UnsafeMutablePointer<Send>
  private let channelCount: Int
  private let effects: EffectSettings?
  private let choice: ChoiceReceiver?

  /// - Parameter controls: nil for an instrument without effects, which receives nothing.
  init(_ controls: EffectControls?) {
    channelCount = controls.map { min($0.reverbSends.count, $0.chorusSends.count) } ?? 0
    sends = .allocate(capacity: max(1, 2 * channelCount))
    effects = controls.map { EffectSettings($0) }
    choice = controls?.choice.map { ChoiceReceiver($0) }
    for channel in 0..<channelCount {
      if let reverb = controls?.reverbSends[channel], let chorus = controls?.chorusSends[channel] {
        (sends + 2 * channel).initialize(to: Send(reverb))
        (sends + 2 * channel + 1).initialize(to: Send(chorus))
      }
    }
  }

  deinit { sends.deallocate() }

  /// False for what is for no instrument.
  @_noLocks
  func receive(_ event: MIDIEvent) -> Bool {
    let message = event.message
    if let choice, choice.take(message) { return false }
    switch message.kind {
    case .controlChange: control(Int(message.channel), message.controller.rawValue, message.value7)
    case .systemExclusive:
      let payload = event.payload
      // The choice is none of the instruments' state, so it stays.
      if isSystemReset(payload) { resetEffects() }
      effects?.receive(payload)
    default: break
    }
    return true
  }

  /// Takes all controls to their initial values.
  @_noLocks
  func reset() {
    resetEffects()
    choice?.reset()
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
