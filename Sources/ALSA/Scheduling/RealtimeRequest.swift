import CRealtime
import CSystemBus
import Glibc
import Realtime
import Synchronization

/// A thread's wish to be scheduled in real time: it asks the kernel itself, and has RealtimeKit asked by another thread
/// if the kernel refuses, so that it never waits for an answer.
final class RealtimeRequest: Sendable {
  /// Below the kernel's interrupt threads, which have 50 and must come first: they tell that there is room.
  private static let priority: Int32 = 40

  private let thread = Atomic<Int64>(0)
  /// A priority, or a negative errno value; 0 while not asked.
  private let kernel = Atomic<Int32>(0)
  /// The same; 0 while there is no answer.
  private let kit = Atomic<Int32>(0)

  /// A thread begins. [that thread]
  func begin() {
    kernel.store(0, ordering: .relaxed)
    kit.store(0, ordering: .relaxed)
    thread.store(realtime_thread(), ordering: .releasing)
  }

  /// Asks for as much as may be had. [that thread, once, not yet in real time]
  func make() {
    var refusal: Int32 = 0
    // At the priority that the user's limit permits.
    for priority in [Self.priority, 10, 1] {
      refusal = realtime_schedule_fifo(priority)
      if refusal == 0 { return kernel.store(priority, ordering: .releasing) }
    }
    let watched = rtkit_watch(thread.load(ordering: .relaxed))
    kit.store(watched, ordering: .relaxed)
    kernel.store(-refusal, ordering: .releasing)
    if watched == 0 { askKit() }
  }

  /// The thread ends. [that thread]
  func end() { rtkit_unwatch(thread.exchange(0, ordering: .relaxed)) }

  /// What came of it. [any thread]
  var outcome: ThreadScheduling {
    let kernel = kernel.load(ordering: .acquiring)
    if kernel >= 0 { return kernel == 0 ? .unpaced : .realTime(priority: Int(kernel)) }
    let kit = kit.load(ordering: .acquiring)
    if kit <= 0 { return kit == 0 ? .unpaced : .ordinary(code: -kernel, kit: -kit) }
    return rtkit_has_demoted(thread.load(ordering: .relaxed)) != 0 ? .demoted : .realTimeByKit(priority: Int(kit))
  }

  private func askKit() {
    do throws(QuietThreadError) {
      try QuietThread(named: "rtkit request", stackSize: QuietThread.alsaStackSize) { [self] in takeAnswer() }.detach()
    } catch {
      kit.store(-error.code, ordering: .releasing)
    }
  }

  private func takeAnswer() {
    let asked = thread.load(ordering: .acquiring)
    guard asked != 0 else { return }
    let answer = rtkit_make_real_time(asked, Self.priority)
    // The thread may have ended meanwhile, and another begun.
    if thread.load(ordering: .acquiring) == asked { kit.store(answer, ordering: .releasing) }
  }
}
