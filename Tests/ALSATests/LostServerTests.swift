import Glibc
import TestSupport
import Testing

@testable import SynthALSA

/// An I/O plugin that behaves as PipeWire's once the server has gone: it can be prepared again and again, and each call
/// that moves audio says that the pipe is broken.
private let plugin = """
  #include <errno.h>
  #include <stdlib.h>
  #include <sys/eventfd.h>
  #include <unistd.h>
  #define PIC
  #include <alsa/asoundlib.h>
  #include <alsa/pcm_external.h>
  static int succeed(snd_pcm_ioplug_t *io) { (void)io; return 0; }
  static snd_pcm_sframes_t fail(snd_pcm_ioplug_t *io) { (void)io; return -EPIPE; }
  static int end(snd_pcm_ioplug_t *io) { close(io->poll_fd); free(io); return 0; }
  static const snd_pcm_ioplug_callback_t calls = {
      .start = succeed, .stop = succeed, .prepare = succeed, .pointer = fail, .close = end};
  SND_PCM_PLUGIN_DEFINE_FUNC(lost) {
    (void)root, (void)conf;
    snd_pcm_ioplug_t *io = calloc(1, sizeof *io);
    io->version = SND_PCM_IOPLUG_VERSION;
    io->name = "lost";
    io->callback = &calls;
    io->poll_fd = eventfd(1, EFD_CLOEXEC);
    io->poll_events = POLLIN;
    const int code = snd_pcm_ioplug_create(io, name, stream, mode);
    *pcmp = io->pcm;
    return code;
  }
  SND_PCM_PLUGIN_SYMBOL(lost);
  """

/// Makes `lost` a device of alsa-lib. Only for exit tests, because it changes the environment.
private func defineLostDevice() throws {
  let home = "/tmp/alsa-lost-\(getpid())"
  mkdir(home, 0o700)
  for (name, text) in [
    ("lost.c", plugin), (".asoundrc", "pcm_type.lost { lib \"\(home)/lost.so\" }\npcm.lost { type lost }\n"),
  ] {
    let file = try #require(fopen("\(home)/\(name)", "w"))
    fputs(text, file)
    fclose(file)
  }
  let command = ["clang", "-shared", "-fPIC", "-o", "\(home)/lost.so", "\(home)/lost.c", "-lasound"]
  var arguments = command.map { strdup($0) } + [nil]
  defer { for argument in arguments { free(argument) } }
  var process = pid_t()
  try #require(posix_spawnp(&process, "clang", nil, nil, &arguments, environ) == 0)
  var status: Int32 = 0
  waitpid(process, &status, 0)
  try #require(status == 0)
  setenv("HOME", home, 1)
}

@Suite("A sound server that has gone", .timeLimit(.minutes(1)))
struct LostServerTests {
  @Test("yields to the fallback, and takes no processor's time")
  func fallback() async {
    await #expect(processExitsWith: .success) {
      try defineLostDevice()
      let output = try PCMOutput(PCMRequest(device: "lost", fallbacks: ["null"]))
      #expect(output.present?.device == "lost")
      _ = try playCounter(output, frames: 100_000, stop: .drop)
      #expect(output.statistics.departures == 1)
      #expect(output.statistics.xruns <= 1)
      #expect(output.present?.device == "null")
    }
  }

  @Test("is waited for by an input, which gives silence meanwhile")
  func input() async {
    await #expect(processExitsWith: .success) {
      try defineLostDevice()
      let input = try PCMInput(PCMRequest(device: "lost"))
      try input.start({ _, _, _, _, _ in }, context: UnsafeMutableRawPointer(bitPattern: 1)!)
      #expect(eventually { input.statistics.departures > 0 })
      input.stop()
      input.wait()
      #expect(input.statistics.xruns <= 1)
    }
  }
}
