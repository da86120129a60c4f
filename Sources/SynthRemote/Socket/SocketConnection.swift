import Glibc
import SynthKit
import SynthRealtime
import SynthText

/// One client of a socket: lines come, lines go. On the server's thread.
final class SocketConnection {
  /// The longest line that a client may send, in bytes.
  static let lineLimit = 65536
  private static let pieceSize = 16384

  let descriptor: Int32
  private let client: SurfaceClient
  private let writer: LineWriter
  private var incoming: [UInt8] = []
  /// As many bytes are known to end no line.
  private var searched = 0
  private var outgoing: ArraySlice<UInt8> = []
  /// Since when a line has been incomplete, or what goes out has stood still.
  private var lineStart: UInt64?
  private var standstill: UInt64?
  /// Whether the client sends no more.
  private var hasEnded = false
  /// Whether it is disconnected once everything has gone out.
  private var isLeaving = false
  private(set) var isOver = false
  /// Whether nothing has been asked for yet.
  private(set) var isSilent = true

  init(_ descriptor: Int32, _ client: SurfaceClient, _ writer: LineWriter) {
    (self.descriptor, self.client, self.writer) = (descriptor, client, writer)
    send()
  }

  private var reads: Bool { !hasEnded && !isLeaving && client.mayAsk }

  var events: Int16 { (reads ? Int16(POLLIN) : 0) | (outgoing.isEmpty ? 0 : Int16(POLLOUT)) }

  /// Whether it is disconnected if nothing happens.
  var isWaiting: Bool { lineStart != nil || standstill != nil }

  func turn(_ events: Int16, patience: UInt64) {
    let now = HostClock.now
    if events & Int16(POLLIN) != 0 { receive(now) }
    // What goes out makes room for requests that have come already.
    repeat {
      if !isLeaving { ask() }
      send()
    } while outgoing.isEmpty && client.mayAsk && incoming.contains(0x0A)
    if let lineStart, now > lineStart + patience, !isLeaving { leave("a line has come in part only; send it whole") }
    let isStuck = standstill.map { now > $0 + patience } ?? false
    let isDone = outgoing.isEmpty && (isLeaving || hasEnded && incoming.isEmpty && client.isDone)
    let isBroken = events & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 && events & Int16(POLLIN) == 0
    if isStuck || isDone || isBroken || client.isClosed { end() }
  }

  func end() {
    guard !isOver else { return }
    isOver = true
    client.close()
    close(descriptor)
  }

  /// Says why to one that cannot be served, as far as it listens.
  static func refuse(_ descriptor: Int32, _ problem: String) {
    let line = Array(errorLine(problem).utf8)
    _ = Glibc.send(descriptor, line, line.count, Int32(MSG_NOSIGNAL))
    close(descriptor)
  }

  private func receive(_ now: UInt64) {
    var piece = [UInt8](repeating: 0, count: Self.pieceSize)
    let count = recv(descriptor, &piece, piece.count, 0)
    if count > 0 {
      incoming += piece[..<count]
    } else if count == 0 || errno != EAGAIN && errno != EINTR {
      hasEnded = true
      // What has no line feed is a line as well.
      if count == 0, !incoming.isEmpty, incoming.last != 0x0A { incoming.append(0x0A) }
    }
    if lineStart == nil, !incoming.isEmpty { lineStart = now }
  }

  /// Asks for what has come in whole lines, as much as the client may ask for.
  private func ask() {
    var start = 0
    while client.mayAsk, let end = incoming[max(start, searched)...].firstIndex(of: 0x0A) {
      let line = incoming[start..<end]
      (start, searched) = (end + 1, end + 1)
      // A line of nothing is what a person's terminal sends.
      guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) else { continue }
      guard line.count <= Self.lineLimit else { return leave("a line has more than \(Self.lineLimit) bytes") }
      isSilent = false
      guard client.ask(json: line) else { return leave(nil) }
    }
    incoming.removeFirst(start)
    searched = client.mayAsk ? incoming.count : 0
    if start > 0 { lineStart = nil }
    if incoming.isEmpty || !client.mayAsk { lineStart = nil } else if lineStart == nil { lineStart = HostClock.now }
    if incoming.count > Self.lineLimit + Self.pieceSize || searched > Self.lineLimit {
      leave("a line has more than \(Self.lineLimit) bytes")
    }
  }

  /// - Parameter problem: why; nil where the client has been told.
  private func leave(_ problem: String?) {
    takeLines(atMost: .max)
    if let problem { outgoing += Array(Self.errorLine("reading a request: \(problem)").utf8) }
    (isLeaving, incoming, lineStart, searched) = (true, [], nil, 0)
    send()
  }

  private static func errorLine(_ problem: String) -> String {
    JSONValue.object([("error", .string(problem))]).description + "\n"
  }

  private func takeLines(atMost bytes: Int) {
    while outgoing.count < bytes, let line = writer.line(for: client) { outgoing += Array("\(line)\n".utf8) }
  }

  private func send() {
    // The descriptor's number may be another file's by now.
    guard !isOver else { return }
    if !isLeaving { takeLines(atMost: Self.pieceSize) }
    while !outgoing.isEmpty {
      let count = outgoing.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else {
        if errno == EAGAIN || errno == EINTR { standstill = standstill ?? HostClock.now } else { end() }
        return
      }
      standstill = nil
      outgoing = outgoing.dropFirst(count)
      if !isLeaving { takeLines(atMost: Self.pieceSize) }
    }
    outgoing = []
    standstill = nil
  }
}
