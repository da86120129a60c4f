import CSynthALSA
import Glibc

/// The next step of a loop over a device, from the PCM's state and the result of the latest call.
package enum PCMLoopStep: Equatable {
  /// A period fits into the buffer, or was captured.
  case writable
  /// The buffer is full and playing, or what was captured has been read: wait.
  case full
  /// The same, not yet running: start.
  case filled
  /// Not prepared.
  case unprepared
  /// The buffer ran empty, or over.
  case xrun
  /// The machine was suspended.
  case suspended
  /// The device is gone.
  case disconnected
  /// Another error.
  case failed

  /// From the result of `snd_pcm_avail_update`, `snd_pcm_writei` or `snd_pcm_readi`.
  ///
  /// The error comes before the state, because the state of an unplugged device may remain *running* for a while.
  package init(state: snd_pcm_state_t, result: Int, period: Int) {
    self =
      switch (Int32(clamping: 0 &- result), state) {
      case (ENODEV, _), (_, SND_PCM_STATE_DISCONNECTED): .disconnected
      case (ESTRPIPE, _), (_, SND_PCM_STATE_SUSPENDED): .suspended
      case (EPIPE, _), (_, SND_PCM_STATE_XRUN): .xrun
      case (_, SND_PCM_STATE_OPEN): .failed
      case (_, SND_PCM_STATE_SETUP), (_, SND_PCM_STATE_DRAINING), (_, SND_PCM_STATE_PAUSED): .unprepared
      case (EAGAIN, _): .full
      case (1..., _): .failed
      case _ where result >= period: .writable
      case (_, SND_PCM_STATE_PREPARED): .filled
      default: .full
      }
  }
}
