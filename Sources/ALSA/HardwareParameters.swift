import CALSA
import DSP

/// The configurations a PCM still has open, narrowed choice by choice. The C type is `snd_pcm_hw_params_t`.
struct HardwareParameters: ~Copyable {
  private let pcm: OpaquePointer
  private let device: String
  private let space: OpaquePointer

  /// Room for a space; it holds nothing until `reset`.
  init(_ pcm: OpaquePointer, device: String) throws(PCMError) {
    var allocated: OpaquePointer?
    guard snd_pcm_hw_params_malloc(&allocated) >= 0, let allocated else {
      throw PCMError("setting up", device, .failed("out of memory"))
    }
    self.pcm = pcm
    self.device = device
    space = allocated
  }

  /// Opens every interleaved configuration; with alsa-lib's resampler only if the device itself cannot do `rate`.
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
      throw unsupported("none of the sample formats \(wanted)", "use --out default, which converts")
    }
    try check(snd_pcm_hw_params_set_format(pcm, space, format.alsa))
    return format
  }

  /// Chooses the channel count asked for, else two or the nearest.
  func setChannels(_ asked: Int?) throws(PCMError) -> Int {
    let chosen = PCMNegotiation.channels(asked, in: channels) {
      snd_pcm_hw_params_test_channels(pcm, space, UInt32($0)) == 0
    }
    guard let chosen else {
      throw unsupported("not with \(asked ?? 2) channels", "it has \(channels.text); see --channels")
    }
    try check(snd_pcm_hw_params_set_channels(pcm, space, UInt32(chosen)))
    return chosen
  }

  /// Chooses the rate asked for, else the device's own nearest to 48000.
  func setRate(_ asked: Int?) throws(PCMError) -> Int {
    if let asked {
      guard snd_pcm_hw_params_set_rate(pcm, space, UInt32(asked), 0) >= 0 else {
        throw unsupported("not at \(asked) frames per second", "it does \(rates.text); --out default converts")
      }
      return asked
    }
    var rate: UInt32 = 48000
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

  /// Gives the choice to the device. The corresponding C function is `snd_pcm_hw_params`.
  func install() throws(PCMError) { try check(snd_pcm_hw_params(pcm, space)) }

  private func check(_ code: Int32) throws(PCMError) {
    if code < 0 { throw PCMError("setting up", device, code: code) }
  }

  private func unsupported(_ what: String, _ instead: String) -> PCMError {
    PCMError("setting up", device, .unsupported("\(what) — \(instead)"))
  }

  private typealias Bound<Value> = (UnsafeMutablePointer<Value>, UnsafeMutablePointer<Int32>) -> Int32

  /// Whole numbers between two bounds; a bound's direction, +1 or −1, says that it lies just beyond its number.
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
