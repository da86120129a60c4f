/// Why a kind of node was not found, not added, or no node of it made.
public enum ComponentError: Error, Equatable, Sendable, CustomStringConvertible {
  case malformed(String)
  case noMatch(ComponentDescription)
  /// No kind has this name; `near` are some that may be meant.
  case unknown(name: String, near: [String])
  case duplicate(component: String, of: String)
  case missing(component: String, property: CreationProperty)

  public var description: String {
    switch self {
    case .malformed(let text):
      "reading component \"\(text)\": give type, subtype and manufacturer in four characters each, or * for any, as in "
        + "aumx/mcmx/synt"
    case .noMatch(let description):
      "finding component \(description): none matches; `components` lists those there are"
    case .unknown(let name, let near):
      "finding component \"\(name)\": there is none of that name; "
        + (near.isEmpty ? "`components` lists those there are" : "did you mean \(near.quoted)?")
    case .duplicate(let component, let taken):
      "adding component \(component): \(taken) is there already; give it a subtype and a name of its own"
    case .missing(let component, let property):
      "making a \(component): \(property.name) is missing; give \(property.kind)"
    }
  }
}
