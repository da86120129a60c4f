import SynthJACK
import SynthKit
import SynthMIDI
import SynthRealtime
import TestSupport
import Testing

extension JACKTests {
  @Suite("MIDI from JACK's clients")
  struct JACKMIDITests {
    /// 1 ms of a constant at 48 kHz.
    private static let tick = SoundFontBytes(.init([Int16](repeating: 20000, count: 48)), [.init(playing: 0)])

    @Test(
      "each note sounds the same number of frames after its own, which is what is told", arguments: [256, 500, 1024])
    func onsets(period: Int) throws {
      let server = try JACKServer(period: period)
      defer { server.kill() }
      // Apart by odd numbers, so that they come anywhere in a cycle.
      let frames = (0..<12).map { $0 * 4801 + $0 * $0 * 7 }
      try Self.tick.withFile { path in
        var configuration = SynthesizerConfiguration(soundFonts: [path], reverb: nil, chorus: nil)
        configuration.instruments.sampler.engine = .native
        let output = try JACKOutput(JACKRequest(serverName: JACKServer.name, hasMIDI: true))
        let source = try #require(output.stream.midi)
        let session = Session(try Synthesizer(configuration.adapted(to: output)), output: output, sources: [source])
        let recorder = GraphRecorder(["synth:left"])
        let sender = MIDISender(frames.map { ($0, [0x90, 60, 100]) }, to: "synth:midi")
        try session.start()
        #expect(eventually { session.position > 0.5 })
        let origin = sender.send()
        #expect(eventually { recorder.start + recorder.frameCount > origin + frames.last! + 9600 })
        try session.stop()
        #expect(sender.sentCount == frames.count)
        let samples = recorder.samples(0)
        let onsets = samples.indices.dropFirst(2400).filter { index in
          samples[index] != 0 && samples[(index - 2400)..<index].allSatisfy { $0 == 0 }
        }
        let latency =
          Int((session.latency.upperBound * 48000).rounded()) - output.latency.buffer + output.latency.period
        // The tick itself begins some frames after its note.
        let attack = try Self.attack(configuration)
        #expect(onsets.map { recorder.start + $0 - origin } == frames.map { $0 + latency + attack })
      }
    }

    /// Frames from a note of the tick to its first sample, by hand.
    private static func attack(_ configuration: SynthesizerConfiguration) throws -> Int {
      let synthesizer = try Synthesizer(configuration)
      _ = synthesizer.instruments.events.send(
        MIDIEvent(time: 480, message: .noteOn(channel: 0, note: 60, velocity7: 100)))
      let buffer = SampleBuffer(channelCount: 2, frameCapacity: 4800)
      try synthesizer.engine.render(buffer.slice(frameCount: 4800))
      let first = try #require(buffer.channel(0, frameCount: 4800).firstIndex { $0 != 0 })
      return first - 480 - synthesizer.latency
    }

    @Test("messages of any length arrive whole, with the host times of their frames")
    func messages() throws {
      let server = try JACKServer(period: 128)
      defer { server.kill() }
      let stream = try JACKStream(JACKRequest(serverName: JACKServer.name, hasMIDI: true))
      let source = try #require(stream.midi)
      let received = CheckedMutex<[(MIDISourceEvent.Content, UInt64)]>([])
      try source.start { event in
        guard case .received(let content, let port, let time) = event else { return }
        #expect(port.name == "JACK synth:midi")
        received.withLock { $0.append((content, time)) }
      }
      let payload = (0..<300).map { UInt8($0 % 128) }
      let sender = MIDISender(
        [(0, [0x90, 60, 1]), (48, [0xF0] + payload + [0xF7]), (4800, [0xC5, 7])], to: "synth:midi")
      _ = sender.send()
      #expect(eventually { received.withLock { $0.count } == 3 })
      source.stop()
      let all = received.withLock { $0 }
      #expect(
        all.map(\.0) == [
          .message(.noteOn(channel: 0, note: 60, velocity7: 1)), .systemExclusive(payload),
          .message(.programChange(channel: 5, program: 7)),
        ])
      #expect(abs(Int(all[1].1 - all[0].1) - 1_000_000) < 500_000)
    }
  }
}
