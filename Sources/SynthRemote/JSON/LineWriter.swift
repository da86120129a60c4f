import SynthKit

/// Writes the news of all clients of a server as lines of JSON. What several are told is written once.
final class LineWriter {
  /// Meters of a few rates, and a change between them.
  private static let capacity = 4

  private var recent: [(news: SurfaceNews, seesPaths: Bool, line: String)] = []

  /// The next line for a client, without its end; nil for none.
  func line(for client: SurfaceClient) -> String? {
    guard let news = client.take() else { return nil }
    let asker = client.asker
    switch news {
    case .greeting, .answer, .state: return news.json(for: asker)
    case .change, .changed, .entry, .meters: break
    }
    if let known = recent.last(where: { $0.seesPaths == asker.seesPaths && $0.news == news }) { return known.line }
    let line = news.json(for: asker)
    recent = recent.suffix(Self.capacity - 1) + [(news, asker.seesPaths, line)]
    return line
  }
}
