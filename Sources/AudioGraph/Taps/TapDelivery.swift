import Glibc
import Realtime

/// Delivers what a tap has caught. Each tap has a thread for it, because a delivery may wait for the disk.
///
/// The audio thread wakes no other thread, since that would be a system call; the thread looks every 5 ms.
final class TapDelivery: Sendable {
  private let queue: TapQueue
  private let housekeeper = Housekeeper(named: "tap delivery")
  private let job: Housekeeper.Job

  init(of queue: TapQueue, _ deliver: @escaping @Sendable (TapBlock) -> Void) throws(EngineError) {
    self.queue = queue
    do throws(WorkerThreadError) {
      job = try housekeeper.add(every: 5) { queue.read(deliver) }
    } catch {
      throw .noThread(reason: error.description)
    }
  }

  /// It does not wait, so that releasing a tap cannot deadlock with the code that the tap delivers to.
  deinit { housekeeper.finish(job, isAwaited: false) }

  /// Delivers what is left, and ends; returns when that is done, except to the delivery itself. [any thread]
  func finish() { housekeeper.finish(job, isAwaited: true) }

  /// Waits until half of the capacity is free, or nothing is delivered any more.
  func waitForRoom() {
    while !queue.hasRoom, !job.isFinishing { usleep(1000) }
  }
}
