import SynthDSP
import SynthRealtime

/// Eight voices side by side: their state between quanta. [audio thread]
struct VoiceBlock: BitwiseCopyable {
  private var first = OscillatorBank()
  private var second = OscillatorBank()
  private var noise = NoiseBank()
  private var filter = LowPassBank()
  var amplitude = EnvelopeBank()
  var filterEnvelope = EnvelopeBank()
  /// Where each glide is, as a key.
  var pitch = SIMD8<Float>(repeating: 60)
  /// The detuning of a voice in the unison, in semitones.
  var detune = SIMD8<Float>(repeating: 0)
  /// By velocity and soft pedal.
  var loudness = SIMD8<Float>(repeating: 0)
  /// By velocity and soft pedal, in octaves of cutoff.
  var brightness = SIMD8<Float>(repeating: 0)
  private var left = SIMD8<Float>(repeating: 0)
  private var right = SIMD8<Float>(repeating: 0)
  /// In periods, and from 0 to 1.
  var lfoPhase = SIMD8<Float>(repeating: 0)
  var lfoFade = SIMD8<Float>(repeating: 0)
  /// 1 until a voice is stolen, then on its way to 0.
  var fade = SIMD8<Float>(repeating: 1)
  /// The gain a stolen voice fades from; below 0 until it is stolen.
  var fadeGain = SIMD8<Float>(repeating: -1)
  /// The highest level of a voice that others fade for; on its way to 1.
  var rise = SIMD8<Float>(repeating: 1)
  /// The gain at the end of the last quantum; below 0 for a voice that has not begun.
  private(set) var gain = SIMD8<Float>(repeating: 0)
  private var fresh: UInt8 = 0

  @_noLocks
  init() {}

  /// A stolen voice falls by this in a quantum, and the one it fades for rises by no more: 10.7 ms in all at 48 kHz.
  static var fadeStep: Float {
    @_noLocks get { 1 / 8 }
  }

  /// Starts the voice of a slot in a lane.
  @_noLocks
  mutating func start(_ lane: Int, _ voice: VoiceSlot, _ patch: VoicePatch, _ envelopes: EnvelopeShapes) {
    // Voices of a unison begin at random phases, so that their steps do not add up; a single voice always begins at 0.
    let seed = (voice.serial &* 0x9E37_79B9) ^ (UInt32(voice.unisonIndex) &* 0x85EB_CA6B)
    first.phase[lane] = patch.unisonCount > 1 ? seed : 0
    second.phase[lane] = patch.unisonCount > 1 ? seed &* 0xC2B2_AE35 : 0
    noise.start(lane, seed: seed | 1)
    let delay = number(voice.startFrame) / number(UInt8(truncatingIfNeeded: renderQuantum))
    amplitude.start(lane, delay: delay, envelopes.amplitude)
    filterEnvelope.start(lane, delay: delay, envelopes.filter)
    pitch[lane] = voice.glideFrom
    loudness[lane] = patch.gain(velocity: voice.velocity) * (voice.isSoft ? 0.7 : 1)
    brightness[lane] =
      patch.filterVelocity * (Float(Int32(voice.velocity)) / 65535 - 1) - (voice.isSoft ? 0.5 : 0)
    let place = patch.unisonCount > 1 ? 2 * number(voice.unisonIndex) / Float(Int32(patch.unisonCount &- 1)) - 1 : 0
    detune[lane] = place * patch.unisonDetune / 2
    // Twice the power that goes to a side: a voice in the middle has 1 on both.
    left[lane] = squareRoot(1 - place * patch.unisonSpread)
    right[lane] = squareRoot(1 + place * patch.unisonSpread)
    lfoPhase[lane] = 0
    lfoFade[lane] = 0
    fade[lane] = 1
    fadeGain[lane] = -1
    rise[lane] = voice.hasStolen ? -Self.fadeStep * delay : 1
    let step = voice.hasStolen ? min(Self.fadeStep, envelopes.amplitude.attackStep) : envelopes.amplitude.attackStep
    gain[lane] = -step * delay * loudness[lane]
    fresh |= 1 &<< UInt8(truncatingIfNeeded: lane)
  }

  /// Renders a quantum into `memory`'s samples and adds it to its sums.
  @_noLocks
  mutating func render(_ patch: VoicePatch, _ controls: BlockControls, _ memory: RenderMemory) {
    let samples = memory.samples
    for index in 0..<renderQuantum { samples[index] = SIMD8(repeating: 0) }
    if patch.first.level > 0 { patch.first.render(&first, controls.frequency, into: samples) }
    if patch.second.level > 0 { patch.second.render(&second, controls.frequency, into: samples) }
    if patch.noise > 0 { noise.render(level: patch.noise, into: samples, count: renderQuantum) }
    if patch.hasFilter {
      let target = LowPassCoefficients(cutoff: controls.cutoff, damping: controls.damping)
      for lane in 0..<8 where fresh & (1 &<< UInt8(truncatingIfNeeded: lane)) != 0 { filter.start(lane, target) }
      filter.process(samples, count: renderQuantum, toward: target)
    }
    fresh = 0
    mix(toward: controls.gain, memory)
  }

  /// Adds the samples to the sums of the channel, with a linear ramp of the gain, which is 0 where it is below.
  @_noLocks
  private mutating func mix(toward target: SIMD8<Float>, _ memory: RenderMemory) {
    let step = (target - gain) * (1 / Float(Int32(renderQuantum)))
    let zero = SIMD8<Float>(repeating: 0)
    var gain = gain
    for index in 0..<renderQuantum {
      gain += step
      let sample = memory.samples[index] * zero.replacing(with: gain, where: gain .> zero)
      memory.left[index] += sample * left
      memory.right[index] += sample * right
    }
    self.gain = target
  }
}

/// Room for a quantum of eight voices, and for the sums of a channel. Owned by the renderer.
struct RenderMemory {
  let samples: UnsafeMutablePointer<SIMD8<Float>>
  let left: UnsafeMutablePointer<SIMD8<Float>>
  let right: UnsafeMutablePointer<SIMD8<Float>>
}

@_noLocks
private func number(_ value: UInt8) -> Float { Float(Int32(value)) }
