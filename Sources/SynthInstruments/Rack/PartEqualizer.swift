import AudioGraph
import SynthDSP
import SynthRealtime

/// The equalizers of GS and XG, as System Exclusive sets them, on the buses of the instruments. [audio thread]
///
/// Equalizers of all parts are on each part's bus, which comes to the same: they are linear. So effects and stems have
/// them, and bands that are flat cost nothing. Changes take 20 ms where something sounds.
struct PartEqualizer: ~Copyable {
  /// Where the magnitudes of a quantum add up to less, −160 dB, a bus has rung out.
  private static let quiet: Float = 64e-8

  /// For each channel its bands.
  private let bands: UnsafeMutablePointer<EqualizerBand>
  private let samples: UnsafeMutablePointer<SIMD2<Double>>
  private let rampBlocks: Int
  private var settings: EqualizerSettings
  /// The channels with bands that are not flat, or have not come to rest; a bit each.
  private var active: UInt16 = 0

  init(sampleRate: Double) {
    let count = midiChannelCount * EqualizerSettings.bandCount
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
    active = 0
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
        let isFlat = bands(channel)[band].aim(settings.coefficients(band, channel))
        if !isFlat { active |= bit(channel) }
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
    let (left, right) = (bus[0], bus[1])
    for frame in 0..<renderQuantum { samples[frame] = SIMD2(Double(left[frame]), Double(right[frame])) }
    var isFlat = true
    for band in 0..<EqualizerSettings.bandCount where !bands(channel)[band].isResting {
      (bands(channel) + band).pointee.process(samples, rampBlocks)
      isFlat = false
    }
    guard !isFlat else {
      active &= ~bit(channel)
      return
    }
    var sum: Float = 0
    for frame in 0..<renderQuantum {
      (left[frame], right[frame]) = (Float(samples[frame].x), Float(samples[frame].y))
      sum += abs(left[frame]) + abs(right[frame])
    }
    bus.isSilent = false
    // What is no number must not stay in the filters.
    if !(sum < .infinity) || (wasSilent && sum < Self.quiet) {
      rest(channel, isFlat: false)
      bus.silence()
    }
  }

  @_noLocks
  private func rest(_ channel: Int, isFlat: Bool) {
    for band in 0..<EqualizerSettings.bandCount { (bands(channel) + band).pointee.rest(isFlat: isFlat) }
  }

  @_noLocks
  private func bands(_ channel: Int) -> UnsafeMutablePointer<EqualizerBand> {
    bands + channel &* EqualizerSettings.bandCount
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
