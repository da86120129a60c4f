import Foundation
import SynthKit
import Testing

@testable import SynthRemote

@Suite("The web server", .timeLimit(.minutes(2)))
struct WebServerTests {
  @Test("gives the page with headers that let a browser run its own script and style only")
  func page() throws {
    let fixture = try WebFixture()
    let connection = try fixture.connect()
    try connection.send(WebConnection.request("GET / HTTP/1.1", "Host: localhost:\(fixture.port)"))
    let head = try connection.head().lowercased()
    #expect(head.hasPrefix("http/1.1 200 "))
    for header in [
      "content-type: text/html; charset=utf-8", "x-content-type-options: nosniff", "x-frame-options: deny",
      "referrer-policy: no-referrer", "cache-control: no-store", "content-length: \(WebFixture.page.utf8.count)",
      "content-security-policy: default-src 'none'; script-src 'sha256-",
    ] {
      #expect(head.contains("\r\n\(header)"), "\(header)")
    }
    #expect(!head.contains("unsafe"))
    #expect(try connection.body(WebFixture.page.utf8.count) == WebFixture.page)
  }

  @Test("gives a page of a megabyte whole, to several at once")
  func largePage() throws {
    let page = "<script>\(String(repeating: "0123456789", count: 100_000))</script>"
    let fixture = try WebFixture(page: page)
    let connections = try (0..<4).map { _ in try fixture.connect() }
    for connection in connections { try connection.send(WebConnection.request("GET / HTTP/1.1", "Host: localhost")) }
    for connection in connections {
      _ = try connection.head()
      #expect(try connection.body(page.utf8.count) == page)
    }
  }

  @Test(
    "refuses names that others may have chosen, other paths and other methods",
    arguments: [
      ("GET / HTTP/1.1", "evil.example:8383", 403), ("GET / HTTP/1.1", "", 403),
      ("GET /../etc/passwd HTTP/1.1", "localhost", 404), ("GET /socket HTTP/1.1", "localhost", 404),
      ("POST / HTTP/1.1", "localhost", 405), ("GET / HTTP/1.1", "[::1]:8383", 200),
      ("GET / HTTP/1.1", "192.168.1.7", 200),
    ])
  func requests(start: String, host: String, status: Int) throws {
    let connection = try WebFixture().connected
    try connection.value.send(WebConnection.request(start, "Host: \(host)", "Content-Length: 0"))
    #expect(connection.value.status() == status)
  }

  @Test("joins only its own page to the surface: not another site's, not one under a foreign name, not without a token")
  func handshakes() throws {
    let fixture = try WebFixture()
    func status(_ handshake: String) throws -> Int {
      let connection = try fixture.connect()
      try connection.send(handshake)
      return connection.status()
    }
    let (port, token) = (fixture.port, WebFixture.token.text)
    #expect(try status(WebConnection.handshake(port, token: token)) == 101)
    #expect(try status(WebConnection.handshake(port, origin: "http://evil.example", token: token)) == 403)
    #expect(try status(WebConnection.handshake(port, origin: "http://127.0.0.1:3000", token: token)) == 403)
    #expect(try status(WebConnection.handshake(port, origin: "null", token: token)) == 403)
    #expect(try status(WebConnection.handshake(port, origin: "", token: token)) == 403)
    // Rebinding: both headers have the name that was made to resolve to this machine.
    #expect(try status(WebConnection.handshake(port, host: "evil.example:\(port)", token: token)) == 403)
    #expect(try status(WebConnection.handshake(port)) == 401)
    #expect(try status(WebConnection.handshake(port, token: "a-secret-of-tesst")) == 401)
    #expect(try status(WebConnection.handshake(port, token: "a-secret-of-test")) == 401)
    #expect(try status(WebConnection.handshake(port, token: String(repeating: "a", count: 4000))) != 101)
    #expect(try status(WebConnection.handshake(port, protocols: "other", token: token)) == 400)
    #expect(try status(WebConnection.handshake(port, token: token, path: "/")) == 404)
  }

  @Test("carries the lines of the control surface both ways, and each page sees what another changes")
  func messages() throws {
    let fixture = try WebFixture()
    let (first, second) = (try fixture.open(), try fixture.open())
    #expect(try first.frame().text == #"{"synth": "1.2.3", "protocol": 1}"#)
    try second.send(frame: #"{"id": 7, "subscribe": {"state": true}}"#)
    _ = try second.message(with: #""channels""#)
    try first.send(frame: #"{"id": 1, "#, isFinal: false)
    try first.send(frame: #""do": "level 3 -6"}"#, opcode: 0)
    #expect(try first.message(with: #""id": 1"#).contains("channel 3"))
    #expect(try second.message(with: #""change""#).contains(#""level": -6"#))
    try first.send(frame: #"{"id": 2, "do": "level 99 0"}"#)
    #expect(try first.message(with: #""id": 2"#).contains(#""error""#))
  }

  @Test("answers what is no request once, and ends the connection")
  func garbage() throws {
    let connection = try WebFixture().opened
    _ = try connection.value.frame()
    try connection.value.send(frame: "hello")
    #expect(try connection.value.frame().text.contains(#""error""#))
    connection.value.end()
  }

  @Test("takes more requests than may wait, one after the other")
  func many() throws {
    let fixture = try WebFixture()
    let connection = try fixture.open()
    for number in 1...500 { try connection.send(frame: "{\"id\": \(number), \"do\": \"gain\"}") }
    for number in 1...500 { _ = try connection.message(with: "\"id\": \(number),") }
  }

  @Test("closes the connection for messages that are too large, and for binary ones")
  func hugeFrames() throws {
    let fixture = try WebFixture()
    /// What the server says as it closes; 0 for nothing, or where that is lost because it has not read all.
    func closing(_ send: (WebConnection) throws -> Void) throws -> Int {
      let connection = try fixture.open()
      _ = try connection.frame()
      try? send(connection)
      defer { connection.end() }
      return (try? connection.frame().status) ?? 0
    }
    #expect(try closing { try $0.send(frame: "{", told: 65537) } == 1009)
    #expect(try closing { try $0.send(frame: "{", told: 1 << 40) } == 1009)
    #expect(try closing { try $0.send(frame: "{}", opcode: 2) } == 1003)
    _ = try closing { try $0.send(frame: String(repeating: " ", count: 1 << 20)) }
    _ = try closing { connection in
      while true { try connection.send(frame: String(repeating: " ", count: 4000), isFinal: false) }
    }
    #expect(try fixture.open().frame().opcode == 1)
  }

  @Test("hangs up on headers that never end, or are too long")
  func slowHeaders() throws {
    let fixture = try WebFixture(limits: WebLimits(headerTime: 1))
    let silent = try fixture.connect()
    let slow = try fixture.connect()
    try slow.send("GET / HTTP/1.1\r\nHost: local")
    silent.end()
    slow.end()
    let long = try fixture.connect()
    try? long.send(
      WebConnection.request("GET / HTTP/1.1", "Host: localhost", "X: \(String(repeating: "a", count: 100_000))"))
    #expect(long.status() != 200)
    let page = try fixture.connect()
    try page.send(WebConnection.request("GET / HTTP/1.1", "Host: localhost"))
    #expect(page.status() == 200)
  }

  @Test("hangs up on headers that come a byte at a time")
  func drippingHeaders() throws {
    let fixture = try WebFixture(limits: WebLimits(headerTime: 1))
    let slow = try fixture.connect()
    try slow.send("GET / HTTP/1.1\r\nX: ")
    while (try? slow.send("a")) != nil { usleep(100_000) }
  }

  @Test("closes connections beyond its limit, and takes new ones when others have gone")
  func manyConnections() throws {
    let fixture = try WebFixture(limits: WebLimits(connections: 4))
    var held = try (0..<4).map { _ in try fixture.open() }
    for connection in held { _ = try connection.frame() }
    let fifth = try fixture.connect()
    fifth.end()
    held.removeAll()
    func isServed() -> Bool { (try? fixture.open().frame()) != nil }
    while !isServed() { usleep(1000) }
  }

  @Test("keeps places for newcomers, whoever holds silent connections, and its pages stay")
  func silentConnections() throws {
    let fixture = try WebFixture()
    let page = try fixture.open()
    _ = try page.frame()
    // More than there may be, of one address and of many.
    let silent = try (0..<100).map { _ in try fixture.connect() } + (2..<100).map { try fixture.connect(from: $0) }
    #expect(try fixture.open().frame().opcode == 1)
    #expect(try fixture.open(from: 200).frame().opcode == 1)
    try page.send(frame: #"{"id": 1, "do": "gain"}"#)
    #expect(try page.message(with: #""id": 1"#).contains("gain"))
    withExtendedLifetime(silent) {}
  }

  @Test("one address with many pages leaves places for others")
  func pagesOfOneAddress() throws {
    let fixture = try WebFixture(limits: WebLimits(connections: 8, connectionsOfOne: 4))
    let pages = try (0..<4).map { _ in try fixture.open() }
    for page in pages { _ = try page.frame() }
    try fixture.connect().end()
    #expect(try fixture.open(from: 2).frame().opcode == 1)
  }

  @Test("says that a page is too large, in place of a part of it")
  func pageLimit() throws {
    let data = NSTemporaryDirectory() + "synth-page-\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: data) }
    try FileManager.default.createDirectory(atPath: data + "/synth/web", withIntermediateDirectories: true)
    let path = data + "/synth/web/index.html"
    let directories = ResourceDirectories(environment: ["XDG_DATA_HOME": data], executable: nil)
    try Data(repeating: 0x20, count: 1 << 18).write(to: URL(filePath: path))
    #expect(try WebServer.standardPage(in: directories).count == 1 << 18)
    try Data(repeating: 0x20, count: 1 << 18 + 1).write(to: URL(filePath: path))
    #expect(throws: WebError.pageTooLarge(path, limit: 1 << 18)) { try WebServer.standardPage(in: directories) }
  }

  @Test("outlives upgrades to anything but a WebSocket", arguments: ["foo", "h2c", "websocket2", ""])
  func upgrades(to name: String) throws {
    let fixture = try WebFixture()
    for _ in 0..<20 {
      let connection = try fixture.connect()
      let request = WebConnection.request(
        "GET / HTTP/1.1", "Host: localhost", "Connection: Upgrade, HTTP2-Settings", "Upgrade: \(name)",
        "HTTP2-Settings: AAMAAABkAAQAAP__")
      try connection.send(request + request)
      #expect(connection.status() != 101)
    }
    #expect(try fixture.open().frame().opcode == 1)
  }

  @Test("says in a line which address it cannot have")
  func addresses() throws {
    let fixture = try WebFixture()
    let taken = WebAddress("127.0.0.1", fixture.port)
    #expect(throws: WebError.inUse(taken)) { try WebFixture(address: taken) }
    #expect(
      WebError.inUse(taken).description
        == "serving the page on \(taken): another program listens there; give another port, as in "
        + "127.0.0.1:\(fixture.port + 1)")
  }
}

/// Both, because a fixture that is let go ends its server.
struct Held<Value> {
  let fixture: WebFixture
  let value: Value
}

extension WebFixture {
  var connected: Held<WebConnection> { get throws { Held(fixture: self, value: try connect()) } }
  var opened: Held<WebConnection> { get throws { Held(fixture: self, value: try open()) } }
}
