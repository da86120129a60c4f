import Glibc
import Synchronization

/// The thread that carries what a tap has caught to whoever wants it.
///
/// The audio thread wakes nobody, since that would be a system call; the thread looks every 5 ms.
final class TapDelivery: Sendable {
  private let work: TapDeliveryWork
  private let thread: pthread_t
  private let isLeft = Atomic<Bool>(false)

  init(of queue: TapQueue, _ deliver: @escaping @Sendable (TapBlock) -> Void) throws(EngineError) {
    work = TapDeliveryWork(queue, deliver)
    var handle = pthread_t()
    let code = startThread(&handle, work)
    guard code == 0 else { throw .noThread(reason: String(cString: strerror(code))) }
    thread = handle
  }

  deinit {
    // It does not wait, so that whoever lets go of a tap last cannot be in the way of what the tap delivers to.
    work.finish()
    if !isLeft.load(ordering: .acquiring) { pthread_detach(thread) }
  }

  /// Delivers what there is, and ends; returns when that is done, except to the delivery itself. [any thread]
  func finish() {
    work.finish()
    let isOwn = pthread_equal(thread, pthread_self()) != 0
    if isLeft.exchange(true, ordering: .acquiringAndReleasing) {
      while !isOwn, !work.isDone.load(ordering: .acquiring) { usleep(1000) }
    } else if isOwn {
      pthread_detach(thread)
    } else {
      pthread_join(thread, nil)
    }
  }

  /// Waits until half of the capacity is free, or nothing is delivered any more.
  func waitForRoom() {
    while !work.queue.hasRoom, !work.isFinishing.load(ordering: .relaxed) { usleep(1000) }
  }
}

/// What the thread does; it keeps this alive, and not the tap.
private final class TapDeliveryWork: @unchecked Sendable {
  let queue: TapQueue
  let isFinishing = Atomic<Bool>(false)
  let isDone = Atomic<Bool>(false)
  /// Wakes the thread to finish.
  private let alarm = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  private let deliver: @Sendable (TapBlock) -> Void

  init(_ queue: TapQueue, _ deliver: @escaping @Sendable (TapBlock) -> Void) {
    self.queue = queue
    self.deliver = deliver
    sem_init(alarm, 0, 0)
  }

  deinit {
    sem_destroy(alarm)
    alarm.deallocate()
  }

  func finish() {
    isFinishing.store(true, ordering: .releasing)
    sem_post(alarm)
  }

  func run() {
    while true {
      let isLast = isFinishing.load(ordering: .acquiring)
      queue.read(deliver)
      if isLast { break }
      sleep()
    }
    isDone.store(true, ordering: .releasing)
  }

  /// For 5 ms, or until it is time to finish.
  private func sleep() {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    time.tv_nsec += 5_000_000
    if time.tv_nsec >= 1_000_000_000 {
      time.tv_sec += 1
      time.tv_nsec -= 1_000_000_000
    }
    sem_timedwait(alarm, &time)
  }
}

/// Begins the work on a thread that takes no signals: 0, or an errno value.
private func startThread(_ handle: inout pthread_t, _ work: TapDeliveryWork) -> Int32 {
  var all = sigset_t()
  var before = sigset_t()
  sigfillset(&all)
  pthread_sigmask(SIG_SETMASK, &all, &before)
  defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
  let retained = Unmanaged.passRetained(work)
  let code = pthread_create(
    &handle, nil,
    { work in
      if let work { Unmanaged<TapDeliveryWork>.fromOpaque(work).takeRetainedValue().run() }
      return nil
    }, retained.toOpaque())
  if code != 0 { retained.release() }
  return code
}
