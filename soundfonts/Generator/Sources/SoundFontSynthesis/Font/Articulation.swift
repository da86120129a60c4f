// How a sampled sound is played: envelopes, filter, vibrato, place. In seconds, hertz and decibels.

/// Everything about a layer but its samples. The defaults play a sample as it is.
struct Articulation: Sendable {
  /// An excursion of the modulation envelope: cents at its top, then decay to `sustain` of that.
  struct Sweep: Sendable {
    var cents: Double
    var attack = 0.0
    var decay = 0.0
    /// Share of `cents` kept while held.
    var sustain = 0.0
    var release = 0.2
  }

  struct Vibrato: Sendable {
    var cents = 0.0
    var rate = 5.5
    var delay = 0.4
  }

  /// The modulation oscillator: pitch in cents, filter in cents, volume in decibels.
  struct Wobble: Sendable {
    var rate: Double
    var delay = 0.0
    var pitch = 0.0
    var filter = 0.0
    var volume = 0.0
  }

  var level = 0.0
  var delay = 0.0
  var attack = 0.0
  var hold = 0.0
  /// Seconds to fall by 100 dB, at key 60; 0 does not fall.
  var decay = 0.0
  /// Decibels below the peak while held; nil falls to silence if there is a decay.
  var sustain: Double?
  var release = 0.15
  /// Octaves by which the decay shortens in an octave of keys: 0.5 halves it every two octaves.
  var decayTracking = 0.0
  /// Filter cut-off; nil is open.
  var cutoff: Double?
  /// Height of the filter's resonance in decibels.
  var resonance = 0.0
  var filterSweep: Sweep?
  /// Shares its times with `filterSweep`, which must be nil then.
  var pitchSweep: Sweep?
  /// Cents by which the softest note's filter is lower than the loudest's.
  var dynamics = 0.0
  var vibrato = Vibrato()
  /// -50 left to 50 right.
  var pan = 0.0
  /// Semitones.
  var transpose = 0
  /// Cents.
  var detune = 0.0
  /// Cents a key.
  var scaleTuning = 100
  var exclusiveClass = 0
  var wobble: Wobble?
  var chorus = 0.0
  var reverb = 0.0

  /// The generators, without those at the standard's default.
  var generators: [GeneratorValue] {
    var list = envelope + filter + oscillators
    // E-mu's hardware and the players that follow it hear 0.4 of the written attenuation.
    list.append(GeneratorValue(.attenuation, Int((max(0, -level) * 25).rounded())))
    list.append(GeneratorValue(.pan, Int(pan * 10)))
    list.append(GeneratorValue(.coarseTune, transpose))
    list.append(GeneratorValue(.fineTune, Int(detune.rounded())))
    list.append(GeneratorValue(.exclusiveClass, exclusiveClass))
    list.append(GeneratorValue(.chorusSend, Int(chorus * 10)))
    list.append(GeneratorValue(.reverbSend, Int(reverb * 10)))
    list.removeAll { $0.amount == 0 }
    if scaleTuning != 100 { list.append(GeneratorValue(.scaleTuning, scaleTuning)) }
    return list
  }

  var modulators: [Modulator] {
    dynamics > 0 && cutoff != nil ? [.softVelocityCloses(cents: dynamics)] : []
  }

  private var envelope: [GeneratorValue] {
    var list: [GeneratorValue] = []
    for (generator, seconds) in [
      (Generator.volumeDelay, delay), (.volumeAttack, attack), (.volumeHold, hold), (.volumeDecay, decay),
      (.volumeRelease, release),
    ] where seconds > 0.001 {
      list.append(timed(generator, seconds))
    }
    list.append(GeneratorValue(.volumeSustain, Int((sustain ?? (decay > 0 ? 100 : 0)) * 10)))
    list.append(GeneratorValue(.keyToVolumeDecay, Int(decayTracking * 100)))
    return list
  }

  private var filter: [GeneratorValue] {
    var list: [GeneratorValue] = []
    if let cutoff { list.append(GeneratorValue(.filterCutoff, min(13_500, absoluteCents(cutoff)))) }
    list.append(GeneratorValue(.filterQ, Int(resonance * 10)))
    if let sweep = filterSweep ?? pitchSweep {
      list.append(GeneratorValue(filterSweep != nil ? .modEnvelopeToFilter : .modEnvelopeToPitch, Int(sweep.cents)))
      list.append(timed(.modEnvelopeAttack, sweep.attack))
      list.append(timed(.modEnvelopeDecay, sweep.decay))
      list.append(GeneratorValue(.modEnvelopeSustain, Int((1 - sweep.sustain) * 1_000)))
      list.append(timed(.modEnvelopeRelease, sweep.release))
    }
    return list
  }

  private var oscillators: [GeneratorValue] {
    var list = [
      GeneratorValue(.vibratoLFOFrequency, absoluteCents(vibrato.rate)),
      GeneratorValue(.vibratoLFOToPitch, Int(vibrato.cents)),
    ]
    if vibrato.delay > 0.001 { list.append(timed(.vibratoLFODelay, vibrato.delay)) }
    if let wobble {
      list.append(GeneratorValue(.modLFOFrequency, absoluteCents(wobble.rate)))
      if wobble.delay > 0.001 { list.append(timed(.modLFODelay, wobble.delay)) }
      list.append(GeneratorValue(.modLFOToPitch, Int(wobble.pitch)))
      list.append(GeneratorValue(.modLFOToFilter, Int(wobble.filter)))
      list.append(GeneratorValue(.modLFOToVolume, Int(wobble.volume * 10)))
    }
    return list
  }

  /// One second is 0 timecents, which is not the default, so it must not be taken for one: 1 timecent is inaudible.
  private func timed(_ generator: Generator, _ seconds: Double) -> GeneratorValue {
    let amount = timecents(seconds)
    return GeneratorValue(generator, amount == 0 ? 1 : amount)
  }
}
