import Glibc
import Synchronization
import SynthRealtime
import Testing

@Suite("A team of threads does its caller's jobs", .timeLimit(.minutes(5)))
struct WorkerTeamTests {
  @Test("each once, and all before the call returns", arguments: [1, 2, 3, 16])
  func everyJobOnce(_ count: Int) throws {
    let team = try WorkerTeam(count, named: "team")
    let counts = UnsafeMutablePointer<Int>.allocate(capacity: 64)
    defer { counts.deallocate() }
    counts.initialize(repeating: 0, count: 64)
    for call in 1...500 {
      let jobCount = call % 64 + 1
      team.perform(jobCount, addOne, counts)
      // No lock: what threads wrote is seen here, or ThreadSanitizer says so.
      for job in 0..<64 { counts[job] -= job < jobCount ? 1 : 0 }
      #expect((0..<64).allSatisfy { counts[$0] == 0 })
    }
  }

  @Test("also after threads have fallen asleep, and where the caller has to sleep")
  func sleeping() throws {
    let team = try WorkerTeam(3, named: "team")
    let counts = UnsafeMutablePointer<Int>.allocate(capacity: 3)
    defer { counts.deallocate() }
    counts.initialize(repeating: 0, count: 3)
    for _ in 1...50 {
      usleep(500)
      team.perform(3, sleepAndAddOne, counts)
    }
    #expect((0..<3).allSatisfy { counts[$0] == 50 })
  }

  @Test("with threads that have numbers, the caller's being 0")
  func threadNumbers() throws {
    let team = try WorkerTeam(4, named: "team")
    let seen = UnsafeMutablePointer<Int>.allocate(capacity: 200)
    defer { seen.deallocate() }
    seen.initialize(repeating: -1, count: 200)
    team.perform(200, noteThread, seen)
    #expect((0..<200).allSatisfy { (0..<4).contains(seen[$0]) })
    let alone = try WorkerTeam(1, named: "team")
    alone.perform(200, noteThread, seen)
    #expect((0..<200).allSatisfy { seen[$0] == 0 })
  }

  @Test("with a helper that comes and goes, and whose number is the last")
  func helper() throws {
    let team = try WorkerTeam(1, named: "team", hasHelper: true)
    let helper = team.helper
    let seen = UnsafeMutablePointer<Int>.allocate(capacity: 64)
    let isDone = Flag()
    let thread = try WorkerThread(named: "helper") { while !isDone.value.load(ordering: .acquiring) { helper.help() } }
    defer {
      isDone.value.store(true, ordering: .releasing)
      thread.join()
      seen.deallocate()
    }
    for _ in 1...500 {
      seen.initialize(repeating: -1, count: 64)
      team.perform(64, noteThread, seen)
      #expect((0..<64).allSatisfy { (0..<2).contains(seen[$0]) })
    }
  }

  @Test("and teams come and go")
  func lifeCycle() throws {
    for count in 0..<40 { _ = try WorkerTeam(count % 5, named: "team") }
  }
}

private final class Flag: Sendable {
  let value = Atomic<Bool>(false)
}

private let addOne: JobFunction = { counts, job, _ in counts.assumingMemoryBound(to: Int.self)[job] += 1 }

private let sleepAndAddOne: JobFunction = { counts, job, _ in
  usleep(300)
  counts.assumingMemoryBound(to: Int.self)[job] += 1
}

private let noteThread: JobFunction = { seen, job, thread in seen.assumingMemoryBound(to: Int.self)[job] = thread }
