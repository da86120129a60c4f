import Glibc
import Realtime
import Synchronization
import Testing

@Suite("A housekeeper", .timeLimit(.minutes(1)))
struct HousekeeperTests {
  /// Counts the runs of a job.
  private final class Count: Sendable {
    let value = Atomic(0)

    func wait(for count: Int) { while value.load(ordering: .relaxed) < count { usleep(1000) } }
  }

  @Test("runs each job at its interval, all on one thread")
  func intervals() {
    let housekeeper = Housekeeper(named: "test")
    let (often, seldom) = (Count(), Count())
    let threads = Mutex(Set<pthread_t>())
    let jobs = [(5, often), (50, seldom)].map { interval, count in
      housekeeper.add(every: interval) {
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
  func removal() {
    let housekeeper = Housekeeper(named: "test")
    let (first, second) = (Count(), Count())
    let job = housekeeper.add(every: 1) { first.value.add(1, ordering: .relaxed) }
    first.wait(for: 2)
    housekeeper.remove(job)
    // A run that had begun before comes to its end.
    usleep(20_000)
    let runs = first.value.load(ordering: .relaxed)
    let later = housekeeper.add(every: 1) { second.value.add(1, ordering: .relaxed) }
    second.wait(for: 2)
    housekeeper.remove(later)
    #expect(first.value.load(ordering: .relaxed) == runs)
  }
}
