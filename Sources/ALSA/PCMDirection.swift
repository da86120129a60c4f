import CALSA

/// Which way audio goes through a PCM. The corresponding C type is `snd_pcm_stream_t`.
public enum PCMDirection: String, Sendable, CaseIterable {
  case playback
  case capture

  var alsa: snd_pcm_stream_t { self == .playback ? SND_PCM_STREAM_PLAYBACK : SND_PCM_STREAM_CAPTURE }

  /// How the kernel marks it in the names of nodes: /dev/snd/pcmC0D0p, /proc/asound/card0/pcm0c.
  var mark: String { self == .playback ? "p" : "c" }
}
