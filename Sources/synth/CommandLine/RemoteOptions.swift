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

    /// A line for each.
    var addresses: [String] {
      [
        socket.map { "socket     \($0.path)" }, osc.map { "osc        \($0.address)" },
        web.map { "page       \($0.url)" },
      ].compactMap(\.self)
    }

    func stop() {
      socket?.stop()
      osc?.stop()
      web?.stop()
    }
  }

  /// Nil for the standard path.
  private let path: String?
  private let hasSocket: Bool
  private let osc: String?
  private let web: WebOptions?

  init(_ arguments: Arguments) throws(UsageError) {
    let word = arguments.last(.socket)
    if word == "" { throw .badValue(.socket, "\"\"", expected: "a path, or off") }
    hasSocket = word != "off"
    path = hasSocket ? word : nil
    osc = arguments.last(.osc)
    web = try WebOptions(arguments)
  }

  var isOn: Bool { hasSocket || osc != nil || web != nil }

  /// What was not asked for is no reason not to play.
  func serve(_ surface: ControlSurface) throws -> Servers {
    var servers = Servers()
    servers.web = try web?.serve(surface)
    do throws(SocketError) {
      if hasSocket { servers.socket = try SocketServer(surface, at: path) }
    } catch {
      if path != nil { throw error }
      Terminal.tell("no socket  \(error)")
    }
    if let osc {
      let server = try OSCServer(surface, at: osc)
      servers.osc = server
      Terminal.note("osc        \(server.address)")
    }
    if let socket = servers.socket, path == nil, socket.path != (try? SocketPath.standard()) {
      Terminal.tell("socket     \(socket.path), because another synth plays")
    }
    return servers
  }
}
