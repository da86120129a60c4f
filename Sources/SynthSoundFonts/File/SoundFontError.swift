import Glibc
import SynthFiles

/// Why a file cannot be used as a SoundFont.
public struct SoundFontError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong.
  public enum Cause: Sendable, Equatable {
    /// The system refused to open or map the file; an errno value.
    case cannotOpen(code: Int32)
    /// Neither a RIFF file of kind `sfbk` nor one of kind `RMID` that holds one.
    case notASoundFont
    /// Versions 2 and 3 can be read.
    case unsupportedVersion(major: Int, minor: Int)
    /// The chunk is not there, or lies beyond the end of the file.
    case missingChunk
    /// The chunk has no room for its closing record.
    case emptyChunk
    /// The record refers to a zone, a generator or a modulator before that of the record before it.
    case descendingIndex(record: Int)
    /// An audio file that cannot be a sample: damaged, without frames, or with more than two channels.
    case notAudio(reason: String)
    /// The folder has no audio file.
    case noSamples
    /// More than a SoundFont can hold, 4 GB.
    case tooManySamples
  }

  /// The file's path, or the name that its bytes were given.
  public let path: String
  /// What is wrong.
  public let cause: Cause
  /// The chunk's tag, as `phdr`, where one is concerned.
  public let chunk: String?
  /// Bytes from the start of the file to what is wrong, where that has a place.
  public let offset: Int?

  init(_ cause: Cause, path: String, chunk: String? = nil, offset: Int? = nil) {
    (self.path, self.cause, self.chunk, self.offset) = (path, cause, chunk, offset)
  }

  /// Of a file that is not opened.
  init(_ problem: FileProblem, path: String) {
    if case .system(let code) = problem {
      self.init(.cannotOpen(code: code), path: path)
    } else {
      self.init(.notASoundFont, path: path)
    }
  }

  public var description: String { "reading the \(isOfSamples ? "samples" : "SoundFont") \(path): \(reason)\(remedy)" }

  /// Whether it is about audio files.
  public var isOfSamples: Bool {
    switch cause {
    case .notAudio, .noSamples, .tooManySamples: true
    default: false
    }
  }

  /// What is wrong, and where.
  public var reason: String {
    let place = [chunk.map { "chunk \($0)" }, offset.map { "byte \($0)" }].compactMap(\.self).joined(separator: ", ")
    return place.isEmpty ? text : "\(text) (\(place))"
  }

  private var text: String {
    switch cause {
    case .cannotOpen(let code): String(cString: strerror(code)).lowercased()
    case .notASoundFont: "it is not a SoundFont"
    case .unsupportedVersion(let major, let minor): "it has version \(major).\(minor)"
    case .missingChunk: "a chunk is missing"
    case .emptyChunk: "a chunk has no records"
    case .descendingIndex(let record): "record \(record) refers back behind the one before it"
    case .notAudio(let reason): reason
    case .noSamples: "no audio file is in it"
    case .tooManySamples: "its audio files take more than 4 GB"
    }
  }

  private var remedy: String {
    switch cause {
    case .cannotOpen: " — give the path of a .sf2 or .sf3 file"
    case .notASoundFont: " — it must be a .sf2 or .sf3 file"
    case .unsupportedVersion: " — save it as version 2.04 or 3"
    case .missingChunk, .emptyChunk, .descendingIndex: " — the file is damaged: get it again"
    case .notAudio: " — give a WAV, FLAC or AIFF file, mono or stereo"
    case .noSamples: " — put WAV, FLAC or AIFF files into it"
    case .tooManySamples: " — take some out"
    }
  }
}
