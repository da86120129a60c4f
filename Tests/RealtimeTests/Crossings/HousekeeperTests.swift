import Glibc
import Synchronization
import SynthRealtime
import Testing

@Suite("A housekeeper", .timeLimit(.minutes(1)))
struct HousekeeperTests {
  /// Counts the runs of a job.
  private final class Count: Sendable {
    let value = Atomic(0)

    func wait(for count: Int) { while value.load(ordering: .relaxed) < count { usleep(1000) } }
  }

  @Test("runs each job at its interval, all on one thread")
  func intervals() throws {
    let housekeeper = Housekeeper(named: "test")
    let (often, seldom) = (Count(), Count())
    let threads = Mutex(Set<pthread_t>())
    let jobs = try [(5, often), (50, seldom)].map { interval, count in
      try housekeeper.add(every: interval) {
        _ = threads.withLock { $0.insert(pthread_self()) }
        count.value.add(1, ordering: .relaxed)
      }
    }
    seldom.wait(for: 3)
    for job in jobs { housekeeper.remove(job) }
    #expect(often.value.load(ordering: .relaxed) > seldom.value.load(ordering: .relaxed))
    #expect(threads.withLock { $0.count } == 1)
  }

  @Test("runs a job no more once it is removed, and a later one on another thread")
  func removal() throws {
    let housekeeper = Housekeeper(named: "test")
    let (first, second) = (Count(), Count())
    let job = try housekeeper.add(every: 1) { first.value.add(1, ordering: .relaxed) }
    first.wait(for: 2)
    housekeeper.remove(job)
    // A run that had begun before comes to its end.
    usleep(20_000)
    let runs = first.value.load(ordering: .relaxed)
    let later = try housekeeper.add(every: 1) { second.value.add(1, ordering: .relaxed) }
    second.wait(for: 2)
    housekeeper.remove(later)
    #expect(first.value.load(ordering: .relaxed) == runs)
  }

  @Test("runs a job that is finished once more, waits for that, and not from the job itself")
  func finish() throws {
    let housekeeper = Housekeeper(named: "test")
    let (before, after) = (Count(), Count())
    let box = Mutex<Housekeeper.Job?>(nil)
    let job = try housekeeper.add(every: 60_000) {
      guard let job = box.withLock({ $0 }) else {
        before.value.add(1, ordering: .relaxed)
        return
      }
      #expect(job.isFinishing)
      housekeeper.finish(job, isAwaited: true)
      after.value.add(1, ordering: .relaxed)
    }
    before.wait(for: 1)
    box.withLock { $0 = job }
    for _ in 0..<2 { housekeeper.finish(job, isAwaited: true) }
    #expect(before.value.load(ordering: .relaxed) == 1)
    #expect(after.value.load(ordering: .relaxed) == 1)
    // The job holds the box.
    box.withLock { $0 = nil }
  }
}
