import SynthJACK
import SynthKit
import SynthMIDI
import TestSupport
import Testing

extension JACKTests {
  @Suite("Playing on a JACK server")
  struct JACKOutputTests {
    @Test(
      "what other clients get is what offline rendering gives, sample for sample, at the server's rate and any period",
      arguments: [(48000, 64), (44100, 100), (48000, 1024)])
    func liveEqualsOffline(sampleRate: Int, period: Int) throws {
      let server = try JACKServer(sampleRate: sampleRate, period: period)
      defer { server.kill() }
      let output = try JACKOutput(JACKRequest(serverName: JACKServer.name))
      #expect(output.sampleRate == Double(sampleRate) && output.latency.period == period)
      let song = try song(strike(60, ticks: 480), strike(67, channel: 9, ticks: 100))
      let session = Session(try Synthesizer(configuration().adapted(to: output)), output: output)
      let recorder = GraphRecorder(["synth:left", "synth:right"])
      try session.play(song)
      #expect(eventually { !session.isPlaying })
      let offline = try rendered(song, sampleRate: sampleRate, session.frameCount)
      for channel in 0..<2 {
        let (live, expected) = (recorder.sound(channel), sound(offline[channel]))
        #expect(live.count >= expected.count && expected.contains { abs($0) > 0.01 })
        #expect(Array(live.prefix(expected.count)) == expected)
      }
    }

    @Test("ports have the names of channels, are connected by themselves, and stay while nothing is played")
    func ports() throws {
      let server = try JACKServer()
      defer { server.kill() }
      let output = try JACKOutput(JACKRequest(clientName: "organ", serverName: JACKServer.name, hasMIDI: true))
      let second = try JACKOutput(
        JACKRequest(clientName: "organ", serverName: JACKServer.name, channelCount: 3, connects: false))
      let list = try server.run("jack_lsp", "-c")
      #expect(
        list.contains("system:playback_1\n   organ:left\n") && list.contains("system:playback_2\n   organ:right\n"))
      #expect(list.contains("organ:midi\n") && list.contains("organ-01:channel_3\n"))
      #expect(output.name == "jack:organ" && second.name == "jack:organ-01")
      #expect(!list.contains("   organ-01:"))
    }

    @Test("the buffer may change amid the song, which has no gap")
    func bufferChange() throws {
      let server = try JACKServer(period: 256)
      defer { server.kill() }
      let output = try JACKOutput(JACKRequest(serverName: JACKServer.name))
      let song = try song(strike(60, ticks: 960), strike(64, ticks: 960), strike(67, ticks: 480))
      let session = Session(try Synthesizer(configuration().adapted(to: output)), output: output)
      let recorder = GraphRecorder(["synth:left", "synth:right"])
      try session.play(song)
      for period in [1000, 64, 512] {
        let begin = session.position
        #expect(eventually { session.position > begin + 0.3 })
        try server.run("jack_bufsize", "\(period)")
        #expect(eventually { output.latency.period == period })
      }
      #expect(eventually { !session.isPlaying })
      let offline = try rendered(song, session.frameCount)
      let (live, expected) = (recorder.sound(0), sound(offline[0]))
      #expect(Array(live.prefix(expected.count)) == expected)
    }

    @Test("the graph is told how many frames after a key its sound comes")
    func latency() throws {
      let server = try JACKServer()
      defer { server.kill() }
      let output = try JACKOutput(JACKRequest(serverName: JACKServer.name, hasMIDI: true))
      let session = Session(try Synthesizer(configuration().adapted(to: output)), output: output)
      output.tellLatency(of: session)
      let afterCycle = output.latency.buffer - output.latency.period
      let own = Int((session.latency.upperBound * 48000).rounded()) - afterCycle
      #expect(own > 256)
      for (port, side, frames) in [("synth:left", "capture", own), ("synth:midi", "playback", own + afterCycle)] {
        let line = "port \(side) latency = [ \(frames) \(frames) ] frames"
        #expect(try eventually { try server.run("jack_lsp", "-l", port).contains(line) })
      }
    }

    @Test("without a server, or with a name that none takes, opening says what to do")
    func errors() throws {
      let server = try JACKServer()
      server.kill()
      #expect(throws: JACKError.self) { try JACKOutput(JACKRequest(serverName: JACKServer.name)) }
      do throws(JACKError) {
        _ = try JACKOutput(JACKRequest(serverName: JACKServer.name))
      } catch {
        #expect(error.cause == .serverAbsent)
        #expect("\(error)".hasPrefix("opening JACK client synth: no server runs — start one"))
      }
      #expect(throws: JACKError.self) { try JACKOutput(JACKRequest(clientName: "a:b", serverName: JACKServer.name)) }
      #expect(throws: JACKError.self) { try JACKOutput(JACKRequest(serverName: JACKServer.name, channelCount: 0)) }
    }
  }
}
