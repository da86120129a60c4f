import AudioGraph
import Glibc
import Synchronization
import SynthKit
import SynthRealtime
import TestSupport

@testable import SynthRemote

/// A synthesizer without a device, its control surface, which a thread turns, and a server of a page.
final class WebFixture {
  static let token = WebToken(given: "a-secret-of-tests")!
  static let page = "<!doctype html><style>b { color: red }</style><script>\"use strict\";</script>"

  let server: WebServer
  private let session: Session
  private let thread: WorkerThread
  private let isOver = Flag()

  init(
    address: WebAddress = WebAddress("127.0.0.1", 0), limits: WebLimits = WebLimits(),
    page: String = WebFixture.page
  ) throws {
    let synthesizer = try Synthesizer(SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont]))
    session = Session(synthesizer, output: PacedOutput())
    let surface = ControlSurface(
      SynthesizerControl(synthesizer, session: session), session: session, release: "1.2.3")
    try session.start()
    server = try WebServer(
      surface, at: address, token: Self.token, page: Array(page.utf8), limits: limits)
    thread = try WorkerThread(named: "surface") { [isOver] in
      let loop = ControlLoop()
      loop.add(surface)
      try? loop.run { !isOver.isSet.load(ordering: .acquiring) }
    }
  }

  deinit {
    server.stop()
    isOver.isSet.store(true, ordering: .releasing)
    thread.join()
    try? session.stop()
  }

  var port: UInt16 { server.address.port }

  /// - Parameter source: the last number of the address in 127.0.0.0/24 that it comes from.
  func connect(from source: UInt8 = 1) throws -> WebConnection { try WebConnection(to: port, from: source) }

  /// A WebSocket as the server's own page opens it.
  func open(from source: UInt8 = 1) throws -> WebConnection {
    let connection = try connect(from: source)
    try connection.send(WebConnection.handshake(port, token: Self.token.text))
    _ = try connection.head()
    return connection
  }

  private final class Flag: Sendable {
    let isSet = Atomic(false)
  }
}
