import AudioGraph
import SynthDSP

/// What a MIDI channel has of its own in the mix.
public struct ChannelStrip: Sendable, Hashable {
  /// 0 to 15.
  public let channel: UInt8
  /// The fader.
  public let level: Decibels
  /// -1 is left, 1 right.
  public let pan: Float
  /// The shares of the sound that go to reverb, chorus and delay, 0 to 1.
  public let reverb: Float
  /// See `reverb`.
  public let chorus: Float
  /// See `reverb`.
  public let delay: Float
  /// Whether the channel is muted; one that others' solo silences is not.
  public let isMuted: Bool
  /// Whether the channel is soloed.
  public let isSoloed: Bool

  init(_ channel: UInt8, _ input: MixerInput) {
    self.channel = channel
    level = Decibels(Double(input.gain.value))
    pan = input.pan.value
    reverb = input.sends[Synthesizer.Effect.reverb.rawValue].value
    chorus = input.sends[Synthesizer.Effect.chorus.rawValue].value
    delay = input.sends[Synthesizer.Effect.delay.rawValue].value
    isMuted = input.isMuted.value != 0
    isSoloed = input.isSoloed.value != 0
  }
}

extension Synthesizer {
  /// Of all 16 channels, as they are now. [any thread]
  public var channelStrips: [ChannelStrip] {
    mixer.inputs.prefix(16).enumerated().map { ChannelStrip(UInt8($0), $1) }
  }
}
