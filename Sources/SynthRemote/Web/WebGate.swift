import Glibc

/// Who may read the page, and who may drive the synthesizer through it.
///
/// A browser says in `Host` by which name it reached the server, and in `Origin` whose page opens a WebSocket. The page
/// of another site has another origin. One whose name was made to resolve to this machine (DNS rebinding) has that name
/// in both, so the name has to be one that only this machine's owner can have chosen.
struct WebGate: Sendable {
  /// The subprotocol of the WebSocket. The token is offered beside it, as "token." and the token: a browser lets pages
  /// set no other header, and an address would stay in histories.
  static let protocolName = "synth.1"
  static let path = "/socket"

  let token: WebToken
  /// The machine's name, in small letters.
  let machine: String

  struct Request {
    var path = "/"
    var host = ""
    var origin = ""
    var protocols = ""
    var isWebSocket = false
  }

  struct Refusal: Equatable {
    let status: Int32
    let reason: StaticString

    static func == (one: Refusal, other: Refusal) -> Bool { one.status == other.status }
  }

  init(token: WebToken, machine: String = Self.machineName) {
    self.token = token
    self.machine = machine.lowercased()
  }

  /// Why a request is refused; nil where it is not.
  func refusal(of request: Request) -> Refusal? {
    guard isOwnName(request.host) else {
      return Refusal(status: 403, reason: "Open the page by the address of this machine, or by its name.")
    }
    guard request.path == (request.isWebSocket ? Self.path : "/") else {
      return Refusal(status: 404, reason: "The page is at /.")
    }
    guard request.isWebSocket else { return nil }
    guard ["http://\(request.host)", "https://\(request.host)"].contains(request.origin) else {
      return Refusal(status: 403, reason: "Only the page of this server may connect.")
    }
    let offered = request.protocols.split { $0 == "," || $0 == " " }
    guard offered.contains(Self.protocolName[...]) else {
      return Refusal(status: 400, reason: "The subprotocol is synth.1.")
    }
    let given = offered.first { $0.hasPrefix("token.") }?.dropFirst(6) ?? ""
    return token.matches(given) ? nil : Refusal(status: 401, reason: "The token is missing or wrong.")
  }

  /// Any port: there may be a tunnel.
  private func isOwnName(_ host: String) -> Bool {
    guard let name = HostAndPort.split(host)?.name.lowercased() else { return false }
    return HostAndPort.isAddress(name) || ["localhost", machine, "\(machine).local"].contains(name)
  }

  static var machineName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
    return name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
  }
}
