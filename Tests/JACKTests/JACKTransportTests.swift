import SynthJACK
import SynthKit
import SynthMIDI
import TestSupport
import Testing

extension JACKTests {
  @Suite("A song and the transport of its JACK server")
  struct JACKTransportTests {
    private let server: JACKServer
    private let output: JACKOutput
    /// Another client, that moves the transport.
    private let other: JACKStream
    private let session: Session
    private let link: JACKTransportLink

    init() throws {
      server = try JACKServer()
      output = try JACKOutput(JACKRequest(serverName: JACKServer.name))
      other = try JACKStream(JACKRequest(clientName: "other", serverName: JACKServer.name, connects: false))
      session = Session(try Synthesizer(configuration().adapted(to: output)), output: output)
      link = JACKTransportLink(session, output)
      try session.play(try song([0, 0xC0, 19], strike(48, ticks: 960 * 20)))
    }

    private func turns(until condition: () -> Bool) throws -> Bool {
      try eventually {
        try link.turn()
        return condition()
      }
    }

    /// Whether they are at the same place; read one after the other, some cycles may lie between.
    private var agree: Bool {
      guard let frame = other.transport?.frame else { return false }
      return abs(Int(session.position * 48000) - frame) < 4 * 256
    }

    @Test("other clients start, stop and move the song")
    func songFollows() throws {
      defer { server.kill() }
      #expect(try turns { other.transport?.state == .rolling && session.position > 0.3 })
      #expect(agree)
      other.stopTransport()
      #expect(try turns { session.isSongPaused })
      other.locateTransport(to: 5 * 48000)
      #expect(try turns { session.position == 5 })
      other.startTransport()
      #expect(try turns { session.position > 5.3 })
      #expect(agree && !session.isSongPaused)
      other.locateTransport(to: 10 * 48000)
      #expect(try turns { session.position > 10.3 })
      #expect(agree)
      other.locateTransport(to: 48000 * 3600)
      #expect(try turns { session.isSongPaused })
      other.locateTransport(to: 48000)
      #expect(try turns { !session.isSongPaused && session.position > 1.3 })
      #expect(agree && session.position < 5)
      try session.stop()
    }

    @Test("a song that is played, paused and moved takes the transport along")
    func transportFollows() throws {
      defer { server.kill() }
      #expect(try turns { session.position > 0.3 })
      try session.pauseSong()
      #expect(try turns { other.transport?.state == .stopped })
      try session.seek(to: 7)
      #expect(try turns { abs((other.transport?.frame ?? 0) - 7 * 48000) < 64 })
      try session.resumeSong()
      #expect(try turns { other.transport?.state == .rolling && session.position > 7.3 })
      #expect(agree)
      try session.seek(to: 2)
      #expect(try turns { (other.transport?.frame ?? 0) < 3 * 48000 && session.position > 2.3 })
      #expect(abs(Int(session.position * 48000) - (other.transport?.frame ?? 0)) < 4800)
      link.end()
      #expect(eventually { other.transport?.state == .stopped })
      try session.stop()
    }
  }
}
