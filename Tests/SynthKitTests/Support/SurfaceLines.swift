import SynthKit
import SynthRemote
import SynthText

// Requests and news as programs outside send and get them: JSON.

extension SurfaceClient {
  @discardableResult func ask(_ line: String) -> Bool { ask(json: line.utf8) }

  /// The next line; nil for none.
  func line() -> String? { take()?.json(for: asker) }

  /// The next line, read; null for none.
  func next() throws -> JSONValue { try JSONValue(parsing: Array((line() ?? "null").utf8)) }
}

extension ControlSurface {
  /// The state, as clients get it.
  func state() throws -> JSONValue? {
    try JSONValue(parsing: Array(SurfaceNews.state(present).json(for: .owner).utf8))["state"]
  }
}
