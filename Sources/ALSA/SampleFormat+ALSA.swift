import CALSA
import DSP

// Sample formats in ALSA's numbering.

extension SampleFormat {
  /// Best first: what needs no conversion, then what loses least.
  package static let preference: [SampleFormat] = [.float32, .int32, .int24, .int24Packed, .int16]

  /// ALSA's constant for the little-endian format. The corresponding C type is `snd_pcm_format_t`.
  var alsa: snd_pcm_format_t {
    switch self {
    case .float32: SND_PCM_FORMAT_FLOAT_LE
    case .int32: SND_PCM_FORMAT_S32_LE
    case .int24: SND_PCM_FORMAT_S24_LE
    case .int24Packed: SND_PCM_FORMAT_S24_3LE
    case .int16: SND_PCM_FORMAT_S16_LE
    }
  }
}
