import AudioGraph
import RealtimeProbes
import SynthALSA
import SynthKit
import SynthRealtime
import Testing

@Suite("A capture device's thread neither allocates, locks, retains nor releases")
struct InputThreadTests {
  /// What the input gives to, watched from its tenth call to its last.
  private struct Watched {
    var periods = 0
    let violations = UnsafeMutableBufferPointer<realtime_violation>.allocate(capacity: 64)
    var violationCount = 0

    static let callback: RenderFunction = { context, _ in
      let watched = context.assumingMemoryBound(to: Watched.self)
      watched.pointee.periods += 1
      if watched.pointee.periods == 10 { realtime_probe_begin() }
      guard watched.pointee.periods == 200 else { return }
      let violations = watched.pointee.violations
      watched.pointee.violationCount = realtime_probe_end(violations.baseAddress!, violations.count)
    }
  }

  @Test("from one period to the next, with alsa-lib between", .timeLimit(.minutes(5)))
  func fromPeriodToPeriod() throws {
    let input = try DeviceInput(PCMRequest(device: "null", channelCount: 2, sampleRate: 48000, period: 64))
    let watched = UnsafeMutablePointer<Watched>.allocate(capacity: 1)
    watched.initialize(to: Watched())
    defer {
      watched.pointee.violations.deallocate()
      watched.deallocate()
    }
    try input.start(Watched.callback, context: watched)
    while input.device.statistics.framesRead < 201 * 64 { Semaphore().wait(nanoseconds: 1_000_000) }
    input.stop()
    let violations = watched.pointee.violations.prefix(watched.pointee.violationCount).map(Violation.init)
    #expect(violations.isEmpty, "\(Violations(violations))")
  }
}
