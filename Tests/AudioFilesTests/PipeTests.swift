import Glibc
import SynthAudioFiles
import Testing

/// A named pipe with a reader on it, so that a writer can open it.
private final class Pipe {
  let scratch = Scratch()
  let path: String
  let reader: Int32

  init(_ name: String) {
    path = scratch.file(name)
    mkfifo(path, 0o600)
    reader = open(path, O_RDONLY | O_NONBLOCK)
  }

  /// What has been written so far, at most 4096 bytes.
  func read() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(reader, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }
}

@Test("A pipe gets a WAV without a length, which it does not know")
func streamsWAV() throws {
  let pipe = Pipe("song")
  defer { close(pipe.reader) }
  let writer = try AudioFileWriter(path: pipe.path, sampleRate: 48000, channelCount: 2)
  try writer.write([[0.5, 1], [-0.5, -1]])
  try writer.finish()
  let header: [[UInt8]] = [
    Array("RIFF".utf8), [255, 255, 255, 255], Array("WAVEfmt ".utf8), [16, 0, 0, 0, 1, 0, 2, 0],
    [0x80, 0xBB, 0, 0, 0, 0xEE, 2, 0, 4, 0, 16, 0], Array("data".utf8), [255, 255, 255, 255],
  ]
  #expect(pipe.read() == header.flatMap { $0 } + [0, 0x40, 0, 0xC0, 0xFF, 0x7F, 0, 0x80])
}

@Test(
  "A pipe gets raw samples when its name or the caller says so",
  arguments: [("song.raw", nil), ("song", AudioFileContainer.raw)])
func streamsRaw(name: String, container: AudioFileContainer?) throws {
  let pipe = Pipe(name)
  defer { close(pipe.reader) }
  let writer = try AudioFileWriter(path: pipe.path, container: container, sampleRate: 48000, channelCount: 1)
  try writer.write([[0.5]])
  try writer.finish()
  #expect(pipe.read() == [0, 0x40])
}

@Test("When the reader has gone, writing says so")
func brokenPipe() throws {
  signal(SIGPIPE, SIG_IGN)
  let pipe = Pipe("song.wav")
  let writer = try AudioFileWriter(path: pipe.path, sampleRate: 48000, channelCount: 1)
  close(pipe.reader)
  #expect(throws: AudioFileError.brokenPipe(path: pipe.path)) { try writer.write([[0.5]]) }
}
