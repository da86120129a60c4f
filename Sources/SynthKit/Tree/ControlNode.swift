import AudioGraph
import SynthDSP
import SynthText

/// A node of the control tree: one thing that can be read or set, found by its path.
///
/// A node whose `parameter` is not nil is atomic: any thread may read and set it. All others belong to the thread that
/// owns the synthesizer.
package struct ControlNode {
  /// "/channel/3/level"
  package let path: String
  /// What it is, in a line; nil where its name says it all.
  package let summary: String?
  /// The least asker that may set it. All may read it.
  package let by: Asker
  /// What it may be set to.
  package let kind: PropertyKind
  /// Nil for a property.
  package let parameter: Parameter?
  /// Whether it can only be read.
  let isFixed: Bool
  /// As errors call it: "level", "set reverb time".
  let label: String
  /// What a value of a choice is called in errors.
  let noun: String
  let title: NodeValue.Title
  /// The names of node and parameter that protocol 1 has for it; nil for a node that is not of the graph.
  let names: (node: String, name: String)?
  private let read: () -> PropertyValue
  private let write: (PropertyValue) throws -> Void
  private let textOf: (PropertyValue) -> String

  /// A property.
  init(
    _ path: String, _ summary: String?, by: Asker, kind: PropertyKind, isFixed: Bool = false, label: String,
    noun: String = "value", title: NodeValue.Title = .init(), names: (node: String, name: String)? = nil,
    read: @escaping () -> PropertyValue, write: @escaping (PropertyValue) throws -> Void,
    text: ((PropertyValue) -> String)? = nil
  ) {
    (self.path, self.summary, self.by, self.kind, self.isFixed) = (path, summary, by, kind, isFixed)
    (self.label, self.noun, self.title, self.names) = (label, noun, title, names)
    (self.read, self.write, textOf, parameter) = (read, write, text ?? kind.text, nil)
  }

  /// A parameter.
  package init(
    _ path: String, _ parameter: Parameter, _ summary: String? = nil, by: Asker = .network, label: String,
    title: NodeValue.Title = .init(), names: (node: String, name: String)? = nil,
    text: ((PropertyValue) -> String)? = nil
  ) {
    (self.path, self.summary, self.by, isFixed) = (path, summary, by, false)
    (self.label, noun, self.title, self.names) = (label, "value", title, names)
    (self.parameter, kind) = (parameter, parameter.kind)
    read = { parameter.propertyValue }
    write = { parameter.set($0) }
    textOf = text ?? kind.text
  }

  /// The present value.
  package var value: PropertyValue { read() }

  /// The value and its text, for answers.
  package var present: NodeValue {
    let value = read()
    return NodeValue(path: path, value: value, text: textOf(value), label: label, title: title)
  }

  /// What clients of a control surface see of it.
  var shown: SurfaceNode {
    let present = present
    let isNumber = if case .number = kind { true } else { false }
    return SurfaceNode(
      path: path, node: names?.node, name: names?.name, kind: kind, value: present.value, text: present.text,
      initialValue: isNumber ? parameter.map { $0.defaultValue.decimal } : nil, isFixed: isFixed,
      summary: summary, by: by)
  }

  /// What it may be set to, in words: "a number from −120 to 24 dB".
  var expected: String { kind == .bool ? "on or off" : "\(kind)" }

  /// Finds out whether an asker may set it.
  func authorize(_ asker: Asker) throws(SynthesizerCommandError) {
    guard asker >= by else { throw asker.refusal(of: label, least: by) }
  }

  /// The value that a text says, as it would be typed.
  func value(parsing text: String) throws(SynthesizerCommandError) -> PropertyValue {
    // What can never be set says so itself.
    if let value = kind.value(parsing: text) ?? (isFixed ? .text(text) : nil) { return value }
    guard case .choice(let names) = kind else {
      throw .badValue(text, command: label, problem: "give \(expected)")
    }
    let near = EditDistance.nearest(to: text, among: names)
    throw .unknownName(text, kind: noun, command: label, nearest: near, known: names)
  }

  /// Sets it to what a text says.
  package func set(_ text: String) throws(SynthesizerCommandError) {
    let value = try value(parsing: text)
    do {
      try write(value)
    } catch let error as SynthesizerCommandError {
      throw error
    } catch {
      throw .refused("\(error)")
    }
  }
}

extension [ControlNode] {
  /// Sets all of them to what a text says, or none.
  func set(_ text: String, as asker: Asker) throws(SynthesizerCommandError) {
    for node in self {
      try node.authorize(asker)
      _ = try node.value(parsing: text)
    }
    for node in self { try node.set(text) }
  }
}

extension Parameter {
  /// What it may be set to.
  var kind: PropertyKind {
    switch unit {
    case .toggle: .bool
    case .index(let names): .choice(names)
    default: .number(range.lowerBound.decimal...range.upperBound.decimal, unit: unit)
    }
  }

  var propertyValue: PropertyValue {
    switch unit {
    case .toggle: .bool(value != 0)
    case .index: .text(unit.text(value))
    default: .number(value.decimal)
    }
  }

  func set(_ value: PropertyValue) {
    switch (unit, value) {
    case (.toggle, .bool(let isOn)): self.value = isOn ? 1 : 0
    case (.index(let names), .text(let name)): if let index = names.firstIndex(of: name) { self.value = Float(index) }
    default: if let number = value.number { self.value = Float(number) }
    }
  }
}

extension PropertyKind {
  /// A value as people read it; levels with one decimal.
  fileprivate func text(_ value: PropertyValue) -> String {
    switch (self, value.number) {
    case (.number(_, .decibels), let level?): "\(Decibels(level).figure(decimals: 1)) dB"
    case (.number(_, let unit), let number?): unit.text(Float(number))
    default: "\(value)"
    }
  }
}
