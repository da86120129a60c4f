import Text

/// The kinds of node there are: listed, found, and made without knowing their classes.
///
/// A value: who has kinds of their own adds them to a copy.
public struct ComponentRegistry: Sendable {
  /// In the order in which they were added.
  public private(set) var components: [Component] = []

  /// - Throws: `ComponentError.duplicate` when two have the same description or the same name.
  public init(_ components: [Component]...) throws(ComponentError) {
    for component in components.joined() { try add(component) }
  }

  /// Adds a kind.
  public mutating func add(_ component: Component) throws(ComponentError) {
    let taken = components.first { $0.description == component.description || $0.name == component.name }
    if let taken { throw .duplicate(component: component.identity, of: taken.identity) }
    components.append(component)
  }

  /// The kinds a description matches.
  public func components(matching description: ComponentDescription) -> [Component] {
    components.filter { description.matches($0.description) }
  }

  /// The first kind a description matches.
  public func component(matching description: ComponentDescription) throws(ComponentError) -> Component {
    guard let found = components.first(where: { description.matches($0.description) }) else {
      throw .noMatch(description)
    }
    return found
  }

  /// The kind that people call so.
  public func component(named name: String) throws(ComponentError) -> Component {
    if let component = components.first(where: { $0.name == name }) { return component }
    throw .unknown(name: name, near: EditDistance.near(to: name, among: components.map(\.name)))
  }
}

extension Component {
  /// For errors: "mixer (aumx/mcmx/synt)".
  fileprivate var identity: String { "\(name) (\(description))" }
}
