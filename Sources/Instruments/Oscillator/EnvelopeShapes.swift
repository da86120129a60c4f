import DSP

/// The two envelopes of a patch as the channel's sound controllers have them. [audio thread]
struct EnvelopeShapes {
  let amplitude: EnvelopeShape
  let filter: EnvelopeShape

  @_noLocks
  init(_ patch: VoicePatch, _ channel: ChannelInputs) {
    if channel.attack == 1, channel.decay == 1, channel.release == 1 {
      amplitude = patch.amplitude
      filter = patch.filterEnvelope
    } else {
      amplitude = patch.amplitude.multiplied(
        attack: channel.attack, decay: channel.decay, release: channel.release)
      filter = patch.filterEnvelope.multiplied(
        attack: channel.attack, decay: channel.decay, release: channel.release)
    }
  }
}
