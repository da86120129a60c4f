import Glibc
import Synchronization

/// Runs jobs at intervals, all on one thread, which begins with the first job and ends with the last.
///
/// A job that blocks on files or devices delays the others: give it another housekeeper.
public final class Housekeeper: Sendable {
  /// The process's own, for short jobs.
  public static let shared = Housekeeper(named: "housekeeping")

  /// A job until it is removed or finished.
  public final class Job: Sendable {
    fileprivate let interval: UInt64
    fileprivate let run: @Sendable () -> Void
    fileprivate let isRemoved = Atomic(false)
    fileprivate let isLast = Atomic(false)

    fileprivate init(interval: UInt64, _ run: @escaping @Sendable () -> Void) {
      self.interval = interval
      self.run = run
    }

    /// Whether the run that begins next, or that has begun last, ends it: after `finish`. [any thread]
    public var isFinishing: Bool { isLast.load(ordering: .acquiring) }
  }

  private struct State: Sendable {
    /// The jobs with the times at which they are due, on `HostClock`.
    var jobs: [ObjectIdentifier: (job: Job, due: UInt64)] = [:]
    var thread: WorkerThread?
  }

  private let name: String
  private let state = CheckedMutex(State())
  private let semaphore = Semaphore()

  /// - Parameter name: the thread's, at most 15 bytes.
  public init(named name: String) { self.name = name }

  /// Runs `run` now and at every interval. [any thread]
  ///
  /// - Parameter milliseconds: at least one.
  /// - Throws: if the system has no thread left.
  public func add(every milliseconds: Int, _ run: @escaping @Sendable () -> Void) throws(WorkerThreadError) -> Job {
    let job = Job(interval: UInt64(max(1, milliseconds)) * 1_000_000, run)
    try state.withLock { state throws(WorkerThreadError) in
      if state.thread == nil {
        let thread = try WorkerThread(named: name) { [self] in work() }
        thread.detach()
        state.thread = thread
      }
      state.jobs[ObjectIdentifier(job)] = (job, HostClock.now)
    }
    semaphore.signal()
    return job
  }

  /// Ends a job. If it is running on the thread now, that run comes to its end; no other begins. [any thread]
  public func remove(_ job: Job) {
    job.isRemoved.store(true, ordering: .releasing)
    _ = state.withLock { $0.jobs.removeValue(forKey: ObjectIdentifier(job)) }
  }

  /// Runs a job once more, at once, and ends it. [any thread]
  ///
  /// - Parameter isAwaited: whether to return only after that run; the housekeeper's own thread does not wait.
  public func finish(_ job: Job, isAwaited: Bool) {
    job.isLast.store(true, ordering: .releasing)
    let thread = state.withLock { state -> WorkerThread? in
      state.jobs[ObjectIdentifier(job)]?.due = 0
      return state.thread
    }
    semaphore.signal()
    guard isAwaited, thread?.isCurrent != true else { return }
    while !job.isRemoved.load(ordering: .acquiring) { usleep(1000) }
  }

  private func work() {
    while let (due, next) = takeDue() {
      for job in due where !job.isRemoved.load(ordering: .relaxed) { run(job) }
      let now = HostClock.now
      if next > now { semaphore.wait(nanoseconds: Int64(next - now)) }
    }
  }

  private func run(_ job: Job) {
    let isLast = job.isFinishing
    job.run()
    if isLast { remove(job) }
  }

  /// The jobs that are due, and when the next one is; nil once there are no jobs, which ends the thread.
  private func takeDue() -> (due: [Job], next: UInt64)? {
    state.withLock { state in
      guard !state.jobs.isEmpty else {
        state.thread = nil
        return nil
      }
      let now = HostClock.now
      var due: [Job] = []
      for (key, entry) in state.jobs where entry.due <= now {
        due.append(entry.job)
        state.jobs[key]?.due = now + entry.job.interval
      }
      return (due, state.jobs.values.map(\.due).min() ?? now)
    }
  }
}
