@preconcurrency import Glibc
import SynthFiles
import SynthKit
import SynthRealtime

/// Serves the web page, and the control surface's lines through a WebSocket, on a thread that has nothing to do with
/// audio. By libwebsockets.
public final class WebServer: Sendable {
  /// Where it is served, with the port that was chosen.
  public let address: WebAddress
  private let service: WebService
  private let thread: WorkerThread

  /// Begins to serve. [control thread]
  ///
  /// - Parameters:
  ///   - token: what browsers have to give. On loopback too, which is open to all users of the machine.
  ///   - page: in HTML, with one script and one style; see `standardPage`.
  public convenience init(
    _ surface: ControlSurface, at address: WebAddress, token: WebToken, page: [UInt8]
  ) throws(WebError) {
    try self.init(surface, at: address, token: token, page: page, limits: WebLimits())
  }

  init(
    _ surface: ControlSurface, at address: WebAddress, token: WebToken, page: [UInt8], limits: WebLimits
  ) throws(WebError) {
    let service = try WebService(surface, address, WebGate(token: token), WebPage(page), limits)
    self.service = service
    self.address = WebAddress(address.address, service.port)
    do {
      thread = try WorkerThread(named: "synth web", stackSize: WorkerThread.smallStack) { service.run() }
    } catch {
      service.destroy()
      throw .refused(address, "\(error)")
    }
  }

  /// Closes all connections and ends the thread. Once. [control thread]
  public func stop() {
    service.stop()
    thread.join()
  }

  /// The page among the program's files: "web/index.html" in its data. [control thread]
  public static func standardPage(in directories: ResourceDirectories = .current) throws(WebError) -> [UInt8] {
    let places = directories.all("web")
    for place in places {
      do throws(FileProblem) {
        let page = try OutsideFile(path: "\(place)/index.html").bytes(limit: sizeLimit)
        if !page.isEmpty { return page }
      } catch {
        if case .tooLarge = error { throw .pageTooLarge("\(place)/index.html", limit: sizeLimit) }
      }
    }
    throw .noPage(places)
  }

  private static let sizeLimit = 1 << 18

  /// The address to open, without the token. Where all addresses are served, one by which others reach this machine.
  public var url: String {
    "http://\(HostAndPort.bracketed(address.isEverywhere ? reachable : address.address)):\(address.port)/"
  }

  /// An address by which others can reach this machine.
  private var reachable: String {
    // The first of its networks.
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return WebGate.machineName }
    defer { freeifaddrs(list) }
    var entry = list
    while let present = entry?.pointee {
      entry = present.ifa_next
      let isUsable = present.ifa_flags & UInt32(IFF_UP) != 0 && present.ifa_flags & UInt32(IFF_LOOPBACK) == 0
      guard isUsable, let socket = present.ifa_addr, socket.pointee.sa_family == AF_INET else { continue }
      var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      let size = socklen_t(MemoryLayout<sockaddr_in>.size)
      guard getnameinfo(socket, size, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 else { continue }
      return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    return WebGate.machineName
  }
}

/// What a server takes.
struct WebLimits: Sendable {
  /// How many there may be at a time.
  var connections: Int32 = 64
  /// Of one address.
  var connectionsOfOne: Int32 = 32
  /// Seconds in which headers have to be complete.
  var headerTime: Int32 = 10
  /// Of a message, in bytes: as long as a line of the control protocol.
  var message = 65536
}

/// Why the page cannot be served.
public enum WebError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The system refuses the address, for a reason in its words.
  case refused(WebAddress, String)
  /// Another program listens at the address.
  case inUse(WebAddress)
  /// The file of the token cannot be used.
  case token(String, String)
  /// libwebsockets is not installed.
  case noLibrary
  /// The page at a path has more bytes than a limit.
  case pageTooLarge(String, limit: Int)
  /// There is no page among the program's files.
  case noPage([String])

  public var description: String {
    switch self {
    case .refused(let address, let reason): "serving the page on \(address): \(reason); give \(WebAddress.expected)"
    case .inUse(let address):
      "serving the page on \(address): another program listens there; give another port, as in "
        + "\(WebAddress(address.address, address.port &+ 1))"
    case .token(let path, let problem): "reading the page's token in \(path): \(problem)"
    case .pageTooLarge(let path, let limit):
      "serving the page: \(path) has more than \(limit) bytes; run make install"
    case .noLibrary: "serving the page: libwebsockets cannot be loaded; install the package libwebsockets17"
    case .noPage(let places):
      "serving the page: there is no index.html in \(places.joined(separator: ", ")); run make install"
    }
  }
}
