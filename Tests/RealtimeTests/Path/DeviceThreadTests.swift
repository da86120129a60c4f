import AudioGraph
import RealtimeProbes
import SynthALSA
import SynthInstruments
import SynthMIDI
import SynthRealtime
import TestSupport
import Testing

@testable import SynthKit

/// The boundary: within a period's rendering, conversion included, nothing forbidden and no system call, which
/// RealtimeSanitizer sees to in its build. Around it, in the loop and in alsa-lib, the system calls that serve the
/// device.
@Suite("A device's thread neither allocates, locks, retains nor releases", .timeLimit(.minutes(2)))
struct DeviceThreadTests {
  /// What the output calls: the session's flow, watched from its tenth call to its last.
  private struct Watched {
    let flow: UnsafeMutableRawPointer
    var periods = 0
    let violations = UnsafeMutableBufferPointer<realtime_violation>.allocate(capacity: 64)
    var violationCount = 0

    static let callback: RenderFunction = { context, slice in
      let watched = context.assumingMemoryBound(to: Watched.self)
      watched.pointee.periods += 1
      if watched.pointee.periods == 10 { realtime_probe_begin() }
      SessionFlow.callback(watched.pointee.flow, slice)
      guard watched.pointee.periods == 500 else { return }
      let violations = watched.pointee.violations
      watched.pointee.violationCount = realtime_probe_end(violations.baseAddress!, violations.count)
      slice.assumingMemoryBound(to: RenderSlice.self).pointee.frameCount = 0
    }
  }

  @Test(
    "from one period to the next, with alsa-lib between",
    arguments: [["null"], ["file:'/dev/null',raw"], ["plug:null"], ["null", "null"]])
  func fromPeriodToPeriod(devices: [String]) throws {
    let synthesizer = try Synthesizer(SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont]))
    _ = synthesizer.instruments.events.send(MIDIEvent(time: 0, message: .noteOn(channel: 0, note: 60, velocity7: 100)))
    let channels = 2 / devices.count
    let output = try DeviceOutput(
      devices.map { PCMRequest(device: $0, channelCount: channels, sampleRate: 48000, period: 256) })
    let flow = SessionFlow(synthesizer, output)
    flow.begin(AudioEngine.outputCallback, context: synthesizer.engine.outputContext)
    let watched = UnsafeMutablePointer<Watched>.allocate(capacity: 1)
    watched.initialize(to: Watched(flow: flow.context))
    defer {
      watched.pointee.violations.deallocate()
      watched.deallocate()
    }
    try output.start(Watched.callback, context: watched)
    output.device.wait()
    #expect(watched.pointee.periods == 500)
    #expect(flow.takePeak() > 0.001)
    let violations = watched.pointee.violations.prefix(watched.pointee.violationCount).map(Violation.init)
    #expect(violations.isEmpty, "\(Violations(violations))")
  }
}
