import SynthText

extension AudioNode {
  /// The parameter of a name, for code that does not know the node's type.
  public func parameter(named name: String) throws(ParameterError) -> Parameter {
    let parameters = parameters
    if let parameter = parameters.first(where: { $0.name == name }) { return parameter }
    throw .unknown(node: self.name, name: name, near: EditDistance.near(to: name, among: parameters.map(\.name)))
  }
}

/// Why a parameter was not found, or a change of it not taken.
public enum ParameterError: Error, Equatable, Sendable, CustomStringConvertible {
  /// No parameter of the node has this name; `near` are some that may be meant.
  case unknown(node: String, name: String, near: [String])
  /// The value or time given is no number, and was not taken.
  case notANumber(parameter: String)
  /// No node of the engine's graph has the parameter.
  case notInGraph(parameter: String)
  /// As many changes wait for their time as there is room for.
  case scheduleFull(parameter: String, waiting: Int, capacity: Int)

  public var description: String {
    switch self {
    case .unknown(let node, let name, let near):
      "finding parameter \"\(name)\" of \(node): unknown parameter; "
        + (near.isEmpty ? "its parameters are listed in `parameters`" : "did you mean \(near.quoted)?")
    case .notANumber(let parameter):
      "scheduling \(parameter): the value is no number; give one in its range"
    case .notInGraph(let parameter):
      "scheduling \(parameter): no node of this engine has it; attach its node, or call the engine that has it"
    case .scheduleFull(let parameter, let waiting, let capacity):
      "scheduling \(parameter): \(waiting) changes wait already, there is room for \(capacity); wait until some are done, "
        + "or make the engine with a larger scheduleCapacity"
    }
  }
}

extension [String] {
  /// `"a"`, or `"a" or "b"`, or `"a", "b" or "c"`.
  var quoted: String {
    let names = map { "\"\($0)\"" }
    guard names.count > 1 else { return names.joined() }
    return names.dropLast().joined(separator: ", ") + " or " + names[names.count - 1]
  }
}
