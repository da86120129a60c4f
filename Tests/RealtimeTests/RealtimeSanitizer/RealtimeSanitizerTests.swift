import Glibc
import SynthALSA
import SynthRealtime
import Testing

/// Each thing RealtimeSanitizer looks for, done on purpose: it ends the process with status 43.
@Suite("RealtimeSanitizer catches", .timeLimit(.minutes(5)))
struct RealtimeSanitizerTests {
  @Test("malloc")
  func allocation() async {
    await #expect(processExitsWith: .exitCode(43)) {
      // Memory that is kept: of what is freed at once, nothing is left in optimised code.
      var memory: UnsafeMutableRawPointer?
      _ = RealtimeProbe.measure(
        { place, _ in place.assumingMemoryBound(to: UnsafeMutableRawPointer?.self).pointee = malloc(64) }, &memory)
    }
  }

  @Test("a mutex that nobody holds")
  func mutex() async {
    await #expect(processExitsWith: .exitCode(43)) {
      var mutex = pthread_mutex_t()
      pthread_mutex_init(&mutex, nil)
      _ = RealtimeProbe.measure(
        { mutex, _ in pthread_mutex_lock(mutex.assumingMemoryBound(to: pthread_mutex_t.self)) }, &mutex)
    }
  }

  @Test("output")
  func output() async {
    await #expect(processExitsWith: .exitCode(43)) {
      _ = RealtimeProbe.measure { _, _ in _ = write(-1, nil, 0) }
    }
  }

  @Test("FluidSynth's reverb, which allocates in every call")
  func fluidSynthReverb() async {
    await #expect(processExitsWith: .exitCode(43)) {
      let synth = try BareFluidSynth(reverb: true)
      _ = synth.render()
    }
  }

  @Test("a render callback that waits, within a graph")
  func renderCallback() async {
    await #expect(processExitsWith: .exitCode(43)) {
      let watched = try WatchedEngine { _, _ in _ = usleep(1) }
      watched.render(64)
    }
  }

  @Test("a render callback that waits, on the thread of a device")
  func deviceThread() async {
    await #expect(processExitsWith: .exitCode(43)) {
      let output = try PCMOutput(PCMRequest(device: "null"))
      try output.start(
        { _, _, _, _ in
          usleep(1)
          return 0
        }, context: RealtimeProbe.unused)
      output.wait()
    }
  }

  @Test("nothing in FluidSynth without reverb")
  func fluidSynth() async {
    await #expect(processExitsWith: .success) {
      let synth = try BareFluidSynth(reverb: false)
      _ = synth.render()
      _ = synth.render()
    }
  }
}
