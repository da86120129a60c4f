import DSP

// Once a quantum: envelopes, glide and LFO, and what follows from them for pitch, filter and level.

extension VoiceBlock {
  /// Advances a quantum.
  @_noLocks
  mutating func advance(_ patch: VoicePatch, _ lanes: LaneInputs, _ channel: ChannelInputs) -> BlockControls {
    amplitude.advance(patch.amplitude, gates: lanes.gates)
    pitch = lanes.key + (pitch - lanes.key) * channel.glide
    fade -= lanes.fadeStep
    let swing = advanceLFO(patch)

    let pressure = lanes.pressure + channel.pressure
    let vibrato = swing * (patch.lfoPitch + patch.lfoWheel * channel.modulation + pressure * patch.lfoPressure)
    let key = pitch + detune + lanes.bend + channel.pitch + vibrato
    // Key 69 is A at 440 Hz.
    let octaves = (key - 69) * (1 / 12) + channel.referenceOctave

    // Half a swing down: a tremolo never adds to the level.
    let tremolo = patch.lfoAmplitude > 0 ? exp2((swing - 1) * (patch.lfoAmplitude / 2)) : SIMD8<Float>(repeating: 1)
    var controls = BlockControls(
      frequency: exp2(octaves), cutoff: SIMD8(repeating: 0.45), damping: SIMD8(repeating: 1),
      gain: amplitude.level * loudness * clamped(fade, from: 0, to: 1) * tremolo)
    guard patch.hasFilter else { return controls }
    filterEnvelope.advance(patch.filterEnvelope, gates: lanes.gates)
    var cutoff = brightness + (patch.cutoff + channel.brightness) + (pitch - 60) * patch.tracking
    cutoff += clamped(filterEnvelope.level, from: 0, to: 1) * patch.filterAmount + swing * patch.lfoFilter
    controls.cutoff = exp2(cutoff + pressure * patch.filterPressure)
    controls.damping = exp2(SIMD8(repeating: -patch.resonance - channel.resonance))
    return controls
  }

  /// −1 to 1, less while it fades in.
  @_noLocks
  private mutating func advanceLFO(_ patch: VoicePatch) -> SIMD8<Float> {
    lfoPhase += patch.lfoStep
    lfoPhase.replace(with: lfoPhase - 1, where: lfoPhase .>= 1)
    lfoFade = clamped(lfoFade + patch.lfoFadeStep, from: 0, to: 1)
    return sine(lfoPhase.replacing(with: lfoPhase - 1, where: lfoPhase .>= 0.5)) * lfoFade
  }
}

/// What the slots of a block say, a lane each.
struct LaneInputs {
  var key = SIMD8<Float>(repeating: 60)
  /// Per-note bend, in semitones.
  var bend = SIMD8<Float>(repeating: 0)
  /// 0 to 1.
  var pressure = SIMD8<Float>(repeating: 0)
  /// What a stolen voice loses in a quantum.
  var fadeStep = SIMD8<Float>(repeating: 0)
  private var held = SIMD8<Int32>(repeating: 0)

  /// Where a note is held.
  var gates: SIMDMask<SIMD8<Int32>> {
    @_noLocks get { held .!= 0 }
  }

  @_noLocks
  init(_ slots: UnsafePointer<VoiceSlot>) {
    for lane in 0..<8 {
      let voice = slots[lane]
      key[lane] = Float(Int32(voice.key))
      bend[lane] = voice.bend
      pressure[lane] = voice.pressure
      fadeStep[lane] = voice.isFading ? 1 / Float(Int32(VoiceBlock.fadeQuanta)) : 0
      // A voice that is let go before it was heard is heard for a quantum.
      held[lane] = voice.isHeld || voice.isNew ? -1 : 0
    }
  }
}

/// What eight voices are to do in one quantum.
struct BlockControls {
  /// As a part of the sample rate.
  var frequency: SIMD8<Float>
  /// As a part of the sample rate.
  var cutoff: SIMD8<Float>
  var damping: SIMD8<Float>
  /// At the end of the quantum.
  var gain: SIMD8<Float>
}
