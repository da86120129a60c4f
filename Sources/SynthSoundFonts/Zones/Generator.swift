/// What a zone sets, by the numbers of the "SoundFont Technical Specification 2.04", section 8.1.2.
///
/// 59 and 60 are FluidSynth's: the pitch of the note, and the balance that controller 8 moves.
public enum Generator: UInt8, CaseIterable, Sendable {
  case startOffset, endOffset, loopStartOffset, loopEndOffset, coarseStartOffset
  case modulationToPitch, vibratoToPitch, envelopeToPitch, filterCutoff, filterQ, modulationToFilter, envelopeToFilter
  case coarseEndOffset, modulationToVolume
  case chorusSend = 15, reverbSend, pan
  case modulationDelay = 21, modulationFrequency, vibratoDelay, vibratoFrequency
  case modulationEnvelopeDelay, modulationAttack, modulationHold, modulationDecay, modulationSustain, modulationRelease
  case keyToModulationHold, keyToModulationDecay
  case volumeDelay, volumeAttack, volumeHold, volumeDecay, volumeSustain, volumeRelease
  case keyToVolumeHold, keyToVolumeDecay
  case instrument
  case keyRange = 43, velocityRange, coarseLoopStartOffset, key, velocity, attenuation
  case coarseLoopEndOffset = 50, coarseTuning, fineTuning, sample, sampleModes
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
