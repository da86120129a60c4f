import CSynthALSA

/// An open PCM, closed when the handle is destroyed.
struct PCMHandle: ~Copyable, @unchecked Sendable {
  // Unchecked: alsa-lib's locks are off, so the owner of the handle makes sure that one thread at a time uses it.

  /// The corresponding C type is `snd_pcm_t`.
  let pcm: OpaquePointer
  /// Released after the PCM is closed.
  private let reservation: DeviceReservation?

  /// Opens one direction, non-blocking, so that a busy device answers at once. alsa-lib itself keeps child processes
  /// from inheriting it. The corresponding C function is `snd_pcm_open`.
  ///
  /// - Parameter reservation: of the device's card; held until the device is closed.
  init(
    opening device: String, _ direction: PCMDirection = .playback, reservation: DeviceReservation? = nil
  ) throws(PCMError) {
    self.reservation = reservation
    ALSALibrary.prepare()
    var opened: OpaquePointer?
    let code = snd_pcm_open(&opened, device, direction.alsa, Int32(SND_PCM_NONBLOCK))
    guard code >= 0, let opened else { throw PCMError("opening", device, direction, code: code) }
    pcm = opened
  }

  /// Opens it for playback; nil on failure. The cause is not looked up, because finding the holder is slow.
  init?(probing device: String) {
    reservation = nil
    ALSALibrary.prepare()
    var opened: OpaquePointer?
    guard snd_pcm_open(&opened, device, SND_PCM_STREAM_PLAYBACK, Int32(SND_PCM_NONBLOCK)) >= 0, let opened else {
      return nil
    }
    pcm = opened
  }

  deinit {
    snd_pcm_close(pcm)
    reservation?.noteClosed()
  }
}

/// The direction of audio through a PCM. The corresponding C type is `snd_pcm_stream_t`.
public enum PCMDirection: String, Sendable, CaseIterable {
  /// From the program to the card.
  case playback
  /// From the card to the program.
  case capture

  var alsa: snd_pcm_stream_t { self == .playback ? SND_PCM_STREAM_PLAYBACK : SND_PCM_STREAM_CAPTURE }

  /// The kernel's suffix for it in names of nodes: /dev/snd/pcmC0D0p, /proc/asound/card0/pcm0c.
  var mark: String { self == .playback ? "p" : "c" }
}
