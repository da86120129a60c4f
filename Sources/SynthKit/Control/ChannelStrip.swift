import AudioGraph
import SynthDSP
import SynthMIDI

/// What a MIDI channel has of its own in the mix.
public struct ChannelStrip: Sendable, Hashable {
  /// Among the channels of all ports, from 0.
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

  /// What people call the channel: "3", "B1".
  public var name: String { ChannelName.text(Int(channel)) }

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
  /// Of all channels, 16 for each connected port, as they are now. [any thread]
  public var channelStrips: [ChannelStrip] {
    channelInputs.enumerated().map { ChannelStrip(UInt8($0), $1) }
  }
}
