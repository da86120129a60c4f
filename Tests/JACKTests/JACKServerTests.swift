import Glibc
import RealtimeProbes
import SynthJACK
import SynthKit
import SynthMIDI
import SynthRealtime
import TestSupport
import Testing

extension JACKTests {
  @Suite("A JACK server that goes, stalls or hurries")
  struct JACKServerTests {
    @Test("a song waits while its server is away, and goes on where it was last heard")
    func restart() throws {
      let server = try JACKServer()
      defer { server.kill() }
      let output = try JACKOutput(JACKRequest(serverName: JACKServer.name))
      // An organ, which sounds the same at no two places.
      let song = try song([0, 0xC0, 19], strike(48, ticks: 1440), strike(55, ticks: 1440))
      let session = Session(try Synthesizer(configuration().adapted(to: output)), output: output)
      let first = GraphRecorder(["synth:left"])
      try session.play(song)
      #expect(eventually { session.position > 1 })
      server.kill()
      #expect(eventually { session.isSongPaused })
      #expect(output.stream.present == nil)
      let place = session.position
      first.close()
      #expect(session.isPlaying)
      usleep(300_000)
      #expect(session.position == place)
      try server.start()
      #expect(eventually { output.stream.present != nil })
      let second = GraphRecorder(["synth:left"])
      #expect(eventually { !session.isPlaying })
      #expect(output.reports[0].statistics.departures == 1)

      let expected = sound(try rendered(song, session.frameCount)[0])
      let before = first.sound(0)
      let heard = min(before.count, expected.count)
      #expect(heard > 48000 * 9 / 10 && Array(before.prefix(heard)) == Array(expected.prefix(heard)))
      // What comes after the fade is the song's, at most some cycles behind.
      let after = Array(second.samples(0).reversed().drop { $0 == 0 }.prefix(48000).reversed())
      let end = Array(expected.reversed().drop { $0 == 0 }.prefix(48000).reversed())
      #expect(after == end)
      #expect(Int(place * 48000) - heard < 4 * 256 + 64)
    }

    @Test("cycles that come too late are counted")
    func xruns() throws {
      let server = try JACKServer(waits: false)
      defer { server.kill() }
      let stream = try JACKStream(JACKRequest(serverName: JACKServer.name))
      var calls = 0
      try withUnsafeMutablePointer(to: &calls) { calls in
        try stream.start(
          { calls, _ in
            let calls = calls.assumingMemoryBound(to: Int.self)
            calls.pointee += 1
            if calls.pointee % 50 == 0 { usleep(50_000) }
          }, context: calls)
        #expect(eventually { stream.statistics.xruns > 2 })
        stream.stop()
        #expect(stream.takeLoad() > 1 && stream.takeLoad() == 0)
      }
    }

    @Test("a server that runs as fast as it can gets the same samples")
    func freewheel() throws {
      let server = try JACKServer()
      defer { server.kill() }
      let output = try JACKOutput(JACKRequest(serverName: JACKServer.name))
      let song = try song(strike(60, ticks: 480), vlq(960 * 30) + [0x90, 64, 100], strike(64, ticks: 480))
      let session = Session(try Synthesizer(configuration().adapted(to: output)), output: output)
      let recorder = GraphRecorder(["synth:left"])
      try session.play(song)
      try server.run("jack_freewheel", "y")
      #expect(eventually { output.stream.statistics.isFreewheeling })
      #expect(eventually { !session.isPlaying || session.position > 31.5 })
      try server.run("jack_freewheel", "n")
      #expect(eventually { !session.isPlaying })
      let expected = sound(try rendered(song, session.frameCount)[0])
      #expect(Array(recorder.sound(0).prefix(expected.count)) == expected)
    }

    /// What the stream calls: a session's flow, watched from its tenth call to its 500th.
    private struct Watched {
      let engine: UnsafeMutableRawPointer
      var calls = 0
      let violations = UnsafeMutableBufferPointer<realtime_violation>.allocate(capacity: 64)
      var violationCount = 0

      static let callback: RenderFunction = { context, slice in
        let watched = context.assumingMemoryBound(to: Watched.self)
        watched.pointee.calls += 1
        if watched.pointee.calls == 10 { realtime_probe_begin() }
        AudioEngine.outputCallback(watched.pointee.engine, slice)
        guard watched.pointee.calls == 500 else { return }
        let violations = watched.pointee.violations
        watched.pointee.violationCount = realtime_probe_end(violations.baseAddress!, violations.count)
        slice.assumingMemoryBound(to: RenderSlice.self).pointee.frameCount = 0
      }
    }

    @Test("the process thread neither allocates, locks, retains nor releases from one cycle to the next")
    func processThread() throws {
      let server = try JACKServer(period: 100)
      defer { server.kill() }
      let synthesizer = try Synthesizer(configuration())
      _ = synthesizer.instruments.events.send(
        MIDIEvent(time: 0, message: .noteOn(channel: 0, note: 60, velocity7: 100)))
      let stream = try JACKStream(JACKRequest(serverName: JACKServer.name, hasMIDI: true))
      let sender = MIDISender((0..<40).map { ($0 * 1000, [0x90, 64, 1]) }, to: "synth:midi")
      let watched = UnsafeMutablePointer<Watched>.allocate(capacity: 1)
      watched.initialize(to: Watched(engine: synthesizer.engine.outputContext))
      defer {
        watched.pointee.violations.deallocate()
        watched.deallocate()
      }
      try stream.start(Watched.callback, context: watched)
      _ = sender.send()
      #expect(eventually { !stream.isRunning })
      #expect(watched.pointee.calls == 500)
      let names = watched.pointee.violations.prefix(watched.pointee.violationCount).map { violation in
        "\(String(cString: violation.function)) from \(String(cString: realtime_probe_place(violation.caller)))"
      }
      #expect(names.isEmpty)
    }
  }
}
