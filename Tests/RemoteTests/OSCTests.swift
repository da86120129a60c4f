import Glibc
import SynthKit
import SynthText
import TestSupport
import Testing

@testable import SynthRemote

@Suite("OSC", .timeLimit(.minutes(5)))
struct OSCTests {
  private let playing: Playing
  private let server: OSCServer

  init() throws {
    playing = try Playing()
    server = try OSCServer(playing.surface, at: "0")
  }

  /// One who sends and gets OSC.
  private final class Peer {
    private let socket: Int32

    init(_ server: OSCServer) throws {
      socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = try #require(UInt16(server.address.split(separator: ":")[1])).bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      let code = withUnsafePointer(to: address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, 16) }
      }
      #expect(code == 0)
      var limit = timeval(tv_sec: 10, tv_usec: 0)
      setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(socket) }

    func send(_ address: String, _ values: OSCMessage.Value...) { send(OSCMessage(address, values).packet) }

    func send(_ packet: [UInt8]) { _ = Glibc.send(socket, packet, packet.count, 0) }

    /// The next message; nil after ten seconds.
    func next() -> OSCMessage? {
      var packet = [UInt8](repeating: 0, count: 65536)
      let count = recv(socket, &packet, packet.count, 0)
      return count > 0 ? OSCMessage.messages(packet[..<count]).first : nil
    }

    /// The next message to an address, others left out.
    func next(_ address: String) -> OSCMessage? {
      while let message = next() { if message.address == address { return message } }
      return nil
    }
  }

  @Test("performs commands, sets and asks for what nodes have, under their names")
  func commands() throws {
    let peer = try Peer(server)
    peer.send("/preset", .text("pop"))
    #expect(peer.next() == OSCMessage("/answer", .text("preset     pop")))
    peer.send("/reverb/time", .number(2.5))
    peer.send("/reverb/time")
    #expect(peer.next() == OSCMessage("/reverb/time", .number(2.5)))
    peer.send("/main_mixer/output_gain", .number(-3))
    peer.send("/main_mixer/output_gain")
    #expect(peer.next() == OSCMessage("/main_mixer/output_gain", .number(-3)))
    peer.send("/channel/3/mute", .number(1))
    #expect(peer.next() == OSCMessage("/answer", .text("muted      channel 3")))
    peer.send("/channel/3/mute", .number(0))
    #expect(peer.next() == OSCMessage("/answer", .text("unmuted    channel 3")))
    peer.send("/channel/3/level", .number(-6.5))
    #expect(peer.next() == OSCMessage("/answer", .text("level      channel 3 −6.5 dB")))
    peer.send("/channel/3/chorus", .number(0.25))
    #expect(peer.next() == OSCMessage("/answer", .text("send       channel 3 reverb 0.31 chorus 0.25")))
  }

  @Test("says what is wrong with a message")
  func errors() throws {
    let peer = try Peer(server)
    for (address, values, problem) in [
      ("/preset", [.text("popp")], "preset popp: no such preset; did you mean pop?"),
      ("/channel/3/dance", [.number(1)], "/channel/3/dance: give level, pan, reverb, chorus, mute, solo or program"),
      ("/channel/17/level", [.number(1)], "level 17: give a channel from 1 to 16, or all"),
      ("/a/b/c/d", [], "/a/b/c/d: no such address; docs/control.md lists them"),
      (
        "/note", [.number(0), .number(60), .number(100)],
        "/note: give a channel from 1 to 16, a key and a velocity from 0 to 127"
      ),
    ] as [(String, [OSCMessage.Value], String)] {
      peer.send(OSCMessage(address, values).packet)
      #expect(peer.next() == OSCMessage("/error", .text(problem)))
    }
  }

  @Test("tells those that subscribe what changes, whoever changes it, and no others")
  func feedback() throws {
    let (listener, other) = (try Peer(server), try Peer(server))
    listener.send("/subscribe", .number(30), .text("/reverb/time"))
    #expect(listener.next("/channel/16/solo") == OSCMessage("/channel/16/solo", .number(0)))
    #expect(listener.next("/reverb/time") != nil)
    other.send("/channel/5/pan", .number(-0.5))
    #expect(listener.next("/channel/5/pan") == OSCMessage("/channel/5/pan", .number(-0.5)))
    other.send("/reverb/time", .number(4))
    #expect(listener.next("/reverb/time") == OSCMessage("/reverb/time", .number(4)))
    #expect(listener.next("/meters")?.values.count == 34)
    #expect(other.next()?.address == "/answer")
    listener.send("/unsubscribe")
    #expect(listener.next("/answer") != nil)
  }

  @Test("plays notes and MIDI, and releases them when a peer is forgotten")
  func notes() throws {
    let server = try OSCServer(playing.surface, at: "127.0.0.1:0", memory: 0.2)
    let peer = try Peer(server)
    // 0x90 60 100 as the type "m", in a bundle.
    let midi: [UInt8] = Array("/midi\0\0\0,m\0\0".utf8) + [0, 0x90, 60, 100]
    peer.send(Array("#bundle\0".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, UInt8(midi.count)] + midi)
    #expect(eventually { playing.voices > 0 })
    #expect(eventually { playing.voices == 0 })
    peer.send("/note", .number(1), .number(64), .number(100))
    #expect(eventually { playing.voices > 0 })
    peer.send("/note", .number(1), .number(64), .number(0))
    #expect(eventually { playing.voices == 0 })
  }

  @Test("bytes that are no OSC do no harm", arguments: 0..<4 as Range<UInt64>)
  func noise(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let peer = try Peer(server)
    let good = OSCMessage("/preset", .text("pop")).packet
    for _ in 0..<2000 {
      var packet = good
      for _ in 0...random.next(below: 4) { packet[random.next(below: packet.count)] = UInt8(random.next(below: 256)) }
      if random.next(below: 3) == 0 { packet = Array(packet.prefix(random.next(below: packet.count))) }
      if random.next(below: 3) == 0 { packet = Array("#bundle\0........".utf8) + packet + packet }
      _ = OSCMessage.messages(packet).map { try? $0.request() }
      peer.send(packet)
    }
    #expect(
      eventually {
        peer.send("/reverb/time")
        return peer.next("/reverb/time") != nil
      })
  }

  @Test("listens on this machine alone unless it is told an address, and says why it cannot")
  func addresses() throws {
    #expect(server.address.hasPrefix("127.0.0.1:"))
    #expect(throws: SocketError.self) { try OSCServer(playing.surface, at: server.address) }
    for place in ["", "x", "70000", "example.org:9000", "127.0.0.1:"] {
      #expect(throws: SocketError.self) { try OSCServer(playing.surface, at: place) }
    }
  }
}
