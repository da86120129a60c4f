/// Why a property was not found, or not set. It is then as it was.
public enum PropertyError: Error, Equatable, Sendable, CustomStringConvertible {
  /// No property of the node has this name; `near` are some that may be meant.
  case unknown(node: String, name: String, near: [String])
  case readOnly(node: String, name: String)
  /// It can be set only while the engine does not run.
  case running(node: String, name: String)
  case wrongValue(node: String, name: String, value: String, kind: PropertyKind)

  public var description: String {
    switch self {
    case .unknown(let node, let name, let near):
      "finding property \"\(name)\" of \(node): there is none of that name; "
        + (near.isEmpty ? "its properties are listed in `properties`" : "did you mean \(near.quoted)?")
    case .readOnly(let node, let name):
      "setting \(name) of \(node): it was decided when the node was made; make another node"
    case .running(let node, let name):
      "setting \(name) of \(node): the engine is running; stop it first"
    case .wrongValue(let node, let name, let value, let kind):
      "setting \(name) of \(node) to \(value): it takes \(kind)"
    }
  }
}
