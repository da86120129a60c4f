import FoundationEssentials
import SynthKit
import SynthRealtime

/// An error whose `localizedDescription` is its own text: what was done, to what, what is wrong and what helps.
///
/// Foundation would say "The operation could not be completed".
public protocol DescribedError: LocalizedError, CustomStringConvertible {}

extension DescribedError {
  /// The error's own text.
  public var errorDescription: String? { description }
}

extension AudioBufferError: DescribedError {}
extension AudioFileError: DescribedError {}
extension BufferPlayerError: DescribedError {}
extension BusError: DescribedError {}
extension ChannelAssignmentError: DescribedError {}
extension ChannelMapError: DescribedError {}
extension ComponentError: DescribedError {}
extension ConvolverError: DescribedError {}
extension DelayError: DescribedError {}
extension EngineError: DescribedError {}
extension EqualizerError: DescribedError {}
extension FourierTransformError: DescribedError {}
extension GraphError: DescribedError {}
extension HRTFError: DescribedError {}
extension InputError: DescribedError {}
extension InsertError: DescribedError {}
extension InstrumentChoiceError: DescribedError {}
extension InstrumentError: DescribedError {}
extension JACKError: DescribedError {}
extension LibraryError: DescribedError {}
extension MatrixMixerError: DescribedError {}
extension MIDIFileError: DescribedError {}
extension MIDIFileWritingError: DescribedError {}
extension MusicSequenceError: DescribedError {}
extension OutputThreadError: DescribedError {}
extension ParameterError: DescribedError {}
extension ParametricEqualizerError: DescribedError {}
extension PCMError: DescribedError {}
extension PropertyError: DescribedError {}
extension RecordingError: DescribedError {}
extension ResamplerError: DescribedError {}
extension ResourceError: DescribedError {}
extension SequencerError: DescribedError {}
extension SongError: DescribedError {}
extension SoundFontError: DescribedError {}
extension SoundFontLocatorError: DescribedError {}
extension SpatialMixerError: DescribedError {}
extension SurfaceError: DescribedError {}
extension SynthesizerCommandError: DescribedError {}
extension WorkerThreadError: DescribedError {}
