import CSynthSndfile
import SynthFiles

/// An audio file as a sample of an instrument: its waves, and what it says of how they are played. [control thread]
struct SampleFile {
  let path: String
  /// Frames per second.
  let rate: Int
  /// One wave, or left and right, in words of 24 bits.
  let waves: [[Int32]]
  let markings: SampleMarkings

  /// An hour and a half at 48 kHz; a stereo file of that length takes 1.6 GB.
  private static let mostFrames = 1 << 28
  /// What files are meant to hold at most: 16 samples a byte, and 87 s. FLAC makes thousands of a byte of silence.
  private static func mostSamples(inBytes count: Int) -> Int { 16 * min(count, 1 << 40) + 1 << 22 }
  /// Frames that are read at a time.
  private static let piece = 1 << 14

  /// Reads the whole file. (sf_open_fd, sf_readf_float)
  init(path: String) throws(SoundFontError) {
    var info = SF_INFO()
    let (descriptor, byteCount) = try Self.open(path)
    guard let file = sf_open_fd(descriptor, Int32(SFM_READ), &info, 1) else {
      let text = String(cString: sf_strerror(nil))
      throw SoundFontError(
        .notAudio(reason: text.prefix(1).lowercased() + text.dropFirst().drop(suffix: ".")), path: path)
    }
    defer { sf_close(file) }
    let (frameCount, channelCount) = (Int(info.frames), Int(info.channels))
    guard (1...2).contains(channelCount) else {
      throw SoundFontError(.notAudio(reason: "it has \(channelCount) channels"), path: path)
    }
    guard (2...Self.mostFrames).contains(frameCount) else {
      throw SoundFontError(.notAudio(reason: "it has \(frameCount) frames"), path: path)
    }
    guard frameCount * channelCount <= Self.mostSamples(inBytes: byteCount) else {
      let reason = "it is longer than a file of \(byteCount) bytes is meant to be"
      throw SoundFontError(.notAudio(reason: reason), path: path)
    }
    self.path = path
    rate = Int(info.samplerate)
    waves = Self.waves(file, channelCount)
    guard waves[0].count == frameCount else {
      throw SoundFontError(.notAudio(reason: "it ends before its last frame"), path: path)
    }
    markings = SampleMarkings(
      file, frameCount: frameCount, isAIFF: info.format & Int32(SF_FORMAT_TYPEMASK) == SF_FORMAT_AIFF)
  }

  private static func open(_ path: String) throws(SoundFontError) -> (descriptor: Int32, byteCount: Int) {
    do throws(FileProblem) {
      let file = try OutsideFile(path: path)
      let byteCount = file.storedByteCount()
      return (file.takeDescriptor(), byteCount)
    } catch {
      throw SoundFontError(.notAudio(reason: error.reason), path: path)
    }
  }

  /// What is there, whatever is promised.
  private static func waves(_ file: OpaquePointer, _ channelCount: Int) -> [[Int32]] {
    var samples = [Float](repeating: 0, count: piece * channelCount)
    var waves = [[Int32]](repeating: [], count: channelCount)
    while case let count = Int(sf_readf_float(file, &samples, sf_count_t(piece))), count > 0 {
      for channel in 0..<channelCount {
        for frame in 0..<count { waves[channel].append(word(samples[frame * channelCount + channel])) }
      }
    }
    return waves
  }

  /// What lies beyond full scale is clipped; non-finite samples become 0.
  static func word(_ sample: Float) -> Int32 {
    sample.isFinite ? Int32(min(max((sample * 8_388_608).rounded(), -8_388_608), 8_388_607)) : 0
  }
}

/// What a file's chunks say of its sample: `smpl` and `inst` of a WAVE file, `INST` and `MARK` of an AIFF file.
struct SampleMarkings: Equatable {
  /// At which it sounds as recorded.
  var key: UInt8?
  /// In cents, added to the pitch.
  var correction = 0
  /// In frames.
  var loop: Range<Int>?
  var keys: ClosedRange<UInt8>?
  var velocities: ClosedRange<UInt8>?

  /// None.
  init() {}

  /// (sf_command, sf_get_chunk_data)
  init(_ file: OpaquePointer, frameCount: Int, isAIFF: Bool) {
    var instrument = SF_INSTRUMENT()
    let size = Int32(MemoryLayout<SF_INSTRUMENT>.size)
    if sf_command(file, Int32(SFC_GET_INSTRUMENT), &instrument, size) == SF_TRUE {
      setKey(instrument.basenote)
      // WAVE files say how much higher the sample is than its key, AIFF files by how much to play it higher.
      correction = isAIFF ? Int(instrument.detune) : -Int(instrument.detune)
      if isAIFF {
        keys = Self.range(instrument.key_lo, instrument.key_hi)
        velocities = Self.range(instrument.velocity_lo, instrument.velocity_hi)
      }
      let first = sndfile_first_loop(&instrument)
      let (start, end) = (Int(first.start), Int(first.end))
      if instrument.loop_count > 0, Int(first.mode) == SF_LOOP_FORWARD, start + 2 <= end, end <= frameCount {
        loop = start..<end
      }
    }
    // Note, cents, decibels, lowest and highest key, lowest and highest velocity.
    if let chunk = Self.chunk("inst", of: file), chunk.count >= 7 {
      if key == nil {
        setKey(chunk[0])
        correction = Int(chunk[1])
      }
      keys = Self.range(chunk[3], chunk[4])
      velocities = Self.range(chunk[5], chunk[6])
    }
  }

  /// Programs that know no key write 0.
  private mutating func setKey(_ note: Int8) { if note > 0 { key = UInt8(note) } }

  /// Nil for all, and for what is no range.
  private static func range(_ low: Int8, _ high: Int8) -> ClosedRange<UInt8>? {
    guard low >= 0, high >= low, low > 1 || high < 127 else { return nil }
    return UInt8(low)...UInt8(high)
  }

  private static func chunk(_ tag: String, of file: OpaquePointer) -> [Int8]? {
    var info = SF_CHUNK_INFO()
    withUnsafeMutableBytes(of: &info.id) { $0.copyBytes(from: tag.utf8) }
    info.id_size = UInt32(tag.utf8.count)
    guard let iterator = sf_get_chunk_iterator(file, &info), sf_get_chunk_size(iterator, &info) == 0 else { return nil }
    guard info.datalen <= 1024 else { return nil }
    var bytes = [Int8](repeating: 0, count: Int(info.datalen))
    let isRead = bytes.withUnsafeMutableBytes { memory in
      info.data = memory.baseAddress
      return sf_get_chunk_data(iterator, &info) == 0
    }
    return isRead ? bytes : nil
  }
}

extension Substring {
  fileprivate func drop(suffix: Character) -> Substring { last == suffix ? dropLast() : self }
}
