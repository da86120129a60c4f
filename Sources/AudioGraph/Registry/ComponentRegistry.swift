import SynthText

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
    let taken = components.first {
      $0.name == component.name || !Set($0.descriptions).isDisjoint(with: component.descriptions)
    }
    if let taken { throw .duplicate(component: component.identity, of: taken.identity) }
    components.append(component)
  }

  /// The kinds a description matches.
  public func components(matching description: ComponentDescription) -> [Component] {
    components.filter { $0.descriptions.contains(where: description.matches) }
  }

  /// The first kind a description matches.
  public func component(matching description: ComponentDescription) throws(ComponentError) -> Component {
    guard let found = components(matching: description).first else { throw .noMatch(description) }
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

/// Why a kind of node was not found, not added, or no node of it made.
public enum ComponentError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A text that is no description of a kind.
  case malformed(String)
  /// No kind fits the description.
  case noMatch(ComponentDescription)
  /// No kind has this name; `near` are some that may be meant.
  case unknown(name: String, near: [String])
  /// Two kinds would have one description or one name.
  case duplicate(component: String, of: String)
  /// No node of the kind can be made without this property.
  case missing(component: String, property: CreationProperty)

  public var description: String {
    switch self {
    case .malformed(let text):
      "reading component \"\(text)\": give type, subtype and manufacturer in four characters each, or * for any, as in "
        + "aumx/mcmx/synt"
    case .noMatch(let description):
      "finding component \(description): none matches; `components` lists those there are"
    case .unknown(let name, let near):
      "finding component \"\(name)\": unknown component; "
        + (near.isEmpty ? "`components` lists those there are" : "did you mean \(near.quoted)?")
    case .duplicate(let component, let taken):
      "adding component \(component): \(taken) is there already; give it a subtype and a name of its own"
    case .missing(let component, let property):
      "making a \(component): \(property.name) is missing; give \(property.kind)"
    }
  }
}
