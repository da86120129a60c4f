import FoundationEssentials
import SynthKit

// What takes a path takes a `URL` of a file as well. One of anything else is refused as a file that is not there, by
// its whole name.

extension URL {
  fileprivate var filePath: String { isFileURL ? path : absoluteString }
}

extension MIDIFile {
  /// Reads a file; see `init(path:)`.
  public init(url: URL) throws(MIDIFileError) { try self.init(path: url.filePath) }

  /// Writes the file; see `write(to:runningStatus:)`.
  public func write(to url: URL, runningStatus: Bool = true) throws(MIDIFileWritingError) {
    try write(to: url.filePath, runningStatus: runningStatus)
  }
}

extension MusicSequence {
  /// Writes it as a MIDI file; see `write(to:format:)`.
  public func write(to url: URL, format: MIDIFile.Format? = nil) throws { try write(to: url.filePath, format: format) }
}

extension AudioFileReader {
  /// Opens a file; see `init(path:)`.
  public convenience init(url: URL) throws(AudioFileError) { try self.init(path: url.filePath) }
}

extension AudioFileSegment {
  /// A segment; by default the whole file.
  public init(_ url: URL, start: Int = 0, frameCount: Int? = nil) {
    self.init(url.filePath, start: start, frameCount: frameCount)
  }
}

extension FileSound {
  /// Opens a file and reads its beginning; see `init(path:)`.
  public convenience init(url: URL) throws(AudioFileError) { try self.init(path: url.filePath) }
}

extension SoundFont {
  /// Reads a font; see `init(path:)`.
  public convenience init(url: URL) throws(SoundFontError) { try self.init(path: url.filePath) }
}

extension SessionRecorder {
  /// Records into a file; see `start(_:)` with a path.
  public func start(_ url: URL) throws(RecordingError) { try start(url.filePath) }
}
