import AudioGraph
import CSynthSndfile
import Glibc
import SynthDSP
import SynthFiles

/// Reads any audio file libsndfile knows, as float samples, full scale ±1. Used by one thread at a time.
public final class AudioFileReader {
  /// Frames in the file; nil if unknown, as for a FLAC from a pipe or an empty FLAC.
  public let frameCount: Int?
  /// How many bytes a WAV, AIFF or MP3 file lacks of those its header promises, as after a download that broke off.
  public let missingByteCount: Int
  /// Frames per second.
  public let sampleRate: Int
  /// Channels per frame.
  public let channelCount: Int
  /// Container and encoding in libsndfile's words: "FLAC (Free Lossless Audio Codec), Signed 24 bit PCM".
  public let format: String

  /// What the file says about its audio.
  public let tags: [AudioFileTag: String]

  private let path: String
  private let sndfile: OpaquePointer

  /// Opens a regular file. (sf_open_fd)
  public init(path: String) throws(AudioFileError) {
    let (descriptor, byteCount) = try Self.open(path)
    missingByteCount = PromisedLength.missingByteCount(descriptor)
    var info = SF_INFO()
    guard let sndfile = sf_open_fd(descriptor, Int32(SFM_READ), &info, 1) else {
      let reason = String(cString: sf_strerror(nil))
      throw .unreadable(path: path, reason: "\(reason) — it must be an audio file, such as WAV or FLAC")
    }
    self.path = path
    self.sndfile = sndfile
    frameCount = Self.believed(Int(info.frames), byteCount: byteCount)
    sampleRate = Int(info.samplerate)
    channelCount = Int(info.channels)
    format = [Int32(SF_FORMAT_TYPEMASK), Int32(SF_FORMAT_SUBMASK)].map { Self.name(ofFormat: info.format & $0) }
      .joined(separator: ", ")
    tags = Self.tags(sndfile)
  }

  private static func open(_ path: String) throws(AudioFileError) -> (descriptor: Int32, byteCount: Int) {
    do throws(FileProblem) {
      let file = try OutsideFile(path: path)
      let byteCount = file.byteCount
      return (file.takeDescriptor(), byteCount)
    } catch {
      if case .system(let code) = error { throw .cannotOpen(path: path, code: code) }
      throw .unreadable(path: path, reason: "\(error.reason) — give an audio file, such as WAV or FLAC")
    }
  }

  /// The frames that a file claims; nil where a file of its size cannot hold as many. FLAC makes 6,000 frames of
  /// silence of a byte, Opus 3,000.
  private static func believed(_ frameCount: Int, byteCount: Int) -> Int? {
    (0...8192 * min(byteCount, 1 << 48)).contains(frameCount) ? frameCount : nil
  }

  /// (sf_get_string)
  private static func tags(_ sndfile: OpaquePointer) -> [AudioFileTag: String] {
    let pairs = AudioFileTag.allCases.compactMap { tag in
      sf_get_string(sndfile, tag.sndfileString).map { (tag, String(cString: $0)) }
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }

  /// (SFC_GET_FORMAT_INFO)
  private static func name(ofFormat format: Int32) -> String {
    var info = SF_FORMAT_INFO(format: format, name: nil, extension: nil)
    sf_command(nil, Int32(SFC_GET_FORMAT_INFO), &info, Int32(MemoryLayout<SF_FORMAT_INFO>.size))
    return info.name.map { String(cString: $0) } ?? "unknown"
  }

  deinit { sf_close(sndfile) }

  /// Moves to a frame, counted from 0. (sf_seek)
  public func seek(to frame: Int) throws(AudioFileError) {
    guard frame >= 0 else {
      throw .unreadable(path: path, reason: "frame \(frame) cannot be gone to — the first is 0")
    }
    guard sf_seek(sndfile, sf_count_t(frame), Int32(SEEK_SET)) == sf_count_t(frame) else {
      throw .unreadable(
        path: path, reason: "frame \(frame) cannot be gone to: \(String(cString: sf_strerror(sndfile)))")
    }
  }

  /// What the buffers have that it gives.
  public var bufferFormat: AudioFormat {
    AudioFormat(sampleRate: Double(sampleRate), channelCount: channelCount)
  }

  /// Reads the next frames: fewer than that at the end of the file, none after it. (sf_readf_float)
  ///
  /// Non-finite samples, which a file of floats may have, become 0.
  ///
  /// - Parameter frameCount: clamped to what a buffer holds.
  public func read(_ frameCount: Int) throws(AudioFileError) -> AudioBuffer {
    var frames = AudioBuffer(format: bufferFormat, frameCount: 0)
    let wanted = min(frameCount, AudioBuffer.mostFrames)
    while frames.frameCount < wanted {
      let next = try readPiece(min(wanted - frames.frameCount, piece))
      if next.isEmpty { break }
      try append(next, to: &frames)
    }
    return frames
  }

  /// Frames that libsndfile reads at a time: up to 1 MB. A file can have 1024 channels.
  private var piece: Int { max(1, 1 << 18 / channelCount) }

  private func readPiece(_ frameCount: Int) throws(AudioFileError) -> AudioBuffer {
    var interleaved = [Float](repeating: 0, count: frameCount * channelCount)
    let count = max(0, Int(sf_readf_float(sndfile, &interleaved, sf_count_t(frameCount))))
    if sf_error(sndfile) != 0 { throw .unreadable(path: path, reason: String(cString: sf_strerror(sndfile))) }
    makeFinite(&interleaved, count: count * channelCount)
    return AudioBuffer(format: bufferFormat, frameCount: count) { interleaved[$1 * channelCount + $0] }
  }

  private func append(_ next: AudioBuffer, to buffer: inout AudioBuffer) throws(AudioFileError) {
    if buffer.isEmpty { return buffer = next }
    do throws(AudioBufferError) {
      try buffer.append(next)
    } catch {
      throw .unreadable(path: path, reason: "it is too long for a buffer — read it in pieces")
    }
  }

  /// The frames in the file. Those of a file that does not say it are counted by reading it all, from its first.
  func countFrames() throws(AudioFileError) -> Int {
    if let frameCount { return frameCount }
    var count = 0
    while case let read = try read(piece).frameCount, read > 0 { count += read }
    if count > 0 { try seek(to: 0) }
    return count
  }

  /// Reads the rest.
  ///
  /// - Throws: `AudioFileError`, also where that is longer than a buffer can be.
  public func readAll() throws(AudioFileError) -> AudioBuffer {
    var all = AudioBuffer(format: bufferFormat, frameCount: 0)
    while case let next = try readPiece(piece), !next.isEmpty { try append(next, to: &all) }
    return all
  }
}
