import Foundation
import TestSupport
import Testing

@testable import SynthRemote

@Suite("OSC, fuzzed", .timeLimit(.minutes(20)))
struct OSCFuzzTests {
  /// Seconds; for a long run `FUZZ_SECONDS=600`.
  private let duration = ProcessInfo.processInfo.environment["FUZZ_SECONDS"].flatMap(Double.init) ?? 2

  private let playing: Playing

  init() throws { playing = try Playing() }

  @Test("still answers after packets with bytes changed, left out, doubled and cut, bundled and not")
  func fuzz() throws {
    let server = try OSCServer(playing.surface, at: "0")
    let peer = try OSCConnection(server)
    var random = SplitMix64(seed: 0x05C)
    let end = Date(timeIntervalSinceNow: duration)
    var count = 0
    repeat {
      for _ in 0..<500 {
        let packet = packet(&random)
        for message in OSCMessage.messages(packet) { _ = try? message.request() }
        peer.send(packet)
      }
      count += 500
      // A packet may get lost, and what was subscribed to comes too.
      let isAnswered = eventually {
        peer.send("/chorus/rate")
        for _ in 0..<1000 {
          guard let message = peer.next() else { return false }
          if message.address == "/chorus/rate" { return true }
        }
        return false
      }
      #expect(isAnswered, "after \(count) packets")
    } while Date() < end
  }

  private func packet(_ random: inout SplitMix64, depth: Int = 0) -> [UInt8] {
    if depth < 6, random.next(below: 4) == 0 {
      let parts = (0..<random.next(below: 4)).map { _ in packet(&random, depth: depth + 1) }
      let sized = parts.flatMap { part -> [UInt8] in
        [0, 0, UInt8(part.count >> 8 & 255), UInt8(part.count & 255)] + part
      }
      return mutated(Array("#bundle\0".utf8) + [0, 0, 0, 0, 0, 0, 0, 1] + sized, &random)
    }
    let messages: [(String, String, [UInt8])] = [
      ("/preset", "s", padded("pop")), ("/reverb/time", "f", [0x40, 0x20, 0, 0]), ("/reverb/time", "", []),
      ("/channel/3/level", "d", [0xC0, 0x18, 0, 0, 0, 0, 0, 0]),
      ("/note", "iii", [0, 0, 0, 1, 0, 0, 0, 60, 0, 0, 0, 9]),
      ("/midi", "m", [0, 0x90, 60, 100]), ("/subscribe", "is", [0, 0, 0, 60] + padded("/reverb/time")),
      ("/mute", "T[hb]", [0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 2, 1, 2, 0, 0]),
      ("/gain", "tcrSINF", [UInt8](repeating: 0, count: 24)),
      ("/unsubscribe", "", []),
    ]
    let (address, types, data) = messages[random.next(below: messages.count)]
    return mutated(padded(address) + padded(",\(types)") + data, &random)
  }

  private func padded(_ text: String) -> [UInt8] {
    Array(text.utf8) + [UInt8](repeating: 0, count: 4 - text.utf8.count % 4)
  }

  private func mutated(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<random.next(below: 4) where !bytes.isEmpty {
      let place = random.next(below: bytes.count)
      switch random.next(below: 5) {
      case 0: bytes[place] = UInt8(random.next(below: 256))
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(bytes[place], at: place)
      case 3: bytes.removeSubrange(place...)
      default: bytes.insert(contentsOf: repeatElement(bytes[place], count: 300), at: place)
      }
    }
    return bytes
  }
}
