import CSynthSndfile
import SynthDSP

/// Encodes samples as a FLAC, Ogg Vorbis, Opus, MP3, AIFF or CAF file, with libsndfile at its standard quality: for
/// stereo at 48 kHz about 110 kbit/s of Vorbis, 120 of Opus, 200 of MP3 (variable rate).
final class FileEncoder {
  private let sink: FileSink
  private let stream: EncodedStream
  private let format: AudioFileFormat
  private var file: OpaquePointer?
  private var isEmpty = true

  /// Begins a file in the sink. (sf_open_virtual, sf_set_string)
  init(_ format: AudioFileFormat, _ tags: [AudioFileTag: String], _ sink: FileSink) throws(AudioFileError) {
    self.sink = sink
    stream = EncodedStream(sink, isOgg: [.vorbis, .opus].contains(format.container))
    self.format = format
    if format.container == .mp3 { sink.writeHead(tags.id3) }
    var info = SF_INFO(
      frames: 0, samplerate: Int32(format.sampleRate), channels: Int32(format.channelCount),
      format: Int32(format.sndfileFormat), sections: 0, seekable: 0)
    var io = SF_VIRTUAL_IO.encodedStream
    let user = Unmanaged.passUnretained(stream).toOpaque()
    guard let file = sf_open_virtual(&io, Int32(SFM_WRITE), &info, user) else {
      if sink.failure != 0 { throw AudioFileError(writing: sink.path, code: sink.failure) }
      throw .unsupported(path: sink.path, reason: String(cString: sf_strerror(nil)))
    }
    self.file = file
    if format.container != .mp3 {
      for (tag, text) in tags.inOrder { sf_set_string(file, tag.sndfileString, text) }
    }
    // It would hold the time of day, so that no two files were the same.
    sf_command(file, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, Int32(SF_FALSE))
    // Without this a FLAC of no frames would have no bytes.
    if format.container == .flac { sf_command(file, Int32(SFC_UPDATE_HEADER_NOW), nil, 0) }
  }

  deinit { close() }

  /// Lets the file say how long it is by now, where its format wants that. (SFC_UPDATE_HEADER_NOW)
  ///
  /// - Parameter frameCount: what has been appended so far.
  func tellLength(frameCount: Int) {
    switch format.container {
    case .aiff, .caf: sf_command(file, Int32(SFC_UPDATE_HEADER_NOW), nil, 0)
    case .flac: tellFLACLength(frameCount)
    case .wav, .vorbis, .opus, .mp3, .raw: break
    }
  }

  /// Writes the 36 bits that STREAMINFO has for the number of frames, which libsndfile writes when the file is closed.
  /// The four bits before them are the lower ones of the samples' width less 1. (RFC 9639, section 8.2)
  private func tellFLACLength(_ frameCount: Int) {
    let block = sink.bytes(at: 8, count: 2).reduce(0) { $0 << 8 | Int($1) }
    guard block > 0, frameCount > 0 else { return }
    // libFLAC writes a block when the first frame of the next one comes.
    let written = (frameCount - 1) / block * block
    let width = UInt8((format.samples.bits ?? 16) - 1) << 4
    let count = (0..<5).map { UInt8(truncatingIfNeeded: written >> (32 - 8 * $0)) }
    sink.overwrite([width | count[0] & 0xF] + count[1...], at: 21)
  }

  /// Completes the file; the sink keeps a failure. (sf_close)
  func finish() {
    if isEmpty, [.opus, .mp3].contains(format.container) {
      // libsndfile cannot read the Opus and MP3 files of no frames that it writes.
      var silence = [Float](repeating: 0, count: format.channelCount)
      append(&silence, count: silence.count)
    }
    close()
  }

  private func close() {
    if let file { sf_close(file) }
    file = nil
  }

  /// The format `append` takes.
  var sampleFormat: SampleFormat {
    switch format.samples {
    case .int16: .int16
    case .int24: .int24
    case .float32: .float32
    }
  }

  /// Appends interleaved samples, which are overwritten; the sink keeps a failure.
  /// (sf_write_short, sf_write_int, sf_write_float)
  func append(_ interleaved: UnsafeMutableRawPointer, count: Int) {
    isEmpty = false
    switch format.samples {
    case .int16: sf_write_short(file, interleaved.assumingMemoryBound(to: Int16.self), sf_count_t(count))
    case .int24:
      // libsndfile takes the upper 24 bits of a word.
      let words = interleaved.assumingMemoryBound(to: Int32.self)
      for index in 0..<count { words[index] &<<= 8 }
      sf_write_int(file, words, sf_count_t(count))
    case .float32: sf_write_float(file, interleaved.assumingMemoryBound(to: Float.self), sf_count_t(count))
    }
  }
}

extension AudioFileFormat {
  fileprivate var sndfileFormat: Int {
    switch container {
    case .vorbis: SF_FORMAT_OGG | SF_FORMAT_VORBIS
    case .opus: SF_FORMAT_OGG | SF_FORMAT_OPUS
    case .mp3: SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III
    case .aiff: SF_FORMAT_AIFF | sndfileSamples
    case .caf: SF_FORMAT_CAF | sndfileSamples
    case .wav, .flac, .raw: SF_FORMAT_FLAC | sndfileSamples
    }
  }

  private var sndfileSamples: Int {
    switch samples {
    case .int16: SF_FORMAT_PCM_16
    case .int24: SF_FORMAT_PCM_24
    case .float32: SF_FORMAT_FLOAT
    }
  }
}
