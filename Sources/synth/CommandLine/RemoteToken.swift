import Glibc
import SynthRemote

/// The token of the page and of OSC: from a file that is named, the environment, or the program's own file. It is no
/// option, because all users of a machine see each other's command lines.
final class RemoteToken {
  static let variable = "SYNTH_WEB_TOKEN"

  private let path: String?
  private var present: WebToken?

  /// - Parameter path: of the file that is named.
  init(path: String?) { self.path = path }

  /// Read, or made, when it is first asked for.
  func value() throws -> WebToken {
    if let present { return present }
    let token = try read()
    present = token
    return token
  }

  /// Nil where no token is given, and none can be kept.
  func valueIfAny() throws -> WebToken? {
    let isGiven = path != nil || getenv(Self.variable) != nil
    return isGiven ? try value() : try? value()
  }

  private func read() throws -> WebToken {
    if let path { return try WebToken(file: path) }
    guard let text = getenv(Self.variable).map({ String(cString: $0) }) else { return try WebToken.kept() }
    guard let token = WebToken(given: text) else {
      throw UsageError.missing("\(Self.variable) has no token; give \(WebToken.expected)")
    }
    return token
  }

  /// Where a person finds it.
  var place: String { present?.path ?? Self.variable }
}
