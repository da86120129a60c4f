import CSynthALSA
import Glibc
import Synchronization
import SynthRealtime

/// The audio thread's loop while it has no device: audio is rendered on a timer and discarded, so that voices and the
/// song's position move on, until one of the devices can be opened. [audio thread]
///
/// Opening allocates and may take a while. The timer catches up afterwards; nothing is heard anyway.
struct PCMTimerLoop: ~Copyable {
  let exchange: UnsafePointer<PCMExchange>

  /// In nanoseconds. The first is short, so that a fallback is heard soon, but not zero, because a device that can be
  /// opened and fails at once would keep a processor busy. Nothing is rendered meanwhile: a fallback goes on from where
  /// the stream was last heard.
  private static let firstPause: UInt64 = 20_000_000
  private static let pause: UInt64 = 500_000_000

  /// Renders periods of the stream until a device can be opened: its loop, or nil if asked to stop.
  func wait(_ stream: PCMParameters, _ source: PCMSource) -> PCMLoop? {
    exchange.pointee.position.interrupt()
    exchange.pointee.position.convert(step: 1)
    var period = PCMPeriod(stream, fadesIn: false)
    let duration = UInt64(stream.period) * 1_000_000_000 / UInt64(stream.sampleRate)
    let isMoving = exchange.pointee.present.withLock { $0 != nil }
    // A note waits for a device that was released.
    let wasReleased = exchange.pointee.isReleased.exchange(false, ordering: .relaxed)
    if !isMoving && !wasReleased { sleep(until: HostClock.now + Self.firstPause) }
    var due = HostClock.now
    var nextAttempt = due
    while exchange.pointee.stopRequest.load(ordering: .acquiring) == 0 {
      if due >= nextAttempt {
        if let loop = open(stream) { return loop }
        exchange.pointee.depart()
        nextAttempt = due + Self.pause
      }
      exchange.pointee.position.note(queued: 0, at: due, isRunning: true)
      if period.render(source, position: exchange.pointee.position) < period.length { exchange.pointee.requestDrain() }
      due += duration
      sleep(until: due)
    }
    return nil
  }

  /// The first device that can be opened and takes audio. A busy one may be free at the next attempt.
  private func open(_ stream: PCMParameters) -> PCMLoop? {
    let candidates = exchange.pointee.choice.withLock { choice in
      choice.map { choice in
        choice.ranking.candidates(at: HostClock.now).map { (index: $0, request: choice.requests[$0]) }
      } ?? []
    }
    for (index, request) in candidates {
      guard let loop = try? PCMLoop(opening: request, stream: stream, exchange: exchange) else { continue }
      guard loop.begins() else {
        exchange.pointee.choice.withLock { $0?.ranking.noteFailure(of: index, at: HostClock.now) }
        continue
      }
      exchange.pointee.arrive(loop.presence)
      return loop
    }
    return nil
  }

  private func sleep(until due: UInt64) {
    var time = timespec(tv_sec: Int(due / 1_000_000_000), tv_nsec: Int(due % 1_000_000_000))
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
  }
}
