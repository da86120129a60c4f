import CSynthRealtime
import CSynthSystemBus
import Glibc
import Synchronization

/// A thread's request for real-time scheduling.
///
/// The thread asks the kernel itself. If the kernel refuses and the program has called `RealtimeKit.enable`, another
/// thread asks RealtimeKit, so that the requesting thread does not wait for the answer.
public final class RealtimeRequest: Sendable {
  /// Below the priority of the kernel's interrupt threads, 50: they must run first, because they report free room.
  private static let priority: Int32 = 40

  private let thread = Atomic<Int64>(0)
  /// The kernel's answer: a priority or a negative errno value; 0 before the request.
  private let kernel = Atomic<Int32>(0)
  /// RealtimeKit's answer: a priority or a negative errno value; 0 before the answer.
  private let kit = Atomic<Int32>(0)
  private let asksKit = Atomic(false)

  public init() {}

  /// Binds the request to the calling thread, before real time begins. [audio thread]
  public func begin() {
    kernel.store(0, ordering: .relaxed)
    kit.store(0, ordering: .relaxed)
    asksKit.store(false, ordering: .relaxed)
    thread.store(realtime_thread(), ordering: .releasing)
  }

  /// Asks for the highest priority allowed, once, before real time begins. [audio thread]
  public func make() {
    var refusal: Int32 = 0
    // The user's limit may allow a lower priority only.
    for priority in [Self.priority, 10, 1] {
      refusal = realtime_schedule_fifo(priority)
      if refusal == 0 { return kernel.store(priority, ordering: .releasing) }
    }
    let asks = RealtimeKit.isEnabled
    let watched = asks ? rtkit_watch(thread.load(ordering: .relaxed)) : 0
    kit.store(watched, ordering: .relaxed)
    asksKit.store(asks, ordering: .relaxed)
    kernel.store(-refusal, ordering: .releasing)
    if asks && watched == 0 { askKit() }
  }

  /// Ends the request before its thread ends. [audio thread]
  public func end() { rtkit_unwatch(thread.exchange(0, ordering: .relaxed)) }

  /// How the thread is scheduled. [any thread]
  public var outcome: ThreadScheduling {
    let kernel = kernel.load(ordering: .acquiring)
    if kernel >= 0 { return kernel == 0 ? .unpaced : .realTime(priority: Int(kernel)) }
    guard asksKit.load(ordering: .relaxed) else { return .ordinary(code: -kernel, kit: nil) }
    let kit = kit.load(ordering: .acquiring)
    if kit <= 0 { return kit == 0 ? .unpaced : .ordinary(code: -kernel, kit: -kit) }
    return rtkit_has_demoted(thread.load(ordering: .relaxed)) != 0 ? .demoted : .realTimeByKit(priority: Int(kit))
  }

  private func askKit() {
    do throws(WorkerThreadError) {
      try WorkerThread(named: "rtkit request", stackSize: WorkerThread.smallStack) { [self] in takeAnswer() }.detach()
    } catch {
      kit.store(-error.code, ordering: .releasing)
    }
  }

  private func takeAnswer() {
    let asked = thread.load(ordering: .acquiring)
    guard asked != 0 else { return }
    let answer = rtkit_make_real_time(asked, Self.priority)
    // The thread may have ended meanwhile, and another may use this request.
    if thread.load(ordering: .acquiring) == asked { kit.store(answer, ordering: .releasing) }
  }
}

/// RealtimeKit, the system service that gives real-time scheduling to threads of users without a right to it.
public enum RealtimeKit {
  private static let enabled = Atomic(false)

  static var isEnabled: Bool { enabled.load(ordering: .acquiring) }

  /// Allows the threads of this process to ask RealtimeKit for real-time scheduling. [control thread]
  ///
  /// This changes the whole process, which is why a library never does it unasked. A handler of SIGXCPU is installed,
  /// unless the program has one: it gives ordinary scheduling to threads that exceed the time limit. With the first
  /// request the limit RLIMIT_RTTIME is lowered to RealtimeKit's own, for the life of the process.
  public static func enable() {
    rtkit_handle_time_limit()
    enabled.store(true, ordering: .releasing)
  }
}
