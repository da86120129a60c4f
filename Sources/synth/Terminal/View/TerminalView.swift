import SynthKit

/// The view in place of the last line: a client of the control surface, as the web page is one.
struct TerminalView {
  /// So many times a second.
  private static let rate = 15

  /// Whether a person wants to see it.
  var isWanted: Bool
  private let surface: ControlSurface
  private var client: SurfaceClient?
  private var state = ViewState()
  private var painter = ScreenPainter()

  init(_ surface: ControlSurface, isWanted: Bool) { (self.surface, self.isWanted) = (surface, isWanted) }

  /// Draws what has changed; false where the last line is to be shown instead: the view is not wanted, there is no room
  /// for it, or another program has the terminal.
  mutating func draw(typed: String?, words: StatusLine?) -> Bool {
    guard isWanted, Screen.isPossible, KeyMode.isForeground, let size = Terminal.size, ViewPage.fits(size), connect()
    else {
      close()
      return false
    }
    while let news = client?.take() { state.take(news) }
    guard state.isKnown else { return false }
    Terminal.hold()
    let page = ViewPage(state: state, news: Terminal.latest, typed: typed, words: words)
    painter.paint(page.lines(for: size), cursor: page.cursor(for: size), size: size)
    return true
  }

  /// Goes back to where the program was started, and tells there what has been told meanwhile.
  mutating func close() {
    client?.close()
    (client, state) = (nil, ViewState())
    Terminal.release()
  }

  /// One that was dropped, because the program was stopped for a while, comes again.
  private mutating func connect() -> Bool {
    if client?.isClosed == false { return true }
    client = try? surface.connect(named: "view", as: .owner) {}
    client?.ask(.subscribe(SurfaceSubscription(isToState: true, meterRate: Self.rate)))
    return client != nil
  }
}
