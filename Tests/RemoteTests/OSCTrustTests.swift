import Foundation
import Glibc
import SynthKit
import SynthRealtime
import TestSupport
import Testing

@testable import SynthRemote

@Suite("Who is served by OSC", .timeLimit(.minutes(5)))
struct OSCTrustTests {
  private let playing: Playing
  private let directory = NSTemporaryDirectory() + "synth-osc-\(UUID())"
  private let token = WebToken(given: "a-secret-of-tests")

  init() throws {
    playing = try Playing()
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  /// One that takes all of 127.0.0.0/8 but 127.0.0.1 for other machines.
  private func server() throws -> OSCServer {
    try OSCServer(playing.surface, at: "0", token: token, localPath: nil, memory: 60) { address in
      UDPAddress.parts(address)?.host.last == 1
    }
  }

  private func run(_ program: String, _ arguments: [String]) throws {
    let process = try Process.run(URL(filePath: program), arguments: arguments)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  /// Waits until the server has done all that was sent to it: it serves this user's programs.
  private func finish(_ server: OSCServer) throws {
    let peer = try OSCConnection(server)
    peer.send("/gain")
    #expect(peer.next("/answer") != nil)
  }

  @Test("sends an address that is not proved at most as many bytes as came from there")
  func amplification() throws {
    let server = try server()
    let peer = try OSCConnection(server, from: 2)
    var sent = 0
    func send(_ message: OSCMessage) {
      sent += message.packet.count
      peer.send(message.packet)
    }
    for _ in 0..<20 {
      send(OSCMessage("/subscribe", .number(60), .text("/reverb/time")))
      send(OSCMessage("/subscribe"))
      send(OSCMessage("/help"))
      send(OSCMessage("/status"))
      send(OSCMessage("/nothing/of/the/kind"))
      send(OSCMessage("/reverb/time"))
      send(OSCMessage("/prove"))
      send(OSCMessage("/token", .text("another-token")))
    }
    try finish(server)
    let told = peer.waiting()
    #expect(!told.isEmpty && told.reduce(0) { $0 + $1.count } <= sent)
  }

  @Test("subscribes who sends back the number that was sent to its address, but not who guesses")
  func proof() throws {
    let server = try server()
    let peer = try OSCConnection(server, from: 2)
    peer.send("/subscribe")
    let first = try #require(peer.next())
    #expect(first.address == "/prove" && first.values.count == 1)
    peer.send("/prove", .number(17))
    peer.send(OSCMessage.proof(17))
    // The first number is no longer right.
    let answers = (0..<2).compactMap { _ in peer.next() }
    #expect(answers.allSatisfy { $0.address == "/prove" && $0 != first })
    guard case .number(let number) = answers.last?.values.first else {
      Issue.record("no number")
      return
    }
    peer.send(OSCMessage.proof(Int32(number)))
    peer.send("/subscribe")
    #expect(peer.next("/channel/16/solo") != nil)
  }

  @Test("the token is as good, and no other text")
  func tokens() throws {
    let server = try server()
    let peer = try OSCConnection(server, from: 2)
    peer.send("/token", .text("a-secret-of-tesst"))
    #expect(peer.next()?.address == "/error")
    peer.send("/token", .text("a-secret-of-tests"))
    peer.send("/subscribe")
    #expect(peer.next("/channel/16/solo") != nil)
  }

  @Test("a hundred forged addresses shut out nobody, and peers with the token stay")
  func forgedAddresses() throws {
    let server = try server()
    let known = try OSCConnection(server, from: 2)
    known.send("/token", .text("a-secret-of-tests"))
    known.send("/note", .number(1), .number(60), .number(100))
    #expect(eventually { playing.voices > 0 })
    for source in 100..<200 as Range<UInt8> { try OSCConnection(server, from: source).send("/subscribe") }
    let newcomer = try OSCConnection(server, from: 3)
    newcomer.send("/preset", .text("pop"))
    newcomer.send("/prove")
    #expect(newcomer.next() != nil)
    #expect(playing.voices > 0)
    known.send("/reverb/time")
    #expect(known.next("/reverb/time") != nil)
  }

  @Test(
    "serves this user's programs on this machine, and of others those with the token alone",
    .enabled(if: geteuid() == 0))
  func otherUsers() throws {
    let server = try OSCServer(playing.surface, at: "0", token: token, localPath: nil)
    let before = playing.gain
    func send(_ packets: [[UInt8]], as user: Int) throws {
      let port = server.address.split(separator: ":")[1]
      let texts = packets.map { $0.map { "\\x" + String($0, radix: 16) }.joined() }
      // It waits for the answer: a socket that is closed has no owner.
      let script =
        "exec 3<>/dev/udp/127.0.0.1/\(port); "
        + texts.map { "printf '\($0)' >&3; " }.joined() + "timeout 10 head -c 1 <&3 >/dev/null"
      try run("/usr/bin/setpriv", ["--reuid", "\(user)", "--clear-groups", "/bin/bash", "-c", script])
    }
    let gain = OSCMessage("/gain", .number(-7), .text("a text that makes room for an answer")).packet
    let quieter = OSCMessage("/gain", .number(-7)).packet
    try send([quieter, gain], as: 65534)
    try finish(server)
    #expect(playing.gain == before)
    try send([OSCMessage("/token", .text("a-secret-of-tests")).packet, quieter], as: 65534)
    #expect(eventually { playing.gain == -7 })
  }

  @Test("takes what comes through the local socket, which is this user's alone, and answers who has a place there")
  func localSocket() throws {
    let path = directory + "/synth.osc"
    let server = try OSCServer(playing.surface, at: "0", token: token, localPath: path)
    #expect(server.localPath == path)
    var status = stat()
    #expect(lstat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    let second = try OSCServer(playing.surface, at: "0", token: token, localPath: path)
    #expect(second.localPath == directory + "/synth-\(getpid()).osc")
    second.stop()
    let program = try #require(try SocketPath.listen(at: directory + "/program", datagrams: true))
    defer { close(program) }
    func send(_ packet: [UInt8], _ socket: Int32) throws {
      let isSent = try SocketPath.withAddress(path) { sendto(socket, packet, packet.count, 0, $0, $1) > 0 ? 1 : 0 }
      #expect(isSent == 1)
    }
    try send(OSCMessage("/reverb/time").packet, program)
    var packet = [UInt8](repeating: 0, count: 65536)
    #expect(eventually { recv(program, &packet, packet.count, 0) > 0 })
    #expect(packet.starts(with: "/reverb/time".utf8))
    try run("/usr/bin/oscsend", ["osc.unix://\(path)", "/gain", "f", "-7"])
    #expect(eventually { playing.gain == -7 })
    if geteuid() == 0 {
      // The test's directory, and the socket, are open to all now.
      chmod(path, 0o666)
      try run(
        "/usr/bin/setpriv",
        ["--reuid", "65534", "--clear-groups", "/usr/bin/oscsend", "osc.unix://\(path)", "/gain", "f", "-9"])
      try send(OSCMessage("/reverb/time").packet, program)
      #expect(eventually { recv(program, &packet, packet.count, 0) > 0 })
      #expect(playing.gain == -7)
    }
    server.stop()
    #expect(lstat(path, &status) != 0)
  }
}
