import Synchronization

/// Runs short jobs at intervals, all on one thread, which begins with the first job and ends with the last.
///
/// A job that blocks on files or devices delays the others, and so needs another thread.
public final class Housekeeper: Sendable {
  /// The process's own.
  public static let shared = Housekeeper(named: "housekeeping")

  /// A job until it is removed.
  public final class Job: Sendable {
    fileprivate let interval: UInt64
    fileprivate let run: @Sendable () -> Void
    fileprivate let isRemoved = Atomic(false)

    fileprivate init(interval: UInt64, _ run: @escaping @Sendable () -> Void) {
      self.interval = interval
      self.run = run
    }
  }

  private struct State {
    /// The jobs with the times at which they are due, on `HostClock`.
    var jobs: [ObjectIdentifier: (job: Job, due: UInt64)] = [:]
    var isRunning = false
  }

  private let name: String
  private let state = Mutex(State())
  private let semaphore = Semaphore()

  /// - Parameter name: the thread's, at most 15 bytes.
  public init(named name: String) { self.name = name }

  /// Runs `run` at every interval from now on. If the system has no thread left, the next call tries again.
  /// [control thread]
  ///
  /// - Parameter milliseconds: at least one.
  public func add(every milliseconds: Int, _ run: @escaping @Sendable () -> Void) -> Job {
    let job = Job(interval: UInt64(max(1, milliseconds)) * 1_000_000, run)
    state.withLock { state in
      state.jobs[ObjectIdentifier(job)] = (job, HostClock.now + job.interval)
      if !state.isRunning { state.isRunning = start() }
    }
    semaphore.signal()
    return job
  }

  /// Ends a job. If it is running on the thread now, that run comes to its end; no other begins. [control thread]
  public func remove(_ job: Job) {
    job.isRemoved.store(true, ordering: .relaxed)
    _ = state.withLock { $0.jobs.removeValue(forKey: ObjectIdentifier(job)) }
  }

  private func start() -> Bool {
    guard let thread = try? WorkerThread(named: name, { [self] in work() }) else { return false }
    thread.detach()
    return true
  }

  private func work() {
    while let (due, next) = takeDue() {
      for job in due where !job.isRemoved.load(ordering: .relaxed) { job.run() }
      let now = HostClock.now
      if next > now { semaphore.wait(nanoseconds: Int64(next - now)) }
    }
  }

  /// The jobs that are due, and when the next one is; nil once there are no jobs, which ends the thread.
  private func takeDue() -> (due: [Job], next: UInt64)? {
    state.withLock { state in
      state.isRunning = !state.jobs.isEmpty
      guard state.isRunning else { return nil }
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
