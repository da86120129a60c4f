/// What a zone sets, by the numbers of the "SoundFont Technical Specification 2.04", section 8.1.2.
///
/// 59 and 60 are FluidSynth's: the pitch of the note, and the balance that controller 8 moves.
public enum Generator: UInt8, CaseIterable, Sendable {
  /// Where the sample and its loop begin and end, moved by words; the coarse ones by 32,768 words.
  case startOffset, endOffset, loopStartOffset, loopEndOffset, coarseStartOffset
  /// From an oscillator or the modulation envelope to the pitch or the filter, in cents; the filter in absolute
  /// cents, its Q in centibels.
  case modulationToPitch, vibratoToPitch, envelopeToPitch, filterCutoff, filterQ, modulationToFilter, envelopeToFilter
  /// As in the first line; the modulation oscillator to the volume, in centibels.
  case coarseEndOffset, modulationToVolume
  /// The shares that go to the effects, and the place between left and right, in thousandths.
  case chorusSend = 15, reverbSend, pan
  /// The two oscillators: their delay in timecents, their frequency in absolute cents.
  case modulationDelay = 21, modulationFrequency, vibratoDelay, vibratoFrequency
  /// The modulation envelope: times in timecents, sustain in thousandths below the peak.
  case modulationEnvelopeDelay, modulationAttack, modulationHold, modulationDecay, modulationSustain, modulationRelease
  /// How much shorter hold and decay are for each key above 60, in timecents.
  case keyToModulationHold, keyToModulationDecay
  /// The volume envelope: times in timecents, sustain in centibels below the peak.
  case volumeDelay, volumeAttack, volumeHold, volumeDecay, volumeSustain, volumeRelease
  /// As above, of the volume envelope.
  case keyToVolumeHold, keyToVolumeDecay
  /// The instrument of a preset's zone.
  case instrument
  /// The keys and velocities of a zone; what replaces the key and velocity of a note; attenuation in centibels.
  case keyRange = 43, velocityRange, coarseLoopStartOffset, key, velocity, attenuation
  /// Tuning in semitones and cents; the sample of a zone, and how it is looped.
  case coarseLoopEndOffset = 50, coarseTuning, fineTuning, sample, sampleModes
  /// Cents from key to key; the class in which a note ends others; the key of the sample; and the two of FluidSynth.
  case scaleTuning = 56, exclusiveClass, rootKey, pitch, balance

  /// How many numbers there are.
  public static let count = 61

  /// What it is where no zone sets it.
  public var standard: Float {
    switch self {
    case .filterCutoff: 13500
    case .modulationDelay, .vibratoDelay, .modulationEnvelopeDelay, .modulationAttack, .modulationHold,
      .modulationDecay, .modulationRelease, .volumeDelay, .volumeAttack, .volumeHold, .volumeDecay, .volumeRelease:
      -12000
    case .key, .velocity, .rootKey: -1
    case .scaleTuning: 100
    default: 0
    }
  }

  /// Whether a zone of a preset may set it; an instrument's may set all of the specification but `instrument`.
  var isForPresets: Bool {
    switch self {
    case .startOffset, .endOffset, .loopStartOffset, .loopEndOffset, .coarseStartOffset, .coarseEndOffset,
      .coarseLoopStartOffset, .coarseLoopEndOffset, .key, .velocity, .sampleModes, .exclusiveClass, .rootKey, .sample,
      .pitch, .balance:
      false
    default: true
    }
  }

  /// Whether a zone of an instrument may set it.
  var isForInstruments: Bool { self != .instrument && self != .pitch && self != .balance }
}
