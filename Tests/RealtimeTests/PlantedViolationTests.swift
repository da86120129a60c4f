import CFluidSynth
import Glibc
import Realtime
import Synchronization
import Testing

#if !SANITIZER_REALTIME && !SANITIZER_THREAD && !SANITIZER_ADDRESS

  /// Each thing the probe looks for, done on purpose: a probe that sees nothing would pass every other test.
  @Suite("The probe catches")
  struct PlantedViolationTests {
    @Test("nothing in a function that only calculates")
    func calculation() {
      var sum = 0
      let violations = withUnsafeMutablePointer(to: &sum) { sum in
        RealtimeProbe.measure(
          { sum, _ in for value in 1...4 { sum.assumingMemoryBound(to: Int.self).pointee += value } }, sum)
      }
      #expect(violations.isEmpty, "\(violations)")
      #expect(sum == 10)
    }

    @Test("malloc and free")
    func allocation() {
      let violations = RealtimeProbe.measure { _, _ in free(malloc(64)) }
      #expect(violations.functions == ["malloc", "free"])
    }

    @Test("a mutex that nobody holds")
    func mutex() {
      var mutex = pthread_mutex_t()
      pthread_mutex_init(&mutex, nil)
      let violations = RealtimeProbe.measure(
        { mutex, _ in
          let mutex = mutex.assumingMemoryBound(to: pthread_mutex_t.self)
          pthread_mutex_lock(mutex)
          pthread_mutex_unlock(mutex)
        }, &mutex)
      #expect(violations.functions == ["pthread_mutex_lock"])
    }

    @Test("input, output and waiting, as the system calls they are")
    func systemCalls() {
      // write is system call 1 on x86-64.
      let write = RealtimeProbe.measure { _, _ in _ = Glibc.write(-1, nil, 0) }
      #expect(write.functions == ["system call"])
      #expect(write.description.hasPrefix("system call \(1) × 1, first from "))
      #expect(RealtimeProbe.measure { _, _ in usleep(1) }.functions == ["system call"])
      #expect(RealtimeProbe.measure { _, _ in _ = sched_yield() }.functions == ["system call"])
    }

    @Test("an object's retain, release, allocation and deallocation")
    func referenceCounting() {
      let object = Unmanaged.passRetained(Counter())
      defer { object.release() }
      let retained = RealtimeProbe.measure(
        { object, _ in
          let object = Unmanaged<Counter>.fromOpaque(object)
          object.retain().release()
        }, object.toOpaque())
      #expect(retained.functions == ["swift_retain", "swift_release"])

      let made = RealtimeProbe.measure { _, _ in Unmanaged.passRetained(Counter()).release() }
      #expect(made.functions.isSuperset(of: ["swift_allocObject", "malloc", "swift_release", "free"]))
    }

    @Test("FluidSynth's reverb, which allocates in every call")
    func fluidSynthReverb() throws {
      #expect(try rendering(reverb: false).isEmpty)
      #expect(try !rendering(reverb: true).functions.isDisjoint(with: ["malloc", "memalign", "free"]))
    }

    /// What 64 frames of one note do, after one quantum of preparation.
    private func rendering(reverb: Bool) throws -> Violations {
      let synth = try BareFluidSynth(reverb: reverb)
      _ = synth.render()
      return synth.render()
    }
  }

  private final class Counter {
    var value = 0
  }

#endif
