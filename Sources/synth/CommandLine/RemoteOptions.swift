import SynthKit
import SynthRemote

/// Who may control the synthesizer from outside while it plays.
struct RemoteOptions {
  static let options: [Option] = [.socket, .osc] + WebOptions.options

  /// What is served, until it is stopped.
  struct Servers {
    fileprivate(set) var socket: SocketServer?
    fileprivate(set) var osc: OSCServer?
    fileprivate(set) var web: WebServer?
    fileprivate var opened: BrowserPage?

    /// A line for each.
    var addresses: [String] {
      [
        socket.map { "socket     \($0.path)" }, osc.map { "osc        \(RemoteOptions.words($0))" },
        web.map { "page       \($0.url)" },
      ].compactMap(\.self)
    }

    func stop() {
      socket?.stop()
      osc?.stop()
      web?.stop()
      opened?.close()
    }
  }

  /// Nil for the standard path.
  private let path: String?
  private let hasSocket: Bool
  private let osc: String?
  private let web: WebOptions?
  private let token: RemoteToken

  init(_ arguments: Arguments) throws(UsageError) {
    let word = arguments.last(.socket)
    if word == "" { throw .badValue(.socket, "\"\"", expected: "a path, or off") }
    hasSocket = word != "off"
    path = hasSocket ? word : nil
    osc = arguments.last(.osc)
    web = try WebOptions(arguments)
    token = RemoteToken(path: arguments.last(.webTokenFile))
  }

  /// Whether clients are expected: the socket at its standard path is there without being asked for.
  var isAskedFor: Bool { path != nil || osc != nil || web != nil }

  var isOn: Bool { hasSocket || osc != nil || web != nil }

  /// What was not asked for is no reason not to play.
  func serve(_ surface: ControlSurface) throws -> Servers {
    var servers = Servers()
    if let page = try web?.serve(surface, token) { (servers.web, servers.opened) = page }
    do throws(SocketError) {
      if hasSocket { servers.socket = try SocketServer(surface, at: path) }
    } catch {
      if path != nil { throw error }
      Terminal.tell("no socket  \(error)")
    }
    if let osc {
      let directory = try? SocketPath.directory(makesDirectory: true)
      let server = try OSCServer(
        surface, at: osc, token: try token.valueIfAny(), localPath: directory.map { $0 + "/synth.osc" })
      servers.osc = server
      Terminal.note("osc        \(Self.words(server))")
    }
    if let socket = servers.socket, path == nil, socket.path != (try? SocketPath.standard()) {
      Terminal.tell("socket     \(socket.path), because another synth plays")
    }
    return servers
  }

  private static func words(_ server: OSCServer) -> String {
    server.address + (server.localPath.map { ", and \($0) for this user's programs" } ?? "")
  }
}
