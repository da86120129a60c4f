import CALSA

/// An open PCM, closed when it goes.
struct PCMHandle: ~Copyable, @unchecked Sendable {
  // Unchecked: with alsa-lib's locks off, whoever holds the handle sees to it that one thread at a time uses it.

  /// The corresponding C type is `snd_pcm_t`.
  let pcm: OpaquePointer

  /// Opens one side. Non-blocking, so that a busy device answers at once; alsa-lib itself sees to it that child
  /// processes do not inherit it. The corresponding C function is `snd_pcm_open`.
  init(opening device: String, _ direction: PCMDirection = .playback) throws(PCMError) {
    ALSALibrary.prepare()
    var opened: OpaquePointer?
    let code = snd_pcm_open(&opened, device, direction.alsa, Int32(SND_PCM_NONBLOCK))
    guard code >= 0, let opened else { throw PCMError("opening", device, direction, code: code) }
    pcm = opened
  }

  /// The same for playing; nil if it cannot be opened, whyever: to find out who holds a device takes a while.
  init?(probing device: String) {
    ALSALibrary.prepare()
    var opened: OpaquePointer?
    guard snd_pcm_open(&opened, device, SND_PCM_STREAM_PLAYBACK, Int32(SND_PCM_NONBLOCK)) >= 0, let opened else {
      return nil
    }
    pcm = opened
  }

  deinit { snd_pcm_close(pcm) }
}
