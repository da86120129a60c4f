import SynthDSP

// Once a quantum: envelopes, glide and LFO, and from them pitch, filter and level.

extension VoiceBlock {
  /// Advances a quantum.
  @_noLocks
  mutating func advance(
    _ patch: VoicePatch, _ envelopes: EnvelopeShapes, _ lanes: LaneInputs, _ channel: ChannelInputs
  ) -> BlockControls {
    amplitude.advance(envelopes.amplitude, gates: lanes.gates)
    advanceGlide(lanes, channel)
    let swing = advanceLFO(patch, channel)

    let pressure = lanes.pressure + channel.pressure
    let depth = max(patch.lfoPitch + channel.vibratoDepth, 0) + channel.wheel
    let vibrato = swing * (depth + pressure * patch.lfoPressure)
    let key = pitch + detune + lanes.bend + channel.pitch + vibrato
    // Key 69 is A at 440 Hz.
    let octaves = (key - 69) * (1 / 12) + channel.referenceOctave

    // Half a swing down: a tremolo never adds to the level.
    let tremolo = patch.lfoAmplitude > 0 ? exp2((swing - 1) * (patch.lfoAmplitude / 2)) : SIMD8<Float>(repeating: 1)
    var controls = BlockControls(
      frequency: exp2(octaves), cutoff: SIMD8(repeating: 0.45), damping: SIMD8(repeating: 1),
      gain: advanceGain(lanes, tremolo))
    guard patch.hasFilter else { return controls }
    filterEnvelope.advance(envelopes.filter, gates: lanes.gates)
    var cutoff = brightness + (patch.cutoff + channel.brightness) + (pitch - 60) * patch.tracking
    cutoff += clamped(filterEnvelope.level, from: 0, to: 1) * patch.filterAmount + swing * patch.lfoFilter
    controls.cutoff = exp2(cutoff + pressure * patch.filterPressure)
    controls.damping = exp2(SIMD8(repeating: -patch.resonance - channel.resonance))
    return controls
  }

  /// By the patch in an exponential curve, by portamento in a straight line.
  @_noLocks
  private mutating func advanceGlide(_ lanes: LaneInputs, _ channel: ChannelInputs) {
    let way = pitch - lanes.pitch
    let step = lanes.glideSpeed * channel.quantumLength
    var left = (way - step).replacing(with: way + step, where: way .< 0)
    // It ends where it would go beyond.
    left.replace(with: 0, where: left * way .<= 0)
    left.replace(with: way * channel.glide, where: lanes.glideSpeed .== 0)
    pitch = lanes.pitch + left
  }

  /// The gain at the end of the quantum. A stolen voice goes straight to 0 from its last gain, and ignores its
  /// envelope.
  @_noLocks
  private mutating func advanceGain(_ lanes: LaneInputs, _ tremolo: SIMD8<Float>) -> SIMD8<Float> {
    let level = amplitude.level
    rise = clamped(rise + VoiceBlock.fadeStep, from: -1, to: 1)
    let target = level.replacing(with: rise, where: rise .< level) * loudness * tremolo
    fadeGain.replace(with: clamped(gain, from: 0, to: .greatestFiniteMagnitude), where: lanes.fading .& (fadeGain .< 0))
    fade.replace(with: fade - VoiceBlock.fadeStep, where: lanes.fading)
    return target.replacing(with: fadeGain * clamped(fade, from: 0, to: 1), where: lanes.fading)
  }

  /// −1 to 1, less while it fades in. Half a turn in a quantum is the fastest, 375 Hz at 48 kHz.
  @_noLocks
  private mutating func advanceLFO(_ patch: VoicePatch, _ channel: ChannelInputs) -> SIMD8<Float> {
    lfoPhase += min(0.5, patch.lfoStep * channel.vibratoRate)
    lfoPhase.replace(with: lfoPhase - 1, where: lfoPhase .>= 1)
    lfoFade = clamped(lfoFade + 1 / max(patch.lfoDelay + channel.vibratoDelay, 1), from: 0, to: 1)
    return sine(lfoPhase.replacing(with: lfoPhase - 1, where: lfoPhase .>= 0.5)) * lfoFade
  }
}

/// The values of a block's slots, a lane each.
struct LaneInputs {
  /// Where keys are tuned to.
  var pitch = SIMD8<Float>(repeating: 60)
  /// Per-note bend, in semitones.
  var bend = SIMD8<Float>(repeating: 0)
  /// 0 to 1.
  var pressure = SIMD8<Float>(repeating: 0)
  /// In semitones a millisecond; 0 where a note glides by its patch.
  var glideSpeed = SIMD8<Float>(repeating: 0)
  private var held = SIMD8<Int32>(repeating: 0)
  private var stolen = SIMD8<Int32>(repeating: 0)

  /// Where a note is held.
  var gates: SIMDMask<SIMD8<Int32>> {
    @_noLocks get { held .!= 0 }
  }

  /// Where a voice is stolen.
  var fading: SIMDMask<SIMD8<Int32>> {
    @_noLocks get { stolen .!= 0 }
  }

  @_noLocks
  init(_ slots: UnsafePointer<VoiceSlot>) {
    for lane in 0..<8 {
      let voice = slots[lane]
      pitch[lane] = voice.pitch
      bend[lane] = voice.bend
      pressure[lane] = voice.pressure
      stolen[lane] = voice.isFading ? -1 : 0
      glideSpeed[lane] = voice.glideSpeed
      // A voice that is released before its first quantum sounds for a quantum.
      held[lane] = voice.hold.isHeld || voice.isNew ? -1 : 0
    }
  }
}

/// The controls of eight voices for one quantum.
struct BlockControls {
  /// As a part of the sample rate.
  var frequency: SIMD8<Float>
  /// As a part of the sample rate.
  var cutoff: SIMD8<Float>
  var damping: SIMD8<Float>
  /// At the end of the quantum.
  var gain: SIMD8<Float>
}
