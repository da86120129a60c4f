import CALSA
import Glibc
import Synchronization

/// The time an output has no device: audio is rendered as before, on a timer, and goes nowhere, so that notes, voices
/// and the song's position live on; until one of the devices can be opened. [audio thread]
///
/// Opening allocates and may take a while. Nothing is heard meanwhile, and the timer makes up for it.
struct PCMAbsence: ~Copyable {
  /// The devices to go on with, the most wanted first.
  let requests: [PCMRequest]
  let exchange: UnsafePointer<PCMExchange>

  /// Nanoseconds: at first short, so that a fallback is heard at once, but not none, because a device that can be opened
  /// and then vanishes again would otherwise keep a processor busy.
  private static let firstPause: UInt64 = 20_000_000
  private static let pause: UInt64 = 500_000_000

  /// Renders periods as `parameters` has them until a device is there, and gives that; nil if asked to stop.
  func wait(_ parameters: PCMParameters, _ source: PCMSource) -> PCMLoop? {
    exchange.pointee.position.interrupt()
    var period = PCMPeriod(parameters, fadesIn: false)
    let duration = UInt64(parameters.period) * 1_000_000_000 / UInt64(parameters.rate)
    var due = pcm_clock()
    let isMoving = exchange.pointee.present.withLock { $0 != nil }
    var nextAttempt = isMoving ? due : due + Self.firstPause
    while exchange.pointee.stopRequest.load(ordering: .acquiring) == 0 {
      if due >= nextAttempt {
        if let loop = open() { return loop }
        exchange.pointee.depart()
        nextAttempt = due + Self.pause
      }
      exchange.pointee.position.note(queued: 0, at: due, isRunning: true)
      if period.render(source) < period.length { exchange.pointee.requestDrain() }
      due += duration
      sleep(until: due)
    }
    return nil
  }

  /// The first device that can be opened with what the graph was built for; also one that is busy may be free later.
  private func open() -> PCMLoop? {
    for index in exchange.pointee.ranking.withLock({ $0?.candidates(at: HostClock.now) ?? [] }) {
      guard let loop = try? PCMLoop(opening: requests[index], exchange: exchange, fadesIn: true) else { continue }
      exchange.pointee.arrive(PCMPresence(parameters: loop.parameters, identity: loop.identity), at: index)
      return loop
    }
    return nil
  }

  private func sleep(until due: UInt64) {
    var time = timespec(tv_sec: Int(due / 1_000_000_000), tv_nsec: Int(due % 1_000_000_000))
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
  }
}
