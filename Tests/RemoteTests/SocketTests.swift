import AudioGraph
import Foundation
import Glibc
import SynthKit
import SynthMIDI
import SynthRealtime
import SynthText
import TestSupport
import Testing

@testable import SynthRemote

@Suite("The control socket", .timeLimit(.minutes(5)))
struct SocketTests {
  private let playing: Playing
  private let path: String

  init() throws {
    playing = try Playing()
    path = "/tmp/synth-test-\(getpid())-\(UInt32.random(in: 0...(.max))).sock"
  }

  private func server(patience: Double = 10) throws -> SocketServer {
    try SocketServer(playing.surface, at: path, patience: patience)
  }

  /// A connection without the manners of `ControlConnection`.
  private func raw() throws -> Int32 { try SocketPath.connect(to: path) }

  private func write(_ text: String, _ socket: Int32) -> Bool {
    let bytes = Array(text.utf8)
    return Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  /// All that comes until the other side ends.
  private func rest(_ socket: Int32) -> String {
    var (bytes, piece) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
    while true {
      let count = recv(socket, &piece, piece.count, 0)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += piece[..<count]
    }
  }

  @Test("of several that start at once where a killed one has left its socket, one listens there")
  func startsAtOnce() throws {
    for _ in 0..<50 {
      let left = try #require(try SocketPath.listen(at: path))
      close(left)
      let listeners = CheckedMutex<[Int32]>([])
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        if let socket = try? SocketPath.listen(at: path) { listeners.withLock { $0.append(socket) } }
      }
      let sockets = listeners.withLock { $0 }
      #expect(sockets.count == 1)
      for socket in sockets { close(socket) }
    }
    unlink(path)
  }

  @Test("may have any bytes in its path")
  func bytes() throws {
    // Byte E9, which is not UTF-8 there.
    let path = "\(path)\u{10FFE9}"
    let server = try SocketServer(playing.surface, at: path)
    let name = Array(path.utf8).prefix { $0 != 0xF4 } + [0xE9]
    #expect(access(name.map { CChar(bitPattern: $0) } + [0], F_OK) == 0)
    close(try SocketPath.connect(to: path))
    server.stop()
    #expect(access(name.map { CChar(bitPattern: $0) } + [0], F_OK) != 0)
  }

  @Test("is for its owner alone, and gone when synth has ended")
  func owner() throws {
    let server = try server()
    var status = stat()
    #expect(lstat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    server.stop()
    #expect(lstat(path, &status) != 0)
  }

  @Test("refuses other users, also where the mode of its file lets them in", .enabled(if: geteuid() == 0))
  func otherUsers() throws {
    let server = try server()
    defer { server.stop() }
    #expect(chmod(path, 0o666) == 0)
    let script =
      "import socket, sys; s = socket.socket(socket.AF_UNIX); s.settimeout(10); s.connect(sys.argv[1]); "
      + "sys.exit(b'another user' not in s.recv(65536))"
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/setpriv")
    process.arguments = ["--reuid", "65534", "--clear-groups", "/usr/bin/python3", "-c", script, path]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(try ControlConnection(path: path).ask("do", .string("gain"))["answer"] != nil)
  }

  @Test("removes what killed processes have left beside it, but not what lives, nor what is no socket")
  func leftovers() throws {
    let stem = String(path.dropLast(5))
    let places = ["1", "22", "333", "4x", ""].map { "\(stem)-\($0).sock" }
    defer { for place in places { unlink(place) } }
    close(try #require(try SocketPath.listen(at: places[0])))
    let living = try #require(try SocketPath.listen(at: places[1]))
    defer { close(living) }
    close(open(places[2], O_CREAT | O_WRONLY, 0o600))
    for place in places[3...] { close(try #require(try SocketPath.listen(at: place))) }
    let (descriptor, file) = try SocketPath.claim(path)
    #expect(file.path == path)
    #expect(places.map { access($0, F_OK) == 0 } == [false, true, true, true, true])
    close(descriptor)
    file.remove()
  }

  @Test("takes no socket away from one that is too busy to be connected to")
  func busy() throws {
    let listener = try #require(try SocketPath.listen(at: path))
    defer {
      close(listener)
      unlink(path)
    }
    // Nobody accepts: until no more may wait.
    var waiting: [Int32] = []
    defer { waiting.forEach { close($0) } }
    var isFull = false
    while !isFull {
      let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
      waiting.append(client)
      isFull = try SocketPath.withAddress(path) { Glibc.connect(client, $0, $1) } != 0
    }
    #expect(try SocketPath.listen(at: path) == nil)
  }

  @Test("clients that never ask for anything give way to newcomers")
  func silentClients() throws {
    let server = try server()
    defer { server.stop() }
    let asking = try ControlConnection(path: path)
    #expect(try asking.ask("do", .string("gain"))["answer"] != nil)
    let silent = try (0..<150).map { _ in try ControlConnection(path: path) }
    #expect(try ControlConnection(path: path).ask("do", .string("gain"))["answer"] != nil)
    #expect(try asking.ask("do", .string("gain"))["answer"] != nil)
    withExtendedLifetime(silent) {}
  }

  @Test("answers several clients, each of whom sees what another changes")
  func several() throws {
    let server = try server()
    defer { server.stop() }
    let (first, second) = (try ControlConnection(path: path), try ControlConnection(path: path))
    #expect(try second.ask("subscribe", .object([("state", .bool(true))]))["answer"]?.text == "subscribed")
    #expect(try second.next()?["state"]?["channels"]?.list?.count == 16)
    #expect(try first.ask("do", .string("preset pop"))["answer"]?.text == "preset     pop")
    #expect(try second.next()?["change"]?["equalizer"]?["preset"]?.text == "pop")
    #expect(
      try first.ask("do", .string("preset popp"))["error"]?.text
        == "preset popp: no such preset; did you mean pop?")
  }

  @Test("answers all that was asked for before a client ended its side, and then ends its own")
  func halfClosed() throws {
    let server = try server()
    defer { server.stop() }
    let socket = try raw()
    defer { close(socket) }
    let requests = (0..<200).map { #"{"id": \#($0), "do": "gain -1"}"# }.joined(separator: "\n")
    #expect(write(requests, socket))
    shutdown(socket, Int32(SHUT_WR))
    let lines = rest(socket).split(separator: "\n")
    #expect(lines.count == 201 && lines.last == #"{"id": 199, "answer": "gain       −1.0 dB"}"#)
  }

  @Test("releases what a client holds that vanishes")
  func vanishing() throws {
    let server = try server()
    defer { server.stop() }
    let socket = try raw()
    #expect(write(#"{"midi": [144, 60, 100]}"# + "\n", socket))
    #expect(eventually { playing.voices > 0 })
    close(socket)
    #expect(eventually { playing.voices == 0 })
  }

  @Test(
    "answers what is no request by one error, and ends the connection",
    arguments: [
      ("GET / HTTP/1.1\r\nHost: x\r\n\r\n", "send one JSON object a line"), ("[]\n", "it is no object"),
      ("\u{0}\u{1}\u{2}\n", "send one JSON object a line"), (String(repeating: "[", count: 60000) + "\n", "JSON"),
      (String(repeating: "x", count: 300_000), "a line has more than 65536 bytes"),
      ("{\"do\": \"" + String(repeating: "x", count: 70000) + "\"}\n", "a line has more than 65536 bytes"),
    ])
  func garbage(_ text: String, _ problem: String) throws {
    let server = try server()
    defer { server.stop() }
    let socket = try raw()
    defer { close(socket) }
    _ = write(text, socket)
    let lines = rest(socket).split(separator: "\n")
    // Where much is left unread, the error may be lost with the connection.
    #expect(lines.count == 2 && lines[1].contains("error") && lines[1].contains(problem) || text.utf8.count > 65536)
    #expect(try ControlConnection(path: path).ask("do", .string("gain"))["answer"] != nil)
  }

  @Test("waits at most 30 years for a client, and at least not at all", arguments: [Double.infinity, .nan, -1, 1e300])
  func patience(_ number: Double) throws {
    try server(patience: number).stop()
    try OSCServer(playing.surface, at: "127.0.0.1:0", memory: number).stop()
  }

  @Test("gives up a client whose line does not come to its end, and one that takes nothing; others stay")
  func slow() throws {
    let server = try server(patience: 0.3)
    defer { server.stop() }
    let (drip, deaf, other) = (try raw(), try raw(), try ControlConnection(path: path))
    defer { for socket in [drip, deaf] { close(socket) } }
    #expect(write("{\"id\"", drip))
    #expect(rest(drip).contains("a line has come in part only"))
    var size: Int32 = 4096
    setsockopt(deaf, SOL_SOCKET, SO_RCVBUF, &size, 4)
    // Each answer is the whole state.
    for _ in 0..<60 { #expect(write(#"{"state": true}"# + "\n", deaf)) }
    #expect(eventually { !write("\n", deaf) })
    #expect(try other.ask("do", .string("gain"))["answer"] != nil)
  }

  @Test("takes the place of one that a killed synth has left, but not of one that lives, nor of a file")
  func places() throws {
    let stale = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    close(try #require(try SocketPath.listen(at: path)))
    close(stale)
    let server = try server()
    #expect(throws: SocketError("listening at", path, "another synth does; choose another path")) {
      try SocketServer(playing.surface, at: path)
    }
    #expect(SocketPath.another(than: "/run/synth.sock") == "/run/synth-\(getpid()).sock")
    server.stop()
    close(open(path, O_CREAT | O_WRONLY, 0o600))
    defer { unlink(path) }
    #expect(throws: SocketError("listening at", path, "it is there and no socket; choose another path")) {
      try SocketServer(playing.surface, at: path)
    }
    #expect(throws: SocketError.self) { try SocketServer(playing.surface, at: "/nonexistent/synth.sock") }
    #expect(throws: SocketError.self) {
      try SocketServer(playing.surface, at: "/tmp/" + String(repeating: "x", count: 200))
    }
  }

  @Test("says in a line that no synth runs")
  func absent() {
    #expect(throws: SocketError("connecting to", path, "no synth runs there")) { try ControlConnection(path: path) }
  }

  @Test("lines that are nearly requests do no harm", arguments: 0..<4 as Range<UInt64>)
  func noise(seed: UInt64) throws {
    let server = try server()
    defer { server.stop() }
    let good = [
      #"{"id": 1, "do": "level 3 -6"}"#, #"{"get": ["reverb", "time"]}"#, #"{"midi": [144, 60, 100, 240]}"#,
      #"{"set": ["mixer", "input 3 gain"], "to": [-6, "x", null]}"#, #"{"id": "x", "state": true}"#,
      #"{"subscribe": {"state": true, "meters": 60, "parameters": [["reverb", "time"], []]}}"#,
      #"{"midi": [255, 144, 60, 100, 240, 1, 2, 3, 247]}"#,
    ].map { Array($0.utf8) }
    var random = SplitMix64(seed: seed)
    for _ in 0..<100 {
      let socket = try raw()
      defer { close(socket) }
      for _ in 0..<10 {
        var line = good[random.next(below: good.count)]
        for _ in 0..<random.next(below: 3) {
          line[random.next(below: line.count)] = UInt8(random.next(below: 256))
        }
        line.append(0x0A)
        _ = Glibc.send(socket, line, line.count, Int32(MSG_NOSIGNAL))
      }
    }
    #expect(try ControlConnection(path: path).ask("do", .string("gain"))["answer"] != nil)
  }

  @Test("fifty clients with meters and commands are all served")
  func many() throws {
    let server = try server()
    defer { server.stop() }
    let clients = try (0..<50).map { _ in try ControlConnection(path: path) }
    for client in clients {
      _ = try client.ask("subscribe", .object([("meters", .number(30)), ("state", .bool(true))]))
    }
    for (number, client) in clients.enumerated() {
      let level = -Double(number)
      #expect(try client.ask("do", .string("gain \(level)"))["answer"] != nil)
    }
    for client in clients {
      var hasMeters = false
      while !hasMeters { hasMeters = try client.next()?["meters"] != nil }
    }
  }
}
