@preconcurrency import Glibc
import SynthDSP
import SynthRealtime

/// The controllers of a channel and of its zone's master together, for all voices of one part. [audio thread]
///
/// Sound controllers are relative to their middle, 64. The standards leave the ranges open; here they are: times a
/// tenth to ten times as long, cutoff four octaves, resonance 20 dB, vibrato a quarter to four times as fast, 50 cents
/// deeper or shallower, and two seconds later or sooner.
struct ChannelInputs {
  /// Bend and tuning, in semitones.
  let pitch: Float
  /// 440 Hz as a part of the sample rate, in octaves.
  let referenceOctave: Float
  /// What the modulation wheel and the routes of other controllers add to the vibrato, in semitones.
  let wheel: Float
  let pressure: Float
  /// In octaves of cutoff, and in doublings of the gain there.
  let brightness: Float
  let resonance: Float
  /// Factors.
  let attack: Float
  let decay: Float
  let release: Float
  let vibratoRate: Float
  /// In semitones.
  let vibratoDepth: Float
  /// In quanta.
  let vibratoDelay: Float
  /// The part of the way that is left after a quantum of glide.
  let glide: Float
  /// Milliseconds in a quantum, for voices with portamento.
  let quantumLength: Float

  @_noLocks
  init(of channel: UInt8, _ performance: borrowing Performance, _ patch: VoicePatch, _ rate: RenderRate) {
    let own = performance.channels[Int(channel)]
    let masterChannel = performance.zones.master(of: channel)
    var master = ChannelState()
    if masterChannel != channel { master = performance.channels[Int(masterChannel)] }
    referenceOctave = rate.referenceOctave
    pitch = performance.pitchOffset(channel)
    let routed = performance.offsets(channel)
    wheel =
      max(own.modulation, master.modulation) * (own.parameters.modulationRange ?? patch.lfoWheel)
      + routed.vibrato / 100
    pressure = max(own.pressure, master.pressure)
    brightness = (own.brightness + master.brightness) * 4 + routed.cutoff / 1200
    resonance = (own.resonance + master.resonance) * 3.3
    vibratoDepth = (own.vibratoDepth + master.vibratoDepth) / 2
    vibratoDelay = (own.vibratoDelay + master.vibratoDelay) * 2 * rate.quanta

    glide = patch.glide
    quantumLength = 1000 / rate.quanta
    // The first four lanes are used.
    var exponents = SIMD8<Float>(repeating: 0)
    exponents[0] = (own.attack + master.attack) * tenfold
    exponents[1] = (own.decay + master.decay) * tenfold
    exponents[2] = (own.release + master.release) * tenfold
    exponents[3] = (own.vibratoRate + master.vibratoRate) * 2
    let powers = exp2(exponents)
    attack = powers[0]
    decay = powers[1]
    release = powers[2]
    vibratoRate = powers[3]
  }
}

/// The sample rate as the voices want it.
struct RenderRate: BitwiseCopyable {
  /// 440 Hz as a part of the sample rate, in octaves.
  let referenceOctave: Float
  /// Quanta in a second.
  let quanta: Float

  init(sampleRate: Double) {
    referenceOctave = Float(log2(440 / sampleRate))
    quanta = Float(sampleRate / Double(renderQuantum))
  }
}

/// Octaves in a factor of ten.
private var tenfold: Float {
  @_noLocks get { 3.321_928 }
}

/// The two envelopes of a patch as the channel's sound controllers have them. [audio thread]
struct EnvelopeShapes {
  let amplitude: EnvelopeShape
  let filter: EnvelopeShape

  @_noLocks
  init(_ patch: VoicePatch, _ channel: ChannelInputs) {
    if channel.attack == 1, channel.decay == 1, channel.release == 1 {
      amplitude = patch.amplitude
      filter = patch.filterEnvelope
    } else {
      amplitude = patch.amplitude.multiplied(
        attack: channel.attack, decay: channel.decay, release: channel.release)
      filter = patch.filterEnvelope.multiplied(
        attack: channel.attack, decay: channel.decay, release: channel.release)
    }
  }
}
