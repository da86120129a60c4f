import FoundationEssentials
import SynthKit
import SynthRealtime

// For programs that show `error.localizedDescription`: Foundation would say "The operation could not be completed".

extension AudioFileError: LocalizedError {
  /// The error's own text: what was done, to what, what is wrong and what helps.
  public var errorDescription: String? { description }
}

extension ChannelAssignmentError: LocalizedError {
  /// The error's own text: what was done, to what, what is wrong and what helps.
  public var errorDescription: String? { description }
}

extension ChannelMapError: LocalizedError {
  /// The error's own text: what was done, to what, what is wrong and what helps.
  public var errorDescription: String? { description }
}

extension ComponentError: LocalizedError {
  /// The error's own text: what was done, to what, what is wrong and what helps.
  public var errorDescription: String? { description }
}

extension DelayError: LocalizedError {
  /// The error's own text: what was done, to what, what is wrong and what helps.
  public var errorDescription: String? { description }
}

extension EngineError: LocalizedError {
  /// The error's own text: what was done, to what, what is wrong and what helps.
  public var errorDescription: String? { description }
}

extension EqualizerError: LocalizedError {
  /// The error's own text: what was done, to what, what is wrong and what helps.
  public var errorDescription: String? { description }
}

extension GraphError: LocalizedError {
  /// The error's own text: what was done, to what, what is wrong and what helps.
  public var errorDescription: String? { description }
}

extension HRTFError: LocalizedError {
  /// The error's own text: what was done, to what, what is wrong and what helps.
  public var errorDescription: String? { description }
}

extension InputError: LocalizedError {
  /// The error's own text: what was done, to what, what is wrong and what helps.
  public var errorDescription: String? { description }
}

extension InstrumentChoiceError: LocalizedError {
  /// The error's own text: what was done, to what, what is wrong and what helps.
  public var errorDescription: String? { description }
}

extension InstrumentError: LocalizedError {
  /// The error's own text: what was done, to what, what is wrong and what helps.
  public var errorDescription: String? { description }
}

extension MatrixMixerError: LocalizedError {
  /// The error's own text: what was done, to what, what is wrong and what helps.
  public var errorDescription: String? { description }
}

extension MIDIFileError: LocalizedError {
  /// The error's own text: what was done, to what, what is wrong and what helps.
  public var errorDescription: String? { description }
}

extension MIDIFileWritingError: LocalizedError {
  /// The error's own text: what was done, to what, what is wrong and what helps.
  public var errorDescription: String? { description }
}

extension MusicSequenceError: LocalizedError {
  /// The error's own text: what was done, to what, what is wrong and what helps.
  public var errorDescription: String? { description }
}

extension OutputThreadError: LocalizedError {
  /// The error's own text: what was done, to what, what is wrong and what helps.
  public var errorDescription: String? { description }
}

extension ParameterError: LocalizedError {
  /// The error's own text: what was done, to what, what is wrong and what helps.
  public var errorDescription: String? { description }
}

extension ParametricEqualizerError: LocalizedError {
  /// The error's own text: what was done, to what, what is wrong and what helps.
  public var errorDescription: String? { description }
}

extension PCMError: LocalizedError {
  /// The error's own text: what was done, to what, what is wrong and what helps.
  public var errorDescription: String? { description }
}

extension PropertyError: LocalizedError {
  /// The error's own text: what was done, to what, what is wrong and what helps.
  public var errorDescription: String? { description }
}

extension RecordingError: LocalizedError {
  /// The error's own text: what was done, to what, what is wrong and what helps.
  public var errorDescription: String? { description }
}

extension ResamplerError: LocalizedError {
  /// The error's own text: what was done, to what, what is wrong and what helps.
  public var errorDescription: String? { description }
}

extension ResourceError: LocalizedError {
  /// The error's own text: what was done, to what, what is wrong and what helps.
  public var errorDescription: String? { description }
}

extension SequencerError: LocalizedError {
  /// The error's own text: what was done, to what, what is wrong and what helps.
  public var errorDescription: String? { description }
}

extension SongError: LocalizedError {
  /// The error's own text: what was done, to what, what is wrong and what helps.
  public var errorDescription: String? { description }
}

extension SoundFontError: LocalizedError {
  /// The error's own text: what was done, to what, what is wrong and what helps.
  public var errorDescription: String? { description }
}

extension SoundFontLocatorError: LocalizedError {
  /// The error's own text: what was done, to what, what is wrong and what helps.
  public var errorDescription: String? { description }
}

extension SpatialMixerError: LocalizedError {
  /// The error's own text: what was done, to what, what is wrong and what helps.
  public var errorDescription: String? { description }
}

extension SurfaceError: LocalizedError {
  /// The error's own text: what was done, to what, what is wrong and what helps.
  public var errorDescription: String? { description }
}

extension SynthesizerCommandError: LocalizedError {
  /// The error's own text: what was done, to what, what is wrong and what helps.
  public var errorDescription: String? { description }
}

extension WorkerThreadError: LocalizedError {
  /// The error's own text: what was done, to what, what is wrong and what helps.
  public var errorDescription: String? { description }
}
