import SynthKit
import SynthRemote

/// The options of the web page.
struct WebOptions {
  static let options: [Option] = [.web, .webTokenFile, .open]

  private let address: WebAddress
  private let opens: Bool

  /// Nil where no page is wished for.
  init?(_ arguments: Arguments) throws(UsageError) {
    opens = arguments.has(.open)
    guard let text = arguments.last(.web) ?? (opens ? "on" : nil), text != "off" else { return nil }
    guard let address = ["", "on"].contains(text) ? WebAddress.standard : WebAddress(parsing: text) else {
      throw .badValue(.web, text, expected: WebAddress.expected)
    }
    self.address = address
  }

  /// Whether a word after `--web` is its value, and no song.
  static func isValue(_ word: String) -> Bool { ["on", "off"].contains(word) || WebAddress(parsing: word) != nil }

  func serve(_ surface: ControlSurface, _ token: RemoteToken) throws -> (server: WebServer, opened: BrowserPage?) {
    let server = try WebServer(surface, at: address, token: try token.value(), page: try WebServer.standardPage())
    let link = "\(server.url)#token=\(try token.value().text)"
    // Others may read a log, or the journal.
    Terminal.note("page       \(Terminal.isInteractive ? link : "\(server.url), with the token in \(token.place)")")
    return (server, opens ? Self.show(link) : nil)
  }

  /// A desktop without a browser is no reason not to play.
  private static func show(_ link: String) -> BrowserPage? {
    do throws(BrowserError) {
      return try BrowserPage(opening: link)
    } catch {
      Terminal.warn("\(error)")
      return nil
    }
  }
}
