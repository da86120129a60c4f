/// A kind of node as the registry knows it, and how one is made.
public struct Component: Sendable {
  /// Complete: nothing is left out.
  public let description: ComponentDescription
  /// Other subtypes it is found by: what Audio Units call such a kind.
  public let aliases: [FourCharacterCode]
  /// What people call the kind: "mixer".
  public let name: String
  /// What it does, in one line.
  public let summary: String
  /// What a node of the kind is made from. Other properties are set once it is made.
  public let creation: [CreationProperty]
  private let create: @Sendable (CreationValues) throws -> any AudioNode

  /// The manufacturer of the package's own nodes.
  public static let manufacturer: FourCharacterCode = "synt"

  /// - Parameters:
  ///   - create: gets values of the right kinds; those that are required are there.
  public init(
    _ type: ComponentType, _ subtype: FourCharacterCode, aliases: [FourCharacterCode] = [],
    manufacturer: FourCharacterCode = manufacturer, name: String, summary: String, creation: [CreationProperty] = [],
    create: @escaping @Sendable (CreationValues) throws -> any AudioNode
  ) {
    description = ComponentDescription(type: type.code, subtype: subtype, manufacturer: manufacturer)
    self.aliases = aliases
    self.name = name
    self.summary = summary
    self.creation = creation
    self.create = create
  }

  /// Its description, and the same with each alias.
  var descriptions: [ComponentDescription] {
    [description]
      + aliases.map {
        ComponentDescription(type: description.type, subtype: $0, manufacturer: description.manufacturer)
      }
  }

  /// Makes a node. [control thread]
  ///
  /// - Parameter values: by the names of properties, both those it is made from and those that can be set.
  /// - Throws: `ComponentError.missing`, `PropertyError`, or the node's own error.
  public func make(_ values: [String: PropertyValue] = [:]) throws -> any AudioNode {
    try make(values, named: name)
  }

  /// - Parameter nodeName: what the node is called, where it is an effect.
  package func make(_ values: [String: PropertyValue], named nodeName: String) throws -> any AudioNode {
    var given = CreationValues(name: nodeName)
    for property in creation {
      guard let value = values[property.name] else {
        if property.isRequired { throw ComponentError.missing(component: name, property: property) }
        continue
      }
      guard let accepted = property.kind.accept(value) else {
        throw PropertyError.wrongValue(node: name, name: property.name, value: "\(value)", kind: property.kind)
      }
      given.values[property.name] = accepted
    }
    let node = try create(given)
    let rest = values.filter { given.values[$0.key] == nil }
    for name in rest.keys.sorted() { _ = try node.property(named: name) }
    // In the node's order: a channel map is for so many channels.
    for property in node.properties { if let value = rest[property.name] { try property.set(value) } }
    return node
  }
}

/// Something a node is made from.
public struct CreationProperty: Sendable, Hashable {
  /// Of all properties of the kind, no other has the same.
  public let name: String
  /// What it may be.
  public let kind: PropertyKind
  /// Whether no node can be made without; else the node has a default.
  public let isRequired: Bool

  public init(_ name: String, kind: PropertyKind, isRequired: Bool = false) {
    self.name = name
    self.kind = kind
    self.isRequired = isRequired
  }
}

/// What was given to make a node from; of the right kinds.
public struct CreationValues: Sendable {
  /// What the node is to be called.
  package let name: String
  fileprivate(set) var values: [String: PropertyValue] = [:]

  /// Nil if it was not given.
  public subscript(property: CreationProperty) -> PropertyValue? { values[property.name] }
}

extension Property {
  /// What the node was made from, to be read only.
  public init(_ creation: CreationProperty, of node: any AudioNode, read: @escaping @Sendable () -> PropertyValue) {
    self.init(creation.name, of: node, kind: creation.kind, read: read)
  }
}
