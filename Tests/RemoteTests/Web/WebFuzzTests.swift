import Foundation
import TestSupport
import Testing

@testable import SynthRemote

@Suite("The web server, fuzzed", .timeLimit(.minutes(20)))
struct WebFuzzTests {
  /// Seconds; for a long run `FUZZ_SECONDS=600`.
  private let duration = ProcessInfo.processInfo.environment["FUZZ_SECONDS"].flatMap(Double.init) ?? 2

  @Test("still serves after requests and frames with bytes changed, left out, doubled and cut")
  func fuzz() throws {
    let fixture = try WebFixture(limits: WebLimits(headerTime: 1))
    var random = SplitMix64(seed: 0x5EED)
    let end = Date(timeIntervalSinceNow: duration)
    var count = 0
    while Date() < end || count < 60 {
      count += 1
      let connection = try fixture.connect()
      // The server may hang up at any byte.
      try? talk(on: connection, fixture.port, &random)
      if count % 20 == 0 { #expect(try fixture.open().frame().opcode == 1, "after \(count) connections") }
    }
    #expect(try fixture.open().frame().opcode == 1, "after \(count) connections")
  }

  private func talk(on connection: WebConnection, _ port: UInt16, _ random: inout SplitMix64) throws {
    let requests = [
      WebConnection.request("GET / HTTP/1.1", "Host: localhost"),
      WebConnection.request("POST / HTTP/1.1", "Host: localhost", "Content-Length: 5") + "12345",
      WebConnection.request("GET / HTTP/1.1", "Host: localhost", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk"),
      WebConnection.request("CONNECT localhost:80 HTTP/1.1", "Host: localhost"), "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      WebConnection.handshake(port),
    ]
    let request = requests[Int.random(in: 0..<requests.count, using: &random)]
    if Bool.random(using: &random) {
      try connection.send(mutated(Array(request.utf8), &random))
      connection.finish()
      if Bool.random(using: &random) { _ = connection.status() }
      return
    }
    try connection.send(WebConnection.handshake(port))
    _ = try connection.head()
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let frames: [[UInt8]] = [
        [0x81, 0x85, 1, 2, 3, 4] + Array("hello".utf8), [0x01, 0x82, 0, 0, 0, 0, 0x7B, 0x7D], [0x80, 0x80, 0, 0, 0, 0],
        [0x89, 0x80, 0, 0, 0, 0], [0x88, 0x82, 0, 0, 0, 0, 3, 0xE8], [0x81, 0xFE, 0xFF, 0xFF, 0, 0, 0, 0],
        [0x81, 0xFF, 0x7F, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0],
        [0x81, 0x95, 0, 0, 0, 0] + Array(#"{"id": 1, "get": [] }"#.utf8),
        [0x81, 0xA1, 0, 0, 0, 0] + Array(#"{"subscribe": {"meters": 60    }}"#.utf8),
      ]
      let frame = frames[Int.random(in: 0..<frames.count, using: &random)]
      try connection.send(Bool.random(using: &random) ? frame : mutated(frame, &random))
    }
    connection.finish()
    if Bool.random(using: &random) { connection.end() }
  }

  private func mutated(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 0...4, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(bytes[place], at: place)
      case 3: bytes.removeSubrange(place...)
      default: bytes.insert(contentsOf: repeatElement(bytes[place], count: 300), at: place)
      }
    }
    return bytes
  }
}
