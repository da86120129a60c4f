import Foundation
import Testing

@testable import SynthRemote

@Suite("Who may come in by the web")
struct WebGateTests {
  @Test(
    "reads addresses",
    arguments: [
      ("8383", "127.0.0.1:8383"), ("127.0.0.1:9000", "127.0.0.1:9000"), ("localhost:80", "127.0.0.1:80"),
      ("0.0.0.0", "0.0.0.0:8383"), ("[::1]:90", "[::1]:90"), ("[::]", "[::]:8383"),
    ])
  func addresses(text: String, read: String) { #expect(WebAddress(parsing: text)?.description == read) }

  @Test(
    "takes nothing else for an address",
    arguments: ["", ":", "song.mid", "70000", "1.2.3.4:", "1.2.3.4:70000", "::1", "[1.2.3.4]:80", "a.b:80", "-1"])
  func noAddresses(text: String) { #expect(WebAddress(parsing: text) == nil) }

  @Test("knows which addresses only this machine reaches")
  func loopback() {
    #expect(["127.0.0.1", "127.1.2.3", "::1"].allSatisfy { WebAddress($0, 1).isLoopback })
    #expect(!["0.0.0.0", "::", "192.168.1.7", "::ffff:127.0.0.1"].contains { WebAddress($0, 1).isLoopback })
  }

  @Test("knows this machine by its addresses and its own name, in any case, with any port")
  func names() {
    let gate = WebGate(token: nil, machine: "Studio")
    func opens(_ host: String) -> Bool { gate.refusal(of: WebGate.Request(host: host)) == nil }
    #expect(["localhost", "LOCALHOST:1", "studio:8383", "STUDIO.local", "10.0.0.1:2", "[fe80::1]"].allSatisfy(opens))
    #expect(
      !["", "studio.evil.example", "evil.example", "127.0.0.1.evil.example", "localhost:x", "local host", "fe80::1"]
        .contains(where: opens))
  }

  @Test("keeps a token that only its owner can read, and finds it again")
  func token() throws {
    let directory = NSTemporaryDirectory() + "synth-token-\(UUID())/state"
    defer { try? FileManager.default.removeItem(atPath: directory + "/..") }
    let first = try WebToken(keptIn: directory)
    #expect(first.isNew && first.text.count == 32)
    let attributes = try FileManager.default.attributesOfItem(atPath: directory + "/web-token")
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let second = try WebToken(keptIn: directory)
    #expect(!second.isNew && second.text == first.text)
    try Data("short\n".utf8).write(to: URL(filePath: directory + "/web-token"))
    #expect(throws: WebError.self) { try WebToken(keptIn: directory) }
    #expect(throws: WebError.self) { try WebToken(keptIn: "/proc/none") }
  }

  @Test("takes tokens that are long enough and can be sent")
  func givenTokens() {
    #expect(WebToken(given: "twelve-chars")?.text == "twelve-chars")
    #expect(
      ["", "short", "with a blank in it", "ümlaut-ümlaut", String(repeating: "a", count: 65)].allSatisfy {
        WebToken(given: $0) == nil
      })
  }

  @Test("writes digests as browsers read them")
  func base64() {
    let known = ["": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foobar": "Zm9vYmFy"]
    for (text, digits) in known { #expect(WebPage.base64(Array(text.utf8)) == digits) }
    // The digest of nothing.
    #expect(
      WebPage(Array("<script></script>".utf8)).policy
        .contains("script-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='; style-src 'none'"))
  }
}
