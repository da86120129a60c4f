import CALSA
import DSP

// What is asked for and what the hardware can do, brought together.

/// The choices that need no device, given what it says is possible.
package enum PCMNegotiation {
  /// The first format of `preference` that is possible.
  package static func format(_ preference: [SampleFormat], isPossible: (SampleFormat) -> Bool) -> SampleFormat? {
    preference.first(where: isPossible)
  }

  /// The count asked for, or nothing; if none was, two, else the nearest possible, more before fewer.
  package static func channels(_ asked: Int?, in range: ClosedRange<Int>, isPossible: (Int) -> Bool) -> Int? {
    if let asked { return isPossible(asked) ? asked : nil }
    let nearest = range.clamped(to: 1...256).sorted { (abs($0 - 2), -$0) < (abs($1 - 2), -$1) }
    return nearest.first(where: isPossible)
  }
}

extension PCMHandle {
  /// Agrees with the device on every parameter and leaves it prepared.
  /// The corresponding C functions are `snd_pcm_hw_params` and `snd_pcm_sw_params`.
  func negotiate(_ request: PCMRequest) throws(PCMError) -> PCMParameters {
    ALSALibrary.prepare()
    let space = try HardwareParameters(pcm, device: request.device)
    try space.reset(for: request.rate)
    let format = try space.setFormat(request.formats)
    let channels = try space.setChannels(request.channels)
    let rate = try space.setRate(request.rate)
    let wish = request.sizes(rate: rate)
    let (period, buffer) = try space.setSizes(period: wish.period, buffer: wish.buffer)
    try space.install()
    try setSoftwareParameters(device: request.device, period: period, buffer: buffer)
    return PCMParameters(
      device: request.device, format: format, rate: rate, channels: channels, period: period, buffer: buffer,
      channelNames: ChannelNames.current(on: pcm))
  }

  /// Playing starts when all whole periods of the buffer are filled, and the loop wakes when one of them is free.
  private func setSoftwareParameters(device: String, period: Int, buffer: Int) throws(PCMError) {
    var parameters: OpaquePointer?
    guard snd_pcm_sw_params_malloc(&parameters) >= 0, let parameters else {
      throw PCMError("setting up", device, .failed("out of memory"))
    }
    defer { snd_pcm_sw_params_free(parameters) }
    let steps = [
      snd_pcm_sw_params_current(pcm, parameters),
      snd_pcm_sw_params_set_start_threshold(pcm, parameters, snd_pcm_uframes_t(buffer / period * period)),
      snd_pcm_sw_params_set_avail_min(pcm, parameters, snd_pcm_uframes_t(period)),
      snd_pcm_sw_params_set_tstamp_mode(pcm, parameters, SND_PCM_TSTAMP_ENABLE),
      snd_pcm_sw_params_set_tstamp_type(pcm, parameters, SND_PCM_TSTAMP_TYPE_MONOTONIC),
      snd_pcm_sw_params(pcm, parameters),
    ]
    if let code = steps.first(where: { $0 < 0 }) { throw PCMError("setting up", device, code: code) }
  }
}
