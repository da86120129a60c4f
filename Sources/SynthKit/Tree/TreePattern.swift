import SynthMIDI

/// A path or the words of a command, with indices in place of what varies: "/CHANNEL/pan", "pan CHANNEL".
struct TreePattern: Sendable {
  enum Component: Sendable {
    case text(String)
    case index(TreeIndex)
  }

  let components: [Component]

  init(_ text: String) {
    components = text.split { $0 == "/" || $0 == " " }.map { word in
      TreeIndex(rawValue: String(word)).map { .index($0) } ?? .text(String(word))
    }
  }

  /// The indices of the pattern, in their order.
  var indices: [TreeIndex] { components.compactMap { if case .index(let index) = $0 { index } else { nil } } }

  /// The places that a path means; empty where it does not match.
  ///
  /// A component of the path may be `*`, which matches any name, or `{a,b}`, which matches either, as in the address
  /// patterns of Open Sound Control 1.0.
  ///
  /// - Parameters:
  ///   - buses: the names that such a component matches. One that is written out may also be that of no bus.
  ///   - isPrefix: whether the path need only match the first components.
  func matches(_ path: [String], buses: [String], isPrefix: Bool = false) -> [TreePlace] {
    let padding = [String](repeating: "*", count: isPrefix ? 2 * components.count : 0)
    var found = [(place: TreePlace(), rest: (path + padding)[...])]
    for component in components {
      found = found.flatMap { place, rest -> [(place: TreePlace, rest: ArraySlice<String>)] in
        guard let word = rest.first else { return [] }
        switch component {
        case .text(let text): return Self.matches(text, word) ? [(place, rest.dropFirst())] : []
        case .index(let index) where index.isStrip:
          return Self.strips(rest, buses).filter { index.accepts($0.strip) }.map { strip, rest in
            (TreePlace(strip: strip, number: place.number), rest)
          }
        case .index(let index):
          return index.numbers.map { TreePlace(strip: place.strip, number: $0) }
            .filter { Self.matches(index.path($0), word) }.map { ($0, rest.dropFirst()) }
        }
      }
    }
    return found.filter { $0.rest.count <= padding.count }.map(\.place)
  }

  /// The strips that a path begins with, and what is behind them.
  private static func strips(
    _ path: ArraySlice<String>, _ buses: [String]
  ) -> [(strip: Strip, rest: ArraySlice<String>)] {
    guard let root = path.first else { return [] }
    var found: [Strip] = []
    if let name = path.dropFirst().first {
      if matches("channel", root) {
        let channels = ChannelName.channel(name).map { [Int($0)] } ?? Array(0..<MIDIPorts.channelCount)
        found += channels.filter { channels.count == 1 || matches(ChannelName.text($0), name) }.map { .channel($0) }
      }
      if matches("bus", root) {
        let names = isPattern(name) ? buses.filter { matches($0, name) } : BusName.isValid(name) ? [name] : []
        found += names.map { .bus($0) }
      }
    }
    let roots = [Strip.microphone, .main].filter { matches($0.path, root) }
    return found.map { ($0, path.dropFirst(2)) } + roots.map { ($0, path.dropFirst()) }
  }

  /// The place that the words of a command mean; nil where they are another one's.
  func place(of words: [String]) -> TreePlace? {
    guard words.count == components.count else { return nil }
    var place = TreePlace()
    for (component, word) in zip(components, words) {
      switch component {
      case .text(let text): if text != word { return nil }
      case .index(let index):
        guard let found = index.place(of: word) else { return nil }
        if index.isStrip { place.strip = found.strip } else { place.number = found.number }
      }
    }
    return place
  }

  /// The path with something for each index: "/channel/3/level".
  func path(_ parts: [String]) -> String {
    var parts = parts[...]
    return components.map { component in
      if case .text(let text) = component { "/\(text)" } else { "/\(parts.popFirst() ?? "*")" }
    }.joined()
  }

  /// Patterns that match all nodes of the setting: "/channel/*/level", "/microphone/level".
  var wildPaths: [String] {
    indices.reduce([[String]]([[]])) { lists, index in lists.flatMap { list in index.wildcards.map { list + [$0] } } }
      .map(path)
  }

  /// Whether a component of a path, which may be a pattern, means a name.
  static func matches(_ name: String, _ pattern: String) -> Bool {
    if pattern == "*" || pattern == name { return true }
    guard pattern.hasPrefix("{"), pattern.hasSuffix("}") else { return false }
    return pattern.dropFirst().dropLast().split(separator: ",").contains { $0 == name }
  }

  /// Whether a path may mean several nodes.
  static func isPattern(_ path: String) -> Bool { path.contains { $0 == "*" || $0 == "{" } }
}
