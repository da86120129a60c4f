import CALSA
import Glibc

/// What the output loop has to do next, from the PCM's state and the result of its latest call.
package enum PCMCondition: Equatable {
  /// A period fits into the buffer.
  case writable
  /// The buffer is full and playing: wait.
  case full
  /// The buffer is full and not yet playing: start.
  case filled
  /// Not prepared.
  case unprepared
  /// The buffer ran empty.
  case xrun
  /// The machine was suspended.
  case suspended
  /// The device is gone.
  case disconnected
  /// Any other error.
  case failed

  /// From `snd_pcm_avail_update`'s or `snd_pcm_writei`'s result.
  ///
  /// An error is judged before the state: of a device that was pulled out, the state may say *running* for a while yet.
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
