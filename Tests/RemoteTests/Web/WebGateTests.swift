import Foundation
import SynthRealtime
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
    let gate = WebGate(token: WebFixture.token, machine: "Studio")
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
    #expect(first.text.count == 32)
    let attributes = try FileManager.default.attributesOfItem(atPath: directory + "/web-token")
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let second = try WebToken(keptIn: directory)
    #expect(second == first)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["web-token"])
    #expect(throws: WebError.self) { try WebToken(keptIn: "/proc/none") }
  }

  @Test("of many that start at once, all get one token, also where an empty file was left")
  func manyStarts() throws {
    for hasEmptyFile in [false, true] {
      let directory = NSTemporaryDirectory() + "synth-token-\(UUID())"
      defer { try? FileManager.default.removeItem(atPath: directory) }
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      let path = directory + "/web-token"
      if hasEmptyFile { #expect(close(open(path, O_CREAT | O_WRONLY, 0o600)) == 0) }
      let tokens = CheckedMutex<Set<String>>([])
      DispatchQueue.concurrentPerform(iterations: 16) { _ in
        if let token = try? WebToken(keptIn: directory) { _ = tokens.withLock { $0.insert(token.text) } }
      }
      let last = try WebToken(keptIn: directory).text
      #expect(tokens.withLock { $0 } == [last])
    }
  }

  @Test("takes a token only from a regular file of this user's alone, and says how to make it one")
  func tokenFiles() throws {
    let path = NSTemporaryDirectory() + "synth-token-\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: path) }
    func problem() -> String? {
      do throws(WebError) {
        _ = try WebToken(file: path)
        return nil
      } catch {
        return "\(error)"
      }
    }
    let start = "reading the page's token in \(path): "
    #expect(problem() == start + "there is no such file; write a token into it")
    try Data("a-secret-of-tests\n".utf8).write(to: URL(filePath: path))
    for mode: mode_t in [0o640, 0o604, 0o620, 0o602, 0o666] {
      chmod(path, mode)
      #expect(problem() == start + "other users have access to it; chmod 600 it", "\(mode)")
    }
    // As systemd's LoadCredential keeps it.
    chmod(path, 0o440)
    setenv("CREDENTIALS_DIRECTORY", String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]), 1)
    #expect(problem() == nil)
    unsetenv("CREDENTIALS_DIRECTORY")
    chmod(path, 0o400)
    #expect(try WebToken(file: path).text == "a-secret-of-tests")
    if geteuid() == 0 {
      chown(path, 65534, 65534)
      #expect(problem() == start + "it belongs to another user; chown it, or use another file")
    }
    unlink(path)
    try Data("short\n".utf8).write(to: URL(filePath: path))
    chmod(path, 0o600)
    #expect(problem() == start + "it holds no token; write \(WebToken.expected) into it")
    unlink(path)
    mkfifo(path, 0o600)
    #expect(problem() == start + "it is a named pipe, not a regular file")
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
