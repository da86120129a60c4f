import CSynthFluidSynth
import Glibc
import RealtimeProbes
import SynthRealtime
import Testing

/// Each thing the probe looks for, done on purpose: a probe that sees nothing would pass every other test.
@Suite("The probe catches", .timeLimit(.minutes(1)))
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
    // Apart: the optimizer removes a pair of them.
    var memory: UnsafeMutableRawPointer?
    let allocation = RealtimeProbe.measure(
      { cell, _ in cell.assumingMemoryBound(to: UnsafeMutableRawPointer?.self).pointee = malloc(64) }, &memory)
    #expect(allocation.functions == ["malloc"])
    let deallocation = RealtimeProbe.measure(
      { cell, _ in free(cell.assumingMemoryBound(to: UnsafeMutableRawPointer?.self).pointee) }, &memory)
    #expect(deallocation.functions == ["free"])
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
    #expect(write.description.hasPrefix("system call 1 × 1, first from "))
    #expect(RealtimeProbe.measure { _, _ in usleep(1) }.functions == ["system call"])
    #expect(RealtimeProbe.measure { _, _ in _ = sched_yield() }.functions == ["system call"])
  }

  @Test("an object's retain, release, allocation and deallocation")
  func referenceCounting() {
    let object = Unmanaged.passRetained(Counter())
    defer { object.release() }
    let retain = RealtimeProbe.measure(
      { object, _ in _ = Unmanaged<Counter>.fromOpaque(object).retain() }, object.toOpaque())
    #expect(retain.functions.contains("swift_retain"))
    let release = RealtimeProbe.measure(
      { object, _ in Unmanaged<Counter>.fromOpaque(object).release() }, object.toOpaque())
    #expect(release.functions.contains("swift_release"))

    let made = RealtimeProbe.measure { _, _ in Unmanaged.passRetained(Counter()).release() }
    #expect(made.functions.isSuperset(of: ["swift_allocObject", "malloc", "swift_release", "free"]))
  }

  @Test("a dynamically checked access and a lazy global")
  func runtimeChecks() {
    let violations = RealtimeProbe.measure { _, _ in change(&lazyNumber) }
    #expect(violations.functions.isSuperset(of: ["swift_once", "swift_beginAccess"]))
  }

  @Test("what a device's thread does between two of its periods, but for system calls")
  func betweenPeriods() {
    let copies = UnsafeMutableBufferPointer<realtime_violation>.allocate(capacity: 8)
    defer { copies.deallocate() }
    var mutex = pthread_mutex_t()
    pthread_mutex_init(&mutex, nil)
    realtime_probe_begin()
    usleep(1)
    pthread_mutex_lock(&mutex)
    pthread_mutex_unlock(&mutex)
    let count = realtime_probe_end(copies.baseAddress!, copies.count)
    #expect(copies.prefix(count).map { String(cString: $0.function) } == ["pthread_mutex_lock"])
  }

  @Test("a render callback that waits, within a graph, once a quantum")
  func renderCallback() throws {
    let watched = try WatchedEngine { _, _ in _ = usleep(1) }
    watched.render(192)
    #expect(watched.violations.functions == ["system call"])
    #expect(watched.violations.description.contains("× 3,"))
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

private final class Counter {}

nonisolated(unsafe) private var lazyNumber = Int.random(in: 1...6)

/// The optimizer cannot see whether somebody else accesses the number meanwhile.
@inline(never)
private func change(_ number: inout Int) {
  number &+= Int(getpid())
}
