import AudioGraph
import SynthDSP
import SynthRealtime

/// The equalizers of GS and XG, as System Exclusive sets them, on the buses of the instruments. [audio thread]
///
/// Equalizers of all parts are on each part's bus, which comes to the same: they are linear. So effects and stems have
/// them, and bands that are flat cost nothing. Changes take 20 ms where something sounds.
struct PartEqualizer: ~Copyable {
  /// Where the magnitudes of a quantum add up to less, −160 dB, a bus has rung out.
  private static var quiet: Float {
    @_noLocks get { 64e-8 }
  }

  /// A channel's bus, and what is added to it on the way to each send.
  private static var laneCount: Int {
    @_noLocks get { 1 &+ Bus.correctedSendCount }
  }

  /// For each channel and lane its bands.
  private let bands: UnsafeMutablePointer<EqualizerBand>
  private let samples: UnsafeMutablePointer<SIMD2<Double>>
  private let rampBlocks: Int
  private var settings: EqualizerSettings
  /// The channels with bands that are not flat, or have not come to rest; a bit each.
  private var active: UInt16 = 0
  /// The channels whose other lanes have filtered something; a bit each.
  private var corrected: UInt16 = 0

  init(sampleRate: Double) {
    let count = midiChannelCount * Self.laneCount * EqualizerSettings.bandCount
    bands = .allocate(capacity: count)
    bands.initialize(repeating: EqualizerBand(), count: count)
    samples = .allocate(capacity: renderQuantum)
    samples.initialize(repeating: .zero, count: renderQuantum)
    rampBlocks = levelRampBlocks(sampleRate: sampleRate)
    settings = EqualizerSettings(sampleRate: sampleRate)
  }

  deinit {
    bands.deallocate()
    samples.deallocate()
  }

  /// Follows a message; others are ignored.
  @_noLocks
  mutating func follow(_ systemExclusive: SystemExclusive) {
    switch systemExclusive {
    case .parts(let message): if let data = message.data { set(data) }
    case .parameters(let data): set(data)
    case .reset:
      settings.reset()
      aim(.max)
    case .part, .tuning, .effects, .master, .keyBased, .other: break
    }
  }

  /// Follows an assignable parameter of a part; others are ignored.
  @_noLocks
  mutating func follow(assignable parameter: UInt16, _ value: UInt8, on channel: UInt8) {
    guard let address = EqualizerSettings.partAddress(ofAssignable: parameter) else { return }
    aim(settings.setPart(Int(channel), address, value))
  }

  /// Takes everything to its initial state at once: nothing sounds.
  @_noLocks
  mutating func reset() {
    settings.reset()
    for channel in 0..<midiChannelCount where active & bit(channel) != 0 { rest(channel, isFlat: true) }
    (active, corrected) = (0, 0)
  }

  @_noLocks
  private mutating func set(_ data: ParameterData) {
    var changed: UInt16 = 0
    for index in 0..<data.count {
      changed |= settings.set(data.model, data.address(of: index), data.value(index) & 0x7F)
    }
    aim(changed)
  }

  /// Takes the bands of channels, a bit each, toward the settings.
  @_noLocks
  private mutating func aim(_ channels: UInt16) {
    for channel in 0..<midiChannelCount where channels & bit(channel) != 0 {
      for band in 0..<EqualizerSettings.bandCount {
        let coefficients = settings.coefficients(band, channel)
        for lane in 0..<Self.laneCount where !bands(channel, lane)[band].aim(coefficients) { active |= bit(channel) }
      }
    }
  }

  /// Filters the buses of a quantum.
  @_noLocks
  mutating func apply(to context: RenderContext) {
    guard active != 0 else { return }
    for channel in 0..<min(midiChannelCount, context.outputBusCount) where active & bit(channel) != 0 {
      filter(context.output(channel), channel)
    }
  }

  @_noLocks
  private mutating func filter(_ bus: Bus, _ channel: Int) {
    let wasSilent = bus.isSilent
    guard let sum = filter(bus[0], bus[1], bands(channel)) else {
      active &= ~bit(channel)
      return
    }
    bus.isSilent = false
    // What is no number must not stay in the filters.
    if !(sum < .infinity) || (wasSilent && sum < Self.quiet) {
      rest(channel, isFlat: false)
      bus.silence()
    }
    correct(bus, channel)
  }

  /// Filters what is added to a bus on the way to its sends.
  @_noLocks
  private mutating func correct(_ bus: Bus, _ channel: Int) {
    guard bus.sendCorrections != nil else {
      if corrected & bit(channel) != 0 {
        for lane in 1..<Self.laneCount { rest(bands(channel, lane), isFlat: false) }
        corrected &= ~bit(channel)
      }
      return
    }
    corrected |= bit(channel)
    for lane in 1..<Self.laneCount {
      guard let left = bus.correction(ofSend: lane &- 1) else { continue }
      let sum = filter(left, left + renderQuantum, bands(channel, lane))
      guard let sum, !(sum < .infinity) else { continue }
      rest(bands(channel, lane), isFlat: false)
      left.update(repeating: 0, count: 2 &* renderQuantum)
    }
  }

  /// Filters a quantum in place.
  ///
  /// - Returns: the sum of its magnitudes; nil where all bands are flat.
  @_noLocks
  private func filter(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
    _ bands: UnsafeMutablePointer<EqualizerBand>
  ) -> Float? {
    for frame in 0..<renderQuantum { samples[frame] = SIMD2(Double(left[frame]), Double(right[frame])) }
    var isFlat = true
    for band in 0..<EqualizerSettings.bandCount where !bands[band].isResting {
      (bands + band).pointee.process(samples, rampBlocks)
      isFlat = false
    }
    guard !isFlat else { return nil }
    var sum: Float = 0
    for frame in 0..<renderQuantum {
      (left[frame], right[frame]) = (Float(samples[frame].x), Float(samples[frame].y))
      sum += abs(left[frame]) + abs(right[frame])
    }
    return sum
  }

  @_noLocks
  private func rest(_ channel: Int, isFlat: Bool) {
    for lane in 0..<Self.laneCount { rest(bands(channel, lane), isFlat: isFlat) }
  }

  @_noLocks
  private func rest(_ bands: UnsafeMutablePointer<EqualizerBand>, isFlat: Bool) {
    for band in 0..<EqualizerSettings.bandCount { (bands + band).pointee.rest(isFlat: isFlat) }
  }

  @_noLocks
  private func bands(_ channel: Int, _ lane: Int = 0) -> UnsafeMutablePointer<EqualizerBand> {
    bands + (channel &* Self.laneCount &+ lane) &* EqualizerSettings.bandCount
  }

  @_noLocks
  private func bit(_ channel: Int) -> UInt16 { 1 &<< UInt16(truncatingIfNeeded: channel) }
}

/// A band of a channel on its way to what it is set to. [audio thread]
private struct EqualizerBand: BitwiseCopyable {
  private var target = ParametricCoefficients.flat
  private var ramp = ParametricRamp()
  private var state = ParametricState()
  /// Whether it lets everything pass.
  private(set) var isResting = true

  /// - Returns: whether it lets everything pass.
  @_noLocks
  mutating func aim(_ coefficients: ParametricCoefficients) -> Bool {
    if isResting {
      guard !coefficients.isFlat else { return true }
      // It fades in from an empty filter.
      (ramp, state) = (ParametricRamp(), ParametricState())
      _ = ramp.next(toward: coefficients.bypassed, blocks: 1)
      isResting = false
    }
    target = coefficients.isFlat ? target.bypassed : coefficients
    return false
  }

  @_noLocks
  mutating func process(_ samples: UnsafeMutablePointer<SIMD2<Double>>, _ rampBlocks: Int) {
    let line = ramp.next(toward: target, blocks: rampBlocks)
    state.process(samples, along: line)
    if target.isFlat, line.isIdentity { isResting = true }
  }

  /// What is silent cannot click: the next sound finds the band as it is set then.
  @_noLocks
  mutating func rest(isFlat: Bool) {
    (ramp, state) = (ParametricRamp(), ParametricState())
    if isFlat { target = .flat }
    isResting = target.isFlat
  }
}

extension ParametricCoefficients {
  fileprivate static var flat: ParametricCoefficients {
    @_noLocks get { ParametricCoefficients(.peak, frequency: 0.1, quality: 1, amplitude: 1) }
  }

  fileprivate var isFlat: Bool { @_noLocks get { direct == 1 && band == 0 && low == 0 } }
}
