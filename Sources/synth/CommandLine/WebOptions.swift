import SynthKit
import SynthRemote

/// The options of the web page.
struct WebOptions {
  static let options: [Option] = [.web, .webToken]

  private let address: WebAddress
  /// Nil for the one that is kept, where one is needed.
  private let given: WebToken?

  /// Nil where no page is wished for.
  init?(_ arguments: Arguments) throws(UsageError) {
    given = try arguments.last(.webToken).map { text throws(UsageError) in
      guard let token = WebToken(given: text) else { throw .badValue(.webToken, text, expected: WebToken.expected) }
      return token
    }
    guard let text = arguments.last(.web), text != "off" else { return nil }
    guard let address = ["", "on"].contains(text) ? WebAddress.standard : WebAddress(parsing: text) else {
      throw .badValue(.web, text, expected: WebAddress.expected)
    }
    self.address = address
  }

  /// Whether a word after `--web` is its value, and no song.
  static func isValue(_ word: String) -> Bool { ["on", "off"].contains(word) || WebAddress(parsing: word) != nil }

  func serve(_ surface: ControlSurface) throws -> WebServer {
    let token = try given ?? (address.isLoopback ? nil : WebToken(keptIn: WebToken.standardDirectory))
    let server = try WebServer(surface, at: address, token: token, page: try WebServer.standardPage())
    Terminal.note("page       \(server.url)\(Self.words(for: token))")
    return server
  }

  /// A token is told once, when it is made.
  private static func words(for token: WebToken?) -> String {
    guard let token else { return "" }
    guard let path = token.path else { return ", with the token that was given" }
    return token.isNew ? "#token=\(token.text)\n           the token is kept in \(path)" : ", with the token in \(path)"
  }
}
