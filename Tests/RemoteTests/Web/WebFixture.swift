import AudioGraph
import Glibc
import Synchronization
import SynthKit
import SynthRealtime
import TestSupport

@testable import SynthRemote

/// A synthesizer without a device, its control surface, which a thread turns, and a server of a page.
final class WebFixture {
  static let page = "<!doctype html><style>b { color: red }</style><script>\"use strict\";</script>"

  let server: WebServer
  private let session: Session
  private let thread: WorkerThread
  private let isOver = Flag()

  init(
    token: String? = nil, address: WebAddress = WebAddress("127.0.0.1", 0), limits: WebLimits = WebLimits(),
    page: String = WebFixture.page
  ) throws {
    let synthesizer = try Synthesizer(SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont]))
    session = Session(synthesizer, output: PacedOutput())
    let surface = ControlSurface(
      SynthesizerControl(synthesizer, session: session), session: session, release: "1.2.3")
    try session.start()
    server = try WebServer(
      surface, at: address, token: token.flatMap { WebToken(given: $0) }, page: Array(page.utf8),
      limits: limits)
    thread = try WorkerThread(named: "surface") { [isOver] in
      while !isOver.isSet.load(ordering: .acquiring) {
        surface.wait(milliseconds: 10)
        surface.turn()
      }
    }
  }

  deinit {
    server.stop()
    isOver.isSet.store(true, ordering: .releasing)
    thread.join()
    try? session.stop()
  }

  var port: UInt16 { server.address.port }

  func connect() throws -> WebConnection { try WebConnection(to: port) }

  /// A WebSocket as the server's own page opens it.
  func open(token: String? = nil) throws -> WebConnection {
    let connection = try connect()
    try connection.send(WebConnection.handshake(port, token: token))
    _ = try connection.head()
    return connection
  }

  private final class Flag: Sendable {
    let isSet = Atomic(false)
  }
}
