import CSynthRealtime
import Synchronization

/// Threads that share out numbered jobs with their caller, which goes on when all are done.
///
/// Threads take jobs one after another, so that short and long ones even out: which thread does a job is left to
/// chance, and a result may not depend on it. After the last job a thread waits for the next call, first awake, then
/// asleep.
///
/// The caller neither locks nor allocates. It makes a system call where threads have to be woken, or where it has
/// waited for long: a team is for real time only where that is worth it.
public final class WorkerTeam: Sendable {
  /// Of the caller and of the helper, too.
  public let count: Int
  private let board: UnsafeTeamBoard
  private let threads: [WorkerThread]

  /// Starts the threads. [control thread]
  ///
  /// - Parameters:
  ///   - count: how many threads do the jobs, that of the caller included.
  ///   - isRealTime: whether the threads ask for real-time scheduling, as an audio thread does.
  ///   - hasHelper: whether a thread that comes and goes does jobs too, by `help`.
  public init(
    _ count: Int, named name: String, isRealTime: Bool = false, hasHelper: Bool = false
  ) throws(WorkerThreadError) {
    let board = UnsafeTeamBoard()
    var threads: [WorkerThread] = []
    do throws(WorkerThreadError) {
      for worker in 1..<max(1, count) {
        threads.append(
          try WorkerThread(named: name, stackSize: WorkerThread.smallStack) {
            let denormals = realtime_flush_denormals()
            defer { realtime_restore_denormals(denormals) }
            let request = RealtimeRequest()
            request.begin()
            defer { request.end() }
            if isRealTime { request.make() }
            board.work(as: worker)
          })
      }
    } catch {
      board.dismiss(threads)
      throw error
    }
    self.count = max(1, count) + (hasHelper ? 1 : 0)
    self.board = board
    self.threads = threads
  }

  /// The caller alone, which needs no thread. [control thread]
  public static var alone: WorkerTeam { WorkerTeam(UnsafeTeamBoard()) }

  private init(_ board: UnsafeTeamBoard) {
    count = 1
    self.board = board
    threads = []
  }

  /// Ends the threads; no job may be left.
  deinit { board.dismiss(threads) }

  /// Does jobs 0 to `jobCount` - 1; everything that they have written is seen by the caller afterwards. One call at a
  /// time, of at most 65,535 jobs. [audio thread]
  ///
  /// - Parameter job: is called with the context, a job's number and the number of the thread, of which the caller's
  ///   is 0. The audio thread's rules are its, too.
  @_noLocks
  public func perform(_ jobCount: Int, _ job: JobFunction, _ context: UnsafeMutableRawPointer) {
    board.perform(jobCount, job, context)
  }

  /// The way to the team of its helper: one thread that has nothing else to do for a moment. The team must outlive it.
  public var helper: UnsafeTeamHelper { UnsafeTeamHelper(board: board, number: count - 1) }
}

/// What a team's helper has of it. [audio thread]
public struct UnsafeTeamHelper: BitwiseCopyable, Sendable {
  fileprivate let board: UnsafeTeamBoard
  fileprivate let number: Int

  /// Does jobs while there are any; returns at once where there are none.
  @_noLocks
  public func help() { help(leaving: 0) }

  /// The same, by a thread that has something else to do.
  ///
  /// - Parameter others: how many jobs are left to other threads: the caller need not wait for the last one then.
  @_noLocks
  public func help(leaving others: UInt32) { board.takeJobs(as: number, leaving: others) }
}

/// A job's entry: the context, the job's number, the thread's.
public typealias JobFunction = realtime_job

/// What the threads of a team meet at: raw memory, freed by `dismiss`.
private struct UnsafeTeamBoard: BitwiseCopyable, @unchecked Sendable {
  /// Of the present call; written before `left` is, and constant until all its jobs are done.
  private struct Call {
    var job: JobFunction
    var context: UnsafeMutableRawPointer
  }

  private let call: UnsafeMutablePointer<Call>
  /// Six numbers, each on a cache line to itself, so that threads that change one do not slow down those that read
  /// another.
  private let numbers: UnsafeMutablePointer<Atomic<UInt32>>

  init() {
    call = .allocate(capacity: 1)
    numbers = UnsafeMutableRawPointer.allocate(byteCount: 6 * 64, alignment: 64)
      .bindMemory(to: Atomic<UInt32>.self, capacity: 6 * 16)
    for index in 0..<6 * 16 { (numbers + index).initialize(to: Atomic(0)) }
  }

  func dismiss(_ threads: [WorkerThread]) {
    ends.pointee.store(1, ordering: .releasing)
    bell.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent)
    realtime_wake(bell)
    for thread in threads { thread.join() }
    call.deallocate()
    UnsafeMutableRawPointer(numbers).deallocate()
  }

  /// The first job that no thread has taken, and in the upper half the one behind the last.
  private var left: UnsafeMutablePointer<Atomic<UInt32>> {
    @_noLocks get { numbers }
  }
  /// Jobs that are not done; the caller sleeps on it.
  private var undone: UnsafeMutablePointer<Atomic<UInt32>> {
    @_noLocks get { numbers + 16 }
  }
  /// Rung for each call; threads sleep on it.
  private var bell: UnsafeMutablePointer<Atomic<UInt32>> {
    @_noLocks get { numbers + 32 }
  }
  private var sleepers: UnsafeMutablePointer<Atomic<UInt32>> {
    @_noLocks get { numbers + 48 }
  }
  /// Not 0 while the caller sleeps.
  private var callerSleeps: UnsafeMutablePointer<Atomic<UInt32>> {
    @_noLocks get { numbers + 64 }
  }
  /// Not 0 from the end on.
  private var ends: UnsafeMutablePointer<Atomic<UInt32>> {
    @_noLocks get { numbers + 80 }
  }

  // MARK: - The caller

  @_noLocks
  func perform(_ jobCount: Int, _ job: JobFunction, _ context: UnsafeMutableRawPointer) {
    call.initialize(to: Call(job: job, context: context))
    undone.pointee.store(UInt32(truncatingIfNeeded: jobCount), ordering: .relaxed)
    left.pointee.store(UInt32(truncatingIfNeeded: jobCount) << 16, ordering: .releasing)
    bell.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent)
    if sleepers.pointee.load(ordering: .sequentiallyConsistent) > 0 { realtime_wake(bell) }
    takeJobs(as: 0)
    waitForOthers()
  }

  /// Waits for jobs that others are at.
  @_noLocks
  private func waitForOthers() {
    var patience = Patience()
    while true {
      let jobs = undone.pointee.load(ordering: .acquiring)
      if jobs == 0 { return }
      if patience.isLeft { continue }
      callerSleeps.pointee.store(1, ordering: .sequentiallyConsistent)
      realtime_sleep(undone, jobs)
      callerSleeps.pointee.store(0, ordering: .relaxed)
    }
  }

  // MARK: - The threads

  func work(as worker: Int) {
    var heard: UInt32 = 0
    while true {
      let rung = bell.pointee.load(ordering: .acquiring)
      if ends.pointee.load(ordering: .acquiring) != 0 { return }
      if rung != heard {
        heard = rung
        takeJobs(as: worker)
      }
      waitForBell(after: heard)
    }
  }

  private func waitForBell(after heard: UInt32) {
    var patience = Patience()
    while bell.pointee.load(ordering: .acquiring) == heard {
      if patience.isLeft { continue }
      sleepers.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent)
      realtime_sleep(bell, heard)
      sleepers.pointee.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    }
  }

  // MARK: - All

  /// Does jobs while there are any, of whichever call.
  @_noLocks
  func takeJobs(as worker: Int, leaving others: UInt32 = 0) {
    var jobs = left.pointee.load(ordering: .relaxed)
    while jobs >> 16 > (jobs & 0xFFFF) &+ others {
      // The caller takes the first job and others the last: in the next call each finds near what it has had in this.
      let (job, rest) = worker == 0 ? (jobs & 0xFFFF, jobs &+ 1) : (jobs >> 16 &- 1, jobs &- 1 << 16)
      let taken = left.pointee.weakCompareExchange(
        expected: jobs, desired: rest, successOrdering: .acquiring, failureOrdering: .relaxed)
      guard taken.exchanged else {
        jobs = taken.original
        continue
      }
      // The call stays until this job is done.
      let call = call.pointee
      realtime_do(call.job, call.context, Int(job), worker)
      let undoneCount = undone.pointee.wrappingSubtract(1, ordering: .sequentiallyConsistent).newValue
      if undoneCount == 0, callerSleeps.pointee.load(ordering: .sequentiallyConsistent) != 0 { realtime_wake(undone) }
      jobs = left.pointee.load(ordering: .relaxed)
    }
  }
}
