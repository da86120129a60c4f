import CALSA
import CRealtime
import DSP
import Glibc

/// One period of audio on its way from the render callback to the device, in both layouts.
struct PCMPeriod: ~Copyable {
  /// Frames it has room for: what the callback is asked for.
  let length: Int
  /// The samples as the device wants them.
  let interleaved: UnsafeMutableRawPointer
  /// Bytes of a frame in `interleaved`.
  let frameSize: Int

  private let format: SampleFormat
  private let channelCount: Int
  private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let fadeLength: Int
  /// Frames of the fade that are still to come.
  private var fade: Int
  private var isFadingOut = false

  /// - Parameter fadesIn: whether the first 50 ms rise from silence, for sound that sets in amid the music.
  init(_ parameters: PCMParameters, fadesIn: Bool) {
    length = parameters.period
    format = parameters.format
    channelCount = parameters.channels
    frameSize = channelCount * format.byteCount
    fadeLength = max(1, parameters.rate / 20)
    fade = fadesIn ? fadeLength : 0
    channels = .allocate(capacity: channelCount)
    for channel in 0..<channelCount {
      let samples = UnsafeMutablePointer<Float>.allocate(capacity: length)
      samples.initialize(repeating: 0, count: length)
      (channels + channel).initialize(to: samples)
    }
    interleaved = .allocate(byteCount: length * frameSize, alignment: 64)
  }

  deinit {
    for channel in 0..<channelCount { channels[channel].deallocate() }
    channels.deallocate()
    interleaved.deallocate()
  }

  /// Asks the source for a period: how many frames it had. [audio thread]
  @_noLocks @_noAllocation
  mutating func render(_ source: PCMSource) -> Int {
    realtime_enter()
    let asked = Int32(truncatingIfNeeded: length)
    let count = pcm_render(source.callback, source.context, channels, Int32(truncatingIfNeeded: channelCount), asked)
    let rendered = min(max(0, Int(count)), length)
    if fade > 0 || isFadingOut { applyFade(rendered) }
    interleave(channels, channelCount: channelCount, frameCount: rendered, into: interleaved, as: format)
    realtime_exit()
    return rendered
  }

  /// For a render callback whose device has no clock of its own: waits half a millisecond, and not in real time.
  static func pause() {
    realtime_exit()
    usleep(500)
    realtime_enter()
  }

  /// From here on the sound falls to silence, within 50 ms.
  @_noLocks @_noAllocation
  mutating func fadeOut() {
    guard !isFadingOut else { return }
    isFadingOut = true
    // From where it has come to, if it is still rising.
    fade = fadeLength &- fade
  }

  /// Whether all is silence from here on.
  var isFadedOut: Bool {
    @_noLocks @_noAllocation get { isFadingOut && fade == 0 }
  }

  @_noLocks @_noAllocation
  private mutating func applyFade(_ count: Int) {
    for frame in 0..<count {
      let part = Float(fade) / Float(fadeLength)
      let gain = isFadingOut ? part : 1 - part
      for channel in 0..<channelCount { channels[channel][frame] *= gain }
      if fade > 0 { fade &-= 1 }
    }
  }
}

/// Whom to ask for audio.
struct PCMSource {
  let callback: PCMRenderCallback
  let context: UnsafeMutableRawPointer
}
