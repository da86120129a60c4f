import Glibc
import Synchronization
import SynthRealtime
import Testing

@Suite("A worker thread", .timeLimit(.minutes(1)))
struct WorkerThreadTests {
  private final class Seen: Sendable {
    let masked = Atomic<Int>(0)
    let maskedFaults = Atomic<Int>(0)
  }

  @Test("blocks all signals but those of its own faults, and leaves its maker's signal mask unchanged")
  func signals() throws {
    let signals = [SIGINT, SIGTERM, SIGHUP]
    var some = sigset_t()
    var before = sigset_t()
    sigemptyset(&some)
    for signal in signals { sigaddset(&some, signal) }
    pthread_sigmask(SIG_UNBLOCK, &some, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let seen = Seen()
    let faults = [SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS]
    try WorkerThread(named: "quiet") {
      seen.masked.store(maskedCount(of: signals), ordering: .relaxed)
      seen.maskedFaults.store(maskedCount(of: faults), ordering: .relaxed)
    }.join()
    #expect(seen.masked.load(ordering: .relaxed) == signals.count)
    #expect(seen.maskedFaults.load(ordering: .relaxed) == 0)
    #expect(maskedCount(of: signals) == 0)
  }
}

/// How many of the signals the calling thread does not take.
private func maskedCount(of signals: [Int32]) -> Int {
  var mask = sigset_t()
  pthread_sigmask(SIG_BLOCK, nil, &mask)
  return signals.filter { sigismember(&mask, $0) == 1 }.count
}
