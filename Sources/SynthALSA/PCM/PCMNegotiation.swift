import CSynthALSA
import SynthDSP

// The agreement between a request and the hardware.

/// The choices that need no device, only what it supports.
package enum PCMNegotiation {
  /// The first format of `preference` that is possible.
  package static func format(_ preference: [SampleFormat], isPossible: (SampleFormat) -> Bool) -> SampleFormat? {
    preference.first(where: isPossible)
  }

  /// The count asked for, or nil. Without one, or if the output adapts, the possible count nearest to it or to two, the
  /// larger of two that are equally near.
  package static func channels(
    _ asked: Int?, adapts: Bool = false, in range: ClosedRange<Int>, isPossible: (Int) -> Bool
  ) -> Int? {
    if let asked, !adapts || isPossible(asked) { return isPossible(asked) ? asked : nil }
    let wish = asked ?? 2
    let nearest = range.clamped(to: 1...256).sorted { (abs($0 - wish), -$0) < (abs($1 - wish), -$1) }
    return nearest.first(where: isPossible)
  }
}

extension PCMHandle {
  /// Negotiates every parameter with the device and leaves it prepared.
  /// The corresponding C functions are `snd_pcm_hw_params` and `snd_pcm_sw_params`.
  func negotiate(_ request: PCMRequest) throws(PCMError) -> PCMParameters {
    ALSALibrary.prepare()
    let space = try HardwareParameters(pcm, device: request.device)
    try space.reset(for: request.sampleRate)
    let format = try space.setFormat(request.formats)
    let channels = try space.setChannels(request.channelCount, adapts: request.adapts)
    let rate = try space.setRate(request.sampleRate)
    let wish = request.sizes(sampleRate: rate)
    let (period, buffer) = try space.setSizes(period: wish.period, buffer: wish.buffer)
    try space.install()
    try setSoftwareParameters(device: request.device, period: period, buffer: buffer)
    return PCMParameters(
      device: request.device, format: format, sampleRate: rate,
      askedSampleRate: request.sampleRate == rate ? nil : request.sampleRate,
      channelCount: channels, period: period, buffer: buffer,
      channelNames: ChannelNames.current(on: pcm))
  }

  /// Playback starts when all whole periods of the buffer are filled; the loop wakes when one of them is free.
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

/// The configuration space of a PCM, narrowed choice by choice. The C type is `snd_pcm_hw_params_t`.
struct HardwareParameters: ~Copyable {
  private let pcm: OpaquePointer
  private let device: String
  private let space: OpaquePointer

  /// Allocates the space, which is empty until `reset`.
  init(_ pcm: OpaquePointer, device: String) throws(PCMError) {
    var allocated: OpaquePointer?
    guard snd_pcm_hw_params_malloc(&allocated) >= 0, let allocated else {
      throw PCMError("setting up", device, .failed("out of memory"))
    }
    self.pcm = pcm
    self.device = device
    space = allocated
  }

  /// Fills it with every interleaved configuration; with alsa-lib's resampler only if the device itself lacks `rate`.
  func reset(for rate: Int? = nil) throws(PCMError) {
    try openAll()
    snd_pcm_hw_params_set_rate_resample(pcm, space, 0)
    guard let rate, snd_pcm_hw_params_test_rate(pcm, space, UInt32(rate), 0) < 0 else { return }
    try openAll()
  }

  private func openAll() throws(PCMError) {
    try check(snd_pcm_hw_params_any(pcm, space))
    try check(snd_pcm_hw_params_set_access(pcm, space, SND_PCM_ACCESS_RW_INTERLEAVED))
  }

  deinit { snd_pcm_hw_params_free(space) }

  /// The channel counts still possible.
  var channels: ClosedRange<Int> {
    range(
      { value, _ in snd_pcm_hw_params_get_channels_min(space, value) },
      { value, _ in snd_pcm_hw_params_get_channels_max(space, value) }, UInt32.self)
  }

  /// The frames per second still possible.
  var rates: ClosedRange<Int> {
    range(
      { snd_pcm_hw_params_get_rate_min(space, $0, $1) }, { snd_pcm_hw_params_get_rate_max(space, $0, $1) }, UInt32.self)
  }

  /// The frames per period still possible.
  var periods: ClosedRange<Int> {
    range(
      { snd_pcm_hw_params_get_period_size_min(space, $0, $1) },
      { snd_pcm_hw_params_get_period_size_max(space, $0, $1) }, snd_pcm_uframes_t.self)
  }

  /// The frames of buffer still possible.
  var buffers: ClosedRange<Int> {
    range(
      { value, _ in snd_pcm_hw_params_get_buffer_size_min(space, value) },
      { value, _ in snd_pcm_hw_params_get_buffer_size_max(space, value) }, snd_pcm_uframes_t.self)
  }

  /// The formats still possible.
  var formats: [SampleFormat] {
    SampleFormat.preference.filter { snd_pcm_hw_params_test_format(pcm, space, $0.alsa) == 0 }
  }

  /// Chooses the first possible format of `preference`.
  func setFormat(_ preference: [SampleFormat]) throws(PCMError) -> SampleFormat {
    let possible = formats
    guard let format = PCMNegotiation.format(preference, isPossible: possible.contains) else {
      let wanted = preference.map(\.description).joined(separator: ", ")
      throw unsupported("none of the sample formats \(wanted)", .useDefault)
    }
    try check(snd_pcm_hw_params_set_format(pcm, space, format.alsa))
    return format
  }

  /// Chooses the channel count asked for, else two or the nearest; with `adapts` the nearest to the count asked for.
  func setChannels(_ asked: Int?, adapts: Bool = false) throws(PCMError) -> Int {
    let chosen = PCMNegotiation.channels(asked, adapts: adapts, in: channels) {
      snd_pcm_hw_params_test_channels(pcm, space, UInt32($0)) == 0
    }
    guard let chosen else {
      throw unsupported("not with \(asked ?? 2) channels", instead: "it has \(channels.text)", .chooseChannels)
    }
    try check(snd_pcm_hw_params_set_channels(pcm, space, UInt32(chosen)))
    return chosen
  }

  /// Chooses the rate nearest to the one asked for, or to 48000.
  func setRate(_ asked: Int?) throws(PCMError) -> Int {
    var rate = UInt32(asked ?? 48000)
    try check(snd_pcm_hw_params_set_rate_near(pcm, space, &rate, nil))
    return Int(rate)
  }

  /// Chooses the period nearest to the wish, then the buffer nearest to the wish.
  func setSizes(period: Int, buffer: Int) throws(PCMError) -> (period: Int, buffer: Int) {
    var period = snd_pcm_uframes_t(period)
    var buffer = snd_pcm_uframes_t(buffer)
    try check(snd_pcm_hw_params_set_period_size_near(pcm, space, &period, nil))
    try check(snd_pcm_hw_params_set_buffer_size_near(pcm, space, &buffer))
    return (Int(period), Int(buffer))
  }

  /// Installs the choice on the device. The corresponding C function is `snd_pcm_hw_params`.
  func install() throws(PCMError) { try check(snd_pcm_hw_params(pcm, space)) }

  private func check(_ code: Int32) throws(PCMError) {
    if code < 0 { throw PCMError("setting up", device, code: code) }
  }

  private func unsupported(_ what: String, instead: String? = nil, _ remedy: PCMError.Remedy) -> PCMError {
    PCMError("setting up", device, .unsupported(what, instead: instead, remedy))
  }

  private typealias Bound<Value> = (UnsafeMutablePointer<Value>, UnsafeMutablePointer<Int32>) -> Int32

  /// The whole numbers between two bounds; a bound's direction, +1 or −1, says that it lies just beyond its number.
  private func range<Value: FixedWidthInteger>(
    _ minimum: Bound<Value>, _ maximum: Bound<Value>, _: Value.Type
  ) -> ClosedRange<Int> {
    var (lower, upper) = (Value.zero, Value.zero)
    var (above, below) = (Int32.zero, Int32.zero)
    guard minimum(&lower, &above) >= 0, maximum(&upper, &below) >= 0 else { return 0...0 }
    let first = Int(clamping: lower) + (above > 0 ? 1 : 0)
    return first...max(first, Int(clamping: upper) - (below < 0 ? 1 : 0))
  }
}

extension ClosedRange<Int> {
  /// "2", or "1 to 8".
  var text: String { lowerBound == upperBound ? "\(lowerBound)" : "\(lowerBound) to \(upperBound)" }
}

extension SampleFormat {
  /// Best first: no conversion, then the least loss.
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
