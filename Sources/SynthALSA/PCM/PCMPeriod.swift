import CSynthALSA
import CSynthRealtime
import Glibc
import SynthDSP
import SynthRealtime

/// One period of audio on its way from the render callback to the device, in both layouts.
struct PCMPeriod: ~Copyable {
  /// Its capacity in frames.
  let length: Int
  /// The samples in the device's format.
  let interleaved: UnsafeMutableRawPointer
  /// Bytes of a frame in `interleaved`.
  let frameSize: Int

  private let format: SampleFormat
  private let channelCount: Int
  private let channels: ChannelBuffers
  /// Set for a device with another rate or channel count than the stream.
  private let converter: Box<StreamConverter>?
  private let conversion: UnsafeMutablePointer<StreamConverter>?
  private let fadeLength: Int
  /// Remaining frames of the fade.
  private var fade: Int
  private var isFadingOut = false

  /// - Parameters:
  ///   - converter: converts the stream to these parameters; nil if it has the same rate and channel count.
  ///   - fadesIn: whether the first 50 ms rise from silence, for sound that begins in the middle of a stream.
  init(_ parameters: PCMParameters, converter: Box<StreamConverter>? = nil, fadesIn: Bool) {
    length = parameters.period
    format = parameters.format
    channelCount = parameters.channelCount
    frameSize = channelCount * format.byteCount
    fadeLength = max(1, parameters.sampleRate / 20)
    fade = fadesIn ? fadeLength : 0
    channels = ChannelBuffers(channelCount: channelCount, frameCount: length)
    self.converter = converter
    conversion = converter?.pointer
    interleaved = .allocate(byteCount: length * frameSize, alignment: 64)
  }

  deinit { interleaved.deallocate() }

  /// Asks the source for a period: how many frames it had. [audio thread]
  @_noLocks @_noAllocation
  mutating func render(_ source: PCMSource, position: borrowing PCMPosition) -> Int {
    realtime_enter()
    let rendered =
      if let conversion {
        conversion.pointee.render(source, into: channels.channels, frameCount: length, position: position)
      } else {
        source.render(channels.channels, channelCount: channelCount, frameCount: length)
      }
    if fade > 0 || isFadingOut { applyFade(rendered) }
    interleave(channels.channels, channelCount: channelCount, frameCount: rendered, into: interleaved, as: format)
    realtime_exit()
    return rendered
  }

  /// Waits half a millisecond, outside real time: for a render callback whose device has no clock. [audio thread]
  static func pause() {
    realtime_exit()
    usleep(500)
    realtime_enter()
  }

  /// Fades to silence within 50 ms from here on. [audio thread]
  @_noLocks @_noAllocation
  mutating func fadeOut() {
    guard !isFadingOut else { return }
    isFadingOut = true
    // From the present level, if it is still rising.
    fade = fadeLength &- fade
  }

  /// Whether the fade to silence is complete. [audio thread]
  var isFadedOut: Bool {
    @_noLocks @_noAllocation get { isFadingOut && fade == 0 }
  }

  @_noLocks @_noAllocation
  private mutating func applyFade(_ count: Int) {
    for frame in 0..<count {
      let part = Float(fade) / Float(fadeLength)
      let gain = isFadingOut ? part : 1 - part
      for channel in 0..<channelCount { channels.channels[channel][frame] *= gain }
      if fade > 0 { fade &-= 1 }
    }
  }
}
