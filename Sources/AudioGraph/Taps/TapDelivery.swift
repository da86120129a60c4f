import Glibc
import Realtime
import Synchronization

/// The thread that delivers what a tap has caught.
///
/// The audio thread wakes no other thread, since that would be a system call; the thread looks every 5 ms.
final class TapDelivery: Sendable {
  private let work: TapDeliveryWork
  private let thread: WorkerThread
  private let isLeft = Atomic<Bool>(false)

  init(of queue: TapQueue, _ deliver: @escaping @Sendable (TapBlock) -> Void) throws(EngineError) {
    let work = TapDeliveryWork(queue, deliver)
    self.work = work
    do throws(WorkerThreadError) {
      thread = try WorkerThread(named: "tap delivery") { work.run() }
    } catch {
      throw .noThread(reason: error.description)
    }
  }

  deinit {
    // It does not wait, so that releasing a tap cannot deadlock with the code that the tap delivers to.
    work.finish()
    if !isLeft.load(ordering: .acquiring) { thread.detach() }
  }

  /// Delivers what is left, and ends; returns when that is done, except to the delivery itself. [any thread]
  func finish() {
    work.finish()
    let isOwn = thread.isCurrent
    if isLeft.exchange(true, ordering: .acquiringAndReleasing) {
      while !isOwn, !work.isDone.load(ordering: .acquiring) { usleep(1000) }
    } else if isOwn {
      thread.detach()
    } else {
      thread.join()
    }
  }

  /// Waits until half of the capacity is free, or nothing is delivered any more.
  func waitForRoom() {
    while !work.queue.hasRoom, !work.isFinishing.load(ordering: .relaxed) { usleep(1000) }
  }
}

/// What the thread does; it keeps this alive, and not the tap.
private final class TapDeliveryWork: Sendable {
  let queue: TapQueue
  let isFinishing = Atomic<Bool>(false)
  let isDone = Atomic<Bool>(false)
  /// Wakes the thread to finish.
  private let semaphore = Semaphore()
  private let deliver: @Sendable (TapBlock) -> Void

  init(_ queue: TapQueue, _ deliver: @escaping @Sendable (TapBlock) -> Void) {
    self.queue = queue
    self.deliver = deliver
  }

  func finish() {
    isFinishing.store(true, ordering: .releasing)
    semaphore.signal()
  }

  func run() {
    while true {
      let isLast = isFinishing.load(ordering: .acquiring)
      queue.read(deliver)
      if isLast { break }
      semaphore.wait(nanoseconds: 5_000_000)
    }
    isDone.store(true, ordering: .releasing)
  }
}
