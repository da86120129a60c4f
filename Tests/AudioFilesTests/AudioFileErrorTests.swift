import Glibc
import SynthAudioFiles
import Testing

/// The line a failed creation gives.
private func refusal(
  _ path: String, samples: AudioFileSamples = .int16, rate: Int = 48000, channels: Int = 2
) -> String? {
  do throws(AudioFileError) {
    _ = try AudioFileWriter(path: path, samples: samples, sampleRate: rate, channelCount: channels)
    return nil
  } catch {
    return error.description
  }
}

@Test("What cannot be created says what, why, and what to do instead")
func refusals() {
  let scratch = Scratch()
  let path = scratch.path
  #expect(
    refusal("\(path)/none/a.wav")
      == "creating \(path)/none/a.wav: no such file or directory — create its directory first")
  #expect(refusal(path) == "creating \(path): is a directory — name a file in it")
  #expect(
    refusal("\(path)/a.aac")
      == "creating \(path)/a.aac: unknown extension — use .wav, .flac, .ogg, .opus, .mp3, .aiff, .caf or .raw")
  #expect(
    refusal("\(path)/a")
      == "creating \(path)/a: unknown extension — use .wav, .flac, .ogg, .opus, .mp3, .aiff, .caf or .raw")
  #expect(
    refusal("\(path)/a.flac", samples: .float32)
      == "creating \(path)/a.flac: FLAC has no float samples — use 24-bit, or WAV")
  #expect(
    refusal("\(path)/a.flac", channels: 9)
      == "creating \(path)/a.flac: 9 channels — FLAC has 1 to 8")
  #expect(
    refusal("\(path)/a.wav", rate: 0)
      == "creating \(path)/a.wav: 0 frames per second — must be 1 to 768000")
  #expect(
    refusal("\(path)/a.wav", channels: -1)
      == "creating \(path)/a.wav: -1 channels — WAV has 1 to 256")
  #expect(
    refusal("\(path)/a.opus", rate: 44100)
      == "creating \(path)/a.opus: 44100 frames per second — Opus has 8000, 12000, 16000, 24000 or 48000")
  #expect(
    refusal("\(path)/a.mp3", rate: 96000)
      == "creating \(path)/a.mp3: 96000 frames per second — "
      + "MP3 has 8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100 or 48000")
  #expect(
    refusal("\(path)/a.ogg", rate: 384_000)
      == "creating \(path)/a.ogg: 384000 frames per second — Ogg Vorbis has 8000 to 200000")
  #expect(refusal("\(path)/a.ogg", channels: 3) == "creating \(path)/a.ogg: 3 channels — Ogg Vorbis has 1 to 2")
  #expect(scratch.names == [])
}

@Test("A full disk is told as such")
func fullDisk() {
  #expect(
    refusal("/dev/full")
      == "writing /dev/full: no space left on device — free some, or write elsewhere")
}

@Test(
  "When the disk takes no more, writing or finishing fails and nothing is left behind", .timeLimit(.minutes(5)),
  arguments: ["wav", "flac", "ogg", "mp3"])
func writeFails(container: String) async {
  await #expect(processExitsWith: .success) { [container] in
    // A limit on the size of files stands in for a full disk: the same call fails, only with another code.
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: 100_000, rlim_max: 100_000)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    let scratch = Scratch()
    let path = scratch.file("song.\(container)")
    let noise = (0..<600_000).map { Float($0 &* 7919 % 65536) / 32768 - 1 }
    let writer = try AudioFileWriter(path: path, sampleRate: 48000, channelCount: 1)
    #expect(throws: AudioFileError.cannotWrite(path: path, code: EFBIG)) {
      try writer.write([noise])
      try writer.finish()
    }
    #expect(throws: AudioFileError.cannotWrite(path: path, code: EFBIG)) { try writer.finish() }
    #expect(scratch.names == [])
  }
}

@Test("A file that is missing, or none of audio, is refused in one line")
func unreadable() throws {
  let scratch = Scratch()
  let path = scratch.file("a.raw")
  let writer = try AudioFileWriter(path: path, sampleRate: 48000, channelCount: 1)
  try writer.write([[Float](repeating: 0.3, count: 100)])
  try writer.finish()
  #expect(throws: AudioFileError.cannotOpen(path: "/none.wav", code: ENOENT)) {
    try AudioFileReader(path: "/none.wav")
  }
  let error = #expect(throws: AudioFileError.self) { try AudioFileReader(path: path) }
  #expect(error?.description.hasPrefix("reading \(path): ") == true)
  #expect(error?.description.contains("\n") == false)
}

@Test("A place before the first frame, or beyond the last, is refused, and reading goes on where it was")
func impossiblePlace() throws {
  let scratch = Scratch()
  let path = scratch.file("a.wav")
  let writer = try AudioFileWriter(path: path, samples: .float32, sampleRate: 48000, channelCount: 1)
  try writer.write([[1, 2, 3]])
  try writer.finish()
  let reader = try AudioFileReader(path: path)
  try reader.seek(to: 1)
  for frame in [-1, Int.min, 4] {
    let error = #expect(throws: AudioFileError.self) { try reader.seek(to: frame) }
    #expect(error?.description.contains("frame \(frame) cannot be gone to") == true)
  }
  #expect(try reader.read(8).channels == [[2, 3]])
}
