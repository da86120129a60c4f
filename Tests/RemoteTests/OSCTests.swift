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

  @Test("performs commands, sets and asks for what nodes have, under their names")
  func commands() throws {
    let peer = try OSCConnection(server)
    peer.send("/preset", .text("pop"))
    #expect(peer.next() == OSCMessage("/answer", .text("preset     pop")))
    peer.send("/reverb/time", .number(2.5))
    peer.send("/reverb/time")
    #expect(peer.next() == OSCMessage("/reverb/time", .number(2.5)))
    peer.send("/main_mixer/output_gain", .number(-3))
    peer.send("/main_mixer/output_gain")
    #expect(peer.next() == OSCMessage("/main_mixer/output_gain", .number(-3)))
    peer.send("/channel/3/mute", .number(1))
    peer.send("/channel/3/mute")
    #expect(peer.next() == OSCMessage("/channel/3/mute", .number(1)))
    peer.send("/channel/3/mute", .number(0))
    peer.send("/channel/3/mute")
    #expect(peer.next() == OSCMessage("/channel/3/mute", .number(0)))
    peer.send("/channel/3/level", .number(-6.5))
    peer.send("/channel/3/level")
    #expect(peer.next() == OSCMessage("/channel/3/level", .number(-6.5)))
    peer.send("/channel/3/chorus", .number(0.25))
    peer.send("/channel/3/chorus")
    #expect(peer.next() == OSCMessage("/channel/3/chorus", .number(0.25)))
    peer.send("/channel/3/program", .number(48))
    #expect(peer.next() == OSCMessage("/answer", .text("program    channel 3: 48")))
  }

  @Test("sets the fader and the inserts of a bus, and tells of them")
  func buses() throws {
    let peer = try OSCConnection(server)
    try playing.synthesizer.makeBus("drums")
    try playing.synthesizer.insert("compressor", into: .bus("drums"))
    for (address, value) in [
      ("/bus/drums/level", -6.5), ("/bus/drums/mute", 1), ("/bus/drums/insert/1/mix", 25),
    ] as [(String, Double)] {
      peer.send(address, .number(value))
      peer.send(address)
      #expect(peer.next() == OSCMessage(address, .number(value)))
    }
    peer.send("/level", .text("drums"), .number(-3))
    #expect(peer.next() == OSCMessage("/answer", .text("level      drums −3.0 dB")))
  }

  @Test("says what is wrong with a message")
  func errors() throws {
    let peer = try OSCConnection(server)
    for (address, values, problem) in [
      ("/preset", [.text("popp")], "preset popp: no such preset; did you mean pop?"),
      (
        "/channel/3/dance", [.number(1)],
        "channel/3/dance: no such path in the control tree; did you mean channel/3/pan?"
      ),
      (
        "/channel/17/level", [.number(1)],
        "level B1: there are 16 channels now; songs for several ports bring more"
      ),
      (
        "/channel/65/level", [.number(1)],
        "channel/65/level: no such path in the control tree; did you mean channel/5/level?"
      ),
      ("/a/b/c/d", [], "a/b/c/d: no such path in the control tree"),
      (
        "/note", [.number(0), .number(60), .number(100)],
        "/note: give a channel from 1 to 16, a key and a velocity from 0 to 127"
      ),
    ] as [(String, [OSCMessage.Value], String)] {
      peer.send(OSCMessage(address, values).packet)
      #expect(peer.next() == OSCMessage("/error", .text(problem)))
    }
  }

  @Test("a packet from the network writes nothing, loads nothing and ends nothing")
  func rights() throws {
    let peer = try OSCConnection(server)
    for (address, word) in [
      ("/record", "/tmp/x.wav"), ("/save", "x.wav"), ("/soundfont", "/etc/passwd"), ("/out", "file:'|touch x',raw"),
      ("/learn", "quit"), ("/snapshot", "save x"),
    ] {
      peer.send(address, .text(word))
      let error = "\(address.dropFirst()): the network may not do this; use a page, synth ctl or the terminal"
      #expect(peer.next() == OSCMessage("/error", .text(error)))
    }
    peer.send("/preset", .text("/etc/passwd"))
    #expect(peer.next() == OSCMessage("/error", .text("preset passwd: no such preset")))
    peer.send("/reverb/time", .number(2.5))
    for number in [Double.nan, .infinity] { peer.send("/reverb/time", .number(number)) }
    peer.send("/reverb/time")
    #expect(peer.next() == OSCMessage("/reverb/time", .number(2.5)))
  }

  @Test("tells those that subscribe what changes, whoever changes it, and no others")
  func feedback() throws {
    let (listener, other) = (try OSCConnection(server), try OSCConnection(server))
    listener.send("/subscribe", .number(30), .text("/reverb/time"))
    #expect(listener.next("/channel/16/solo") == OSCMessage("/channel/16/solo", .number(0)))
    #expect(listener.next("/reverb/time") != nil)
    other.send("/channel/5/pan", .number(-0.5))
    #expect(listener.next("/channel/5/pan") == OSCMessage("/channel/5/pan", .number(-0.5)))
    try playing.synthesizer.makeBus("drums")
    #expect(listener.next("/bus/drums/to") == OSCMessage("/bus/drums/to", .text("main")))
    other.send("/bus/drums/level", .number(-3))
    #expect(listener.next("/bus/drums/pan") != nil)
    other.send("/reverb/time", .number(4))
    #expect(listener.next("/reverb/time") == OSCMessage("/reverb/time", .number(4)))
    #expect(listener.next("/meters")?.values.count == 34)
    other.send("/next")
    #expect(other.next()?.address == "/error")
    listener.send("/unsubscribe")
    #expect(listener.next("/answer") != nil)
  }

  @Test("plays notes and MIDI, and releases them when a peer is forgotten")
  func notes() throws {
    let server = try OSCServer(playing.surface, at: "127.0.0.1:0", memory: 0.2)
    let peer = try OSCConnection(server)
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

  @Test("listens on this machine alone unless it is told an address, and says why it cannot")
  func addresses() throws {
    #expect(server.address.hasPrefix("127.0.0.1:"))
    #expect(throws: SocketError.self) { try OSCServer(playing.surface, at: server.address) }
    for place in ["", "x", "70000", "example.org:9000", "127.0.0.1:"] {
      #expect(throws: SocketError.self) { try OSCServer(playing.surface, at: place) }
    }
  }
}
