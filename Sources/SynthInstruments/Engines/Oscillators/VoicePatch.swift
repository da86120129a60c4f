@preconcurrency import Glibc
import SynthDSP
import SynthRealtime

/// A patch computed for a sample rate, as the renderer reads it.
struct VoicePatch: BitwiseCopyable {
  let first: VoiceOscillator
  let second: VoiceOscillator
  /// Amplitude of the noise; 0 without noise.
  let noise: Float
  let amplitude: EnvelopeShape

  let hasFilter: Bool
  /// At middle C, as a part of the sample rate, in octaves.
  let cutoff: Float
  /// Octaves of cutoff for each semitone above middle C.
  let tracking: Float
  /// How often the damping is halved.
  let resonance: Float
  let filterEnvelope: EnvelopeShape
  let filterAmount: Float
  let filterVelocity: Float
  let filterPressure: Float

  /// Periods of the LFO a quantum.
  let lfoStep: Float
  /// Quanta of its fade-in.
  let lfoDelay: Float
  /// In semitones.
  let lfoPitch: Float
  let lfoWheel: Float
  let lfoPressure: Float
  let lfoFilter: Float
  /// Octaves of amplitude: 6 dB each.
  let lfoAmplitude: Float

  /// The part of the way that is left after a quantum of glide.
  let glide: Float
  /// In semitones, from the lowest voice to the highest.
  let unisonDetune: Float
  let unisonSpread: Float
  let unisonCount: Int
  /// Amplitude by velocity, 129 entries: those of 0 to 127, and the last again.
  let velocityGains: UnsafePointer<Float>

  /// - Parameter velocityGains: 129 numbers, which this fills and does not own.
  init(_ patch: Patch, sampleRate: Double, velocityGains: UnsafeMutablePointer<Float>) {
    let quantum = Double(renderQuantum) / sampleRate
    let silent = Patch.Oscillator(.sine, level: -.infinity)
    let one = patch.oscillators.first ?? silent
    first = VoiceOscillator(one)
    second = VoiceOscillator(patch.oscillators.dropFirst().first ?? silent)
    noise = patch.noise.map { Float(Decibels(within($0, PatchRanges.level)).amplitude) } ?? 0
    amplitude = EnvelopeShape(patch.amplitude, sampleRate)

    let filter = patch.filter ?? Patch.Filter(cutoff: 20000)
    hasFilter = patch.filter != nil
    cutoff = Float(log2(within(filter.cutoff, PatchRanges.cutoff) / sampleRate))
    tracking = Float(within(filter.tracking, PatchRanges.share) / 12)
    resonance = Float(within(filter.resonance, PatchRanges.resonance) / octaveDecibels)
    filterEnvelope = EnvelopeShape(filter.envelope, sampleRate)
    filterAmount = Float(within(filter.amount, PatchRanges.filterAmount))
    filterVelocity = Float(within(filter.velocity, PatchRanges.filterAmount))
    filterPressure = Float(within(filter.pressure, PatchRanges.filterAmount))

    lfoStep = Float(within(patch.lfo.rate, PatchRanges.rate) * quantum)
    lfoDelay = Float(within(patch.lfo.delay, PatchRanges.duration) / quantum)
    lfoPitch = Float(within(patch.lfo.pitch, PatchRanges.vibrato) / 100)
    lfoWheel = Float(within(patch.lfo.wheel, PatchRanges.vibrato) / 100)
    lfoPressure = Float(within(patch.lfo.pressure, PatchRanges.vibrato) / 100)
    lfoFilter = Float(within(patch.lfo.filter, PatchRanges.filterAmount))
    lfoAmplitude = Float(within(patch.lfo.amplitude, PatchRanges.tremolo) / octaveDecibels)

    let glideTime = within(patch.glide, PatchRanges.duration)
    glide = glideTime > 0 ? Float(pow(0.05, quantum / glideTime)) : 0
    unisonCount = Int(within(Double(patch.unison.voices), PatchRanges.unisonVoices))
    unisonDetune = Float(within(patch.unison.detune, PatchRanges.detune) / 100)
    unisonSpread = Float(within(patch.unison.spread, PatchRanges.share))

    // The powers of voices that are not correlated add up.
    let level = within(patch.level, PatchRanges.level) - 10 * log10(Double(unisonCount))
    let range = within(patch.velocity.range, PatchRanges.velocityRange)
    let curve = within(patch.velocity.curve, PatchRanges.velocityCurve)
    for velocity in 0...128 {
      let share = pow(Double(min(velocity, 127)) / 127, curve)
      velocityGains[velocity] = Float(Decibels(level - range * (1 - share)).amplitude)
    }
    self.velocityGains = UnsafePointer(velocityGains)
  }

  /// The amplitude of a note.
  ///
  /// - Parameter velocity: 0 to 65535.
  @_noLocks
  func gain(velocity: UInt16) -> Float {
    let index = Int(velocity >> 9)
    let share = Float(Int32(velocity & 0x1FF)) / 512
    return velocityGains[index] + (velocityGains[index &+ 1] - velocityGains[index]) * share
  }
}

/// One of the two oscillators of a patch.
struct VoiceOscillator: BitwiseCopyable {
  let wave: OscillatorBank.Wave
  /// Its amplitude; 0 where the patch has no such oscillator.
  let level: Float
  /// The ratio of its frequency to the key's.
  let ratio: Float
  /// The part of a pulse's period that is high, as phase.
  let width: UInt32

  init(_ oscillator: Patch.Oscillator) {
    wave =
      switch oscillator.wave {
      case .saw: .saw
      case .pulse: .pulse
      case .triangle: .triangle
      case .sine: .sine
      }
    level = oscillator.level == -.infinity ? 0 : Float(Decibels(within(oscillator.level, PatchRanges.level)).amplitude)
    let tune = within(oscillator.tune, PatchRanges.tune) + within(oscillator.detune, PatchRanges.detune) / 100
    ratio = Float(exp2(tune / 12))
    width = UInt32(within(oscillator.width, PatchRanges.pulseWidth) * 4_294_967_296)
  }

  /// Adds a quantum of the oscillator to `samples`.
  ///
  /// - Parameter frequency: of the keys, as a fraction of the sample rate.
  @_noLocks
  func render(
    _ bank: inout OscillatorBank, _ frequency: SIMD8<Float>, into samples: UnsafeMutablePointer<SIMD8<Float>>
  ) {
    bank.render(
      wave, level: level, width: width, frequency: frequency * ratio, into: samples, count: renderQuantum)
  }
}

extension EnvelopeShape {
  fileprivate init(_ envelope: Patch.Envelope, _ sampleRate: Double) {
    self.init(
      attack: within(envelope.attack, PatchRanges.duration), decay: within(envelope.decay, PatchRanges.duration),
      sustain: within(envelope.sustain, PatchRanges.share), release: within(envelope.release, PatchRanges.duration),
      sampleRate: sampleRate, blockSize: renderQuantum)
  }
}

/// Decibels of a doubled amplitude.
private let octaveDecibels = 20 * log10(2.0)

/// The nearest number in a range; the lowest for a NaN.
private func within(_ value: Double, _ range: ClosedRange<Double>) -> Double {
  value >= range.lowerBound ? min(value, range.upperBound) : range.lowerBound
}

/// The patches of an engine, computed for its sample rate, in memory that the audio thread reads.
struct PatchTable: ~Copyable {
  private let patches: UnsafeMutablePointer<VoicePatch>
  private let velocityGains: UnsafeMutablePointer<Float>
  private static let gainCount = 129

  init(_ patches: [Patch], sampleRate: Double) {
    self.patches = .allocate(capacity: max(patches.count, 1))
    velocityGains = .allocate(capacity: max(patches.count, 1) * Self.gainCount)
    for (index, patch) in patches.enumerated() {
      (self.patches + index).initialize(
        to: VoicePatch(patch, sampleRate: sampleRate, velocityGains: velocityGains + index * Self.gainCount))
    }
  }

  deinit {
    patches.deallocate()
    velocityGains.deallocate()
  }

  /// The patch of a part. [audio thread]
  subscript(_ index: Int) -> UnsafePointer<VoicePatch> {
    @_noLocks get { UnsafePointer(patches + index) }
  }
}
