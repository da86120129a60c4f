import SynthText

extension GraphDescription {
  /// For people, within 80 columns: a paragraph for each node, with its buses, what they are connected to, their
  /// formats and buffers, and what it is set to. Nodes that the graph brought by itself are called automatic.
  public var text: String {
    let rows = nodes.map { GraphRow.rows(of: $0, in: self) }
    let widths = GraphRow.widths(of: rows.flatMap(\.self))
    var lines = TextLines()
    lines.add(summary)
    if let fault { lines.add(wrapped: ["not ready: \(fault)"], indent: 0) }
    for (index, node) in nodes.enumerated() {
      if !node.isRendered, fault == nil, sampleRate != nil, index == 0 || nodes[index - 1].isRendered {
        lines.add("")
        lines.add("not rendered, as nothing pulls it:")
      }
      lines.add("")
      lines.add(title(of: node, number: index + 1))
      for row in rows[index] { lines.add(row.text(widths)) }
      lines.add(wrapped: node.settings, indent: 2)
    }
    return lines.text
  }

  private var summary: String {
    let connections = nodes.reduce(0) { $0 + $1.inputs.count { $0.source != nil } }
    let parts = [
      sampleRate.map { "\(NumberFormatting.text($0)) Hz" },
      NumberFormatting.count(nodes.count, "node", "nodes"),
      NumberFormatting.count(connections, "connection", "connections"),
      bufferCount.map { NumberFormatting.count($0, "buffer", "buffers") },
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }

  private func title(of node: Node, number: Int) -> String {
    let isPlain = node.kind.lowercased() == node.name.filter { $0 != " " }.lowercased() + "node"
    let delayed = node.takesInputAfter.map { "takes its input after \($0 + 1) \(nodes[$0].name)" }
    let remarks = [isPlain ? nil : node.kind, node.isImplicit ? "automatic" : nil, delayed].compactMap(\.self)
    return "\(number) \(node.name)" + (remarks.isEmpty ? "" : " (\(remarks.joined(separator: ", ")))")
  }
}

extension GraphDescription.Node {
  /// Its properties, and those of its parameters that name something, or that somebody has changed.
  var settings: [String] {
    properties.filter { $0.access != .measured }.map(\.summary)
      + parameters.filter { $0.unit.isIndex || !$0.isDefault }.map { "\($0.name) \($0.unit.text($0.value))" }
  }
}

extension Property {
  /// As its description; of a long list of names only how many there are.
  fileprivate var summary: String {
    if let names = value.list, names.count > 16, names[0].text != nil { return "\(name) \(names.count)" }
    return description
  }
}

/// One line of a node's buses: "out 0–15  → 2 mixer 0–15  stereo  buffers 0–15".
struct GraphRow {
  private let cells: [String]

  static func rows(of node: GraphDescription.Node, in graph: GraphDescription) -> [GraphRow] {
    BusRun.inputs(of: node).map { GraphRow($0, "in", "←", "nothing", graph) }
      + BusRun.outputs(of: node).map { GraphRow($0, "out", "→", node.isOutput ? "device" : "nothing", graph) }
  }

  private init(_ run: BusRun, _ scope: String, _ arrow: String, _ nobody: String, _ graph: GraphDescription) {
    var peer = nobody
    if let end = run.peer, let buses = run.peerBuses {
      let node = graph.nodes[end.node]
      // Where there is but one bus, its number says nothing.
      let count = scope == "in" ? node.outputs.count : node.inputs.count
      peer = "\(end.node + 1) \(node.name)" + (count == 1 ? "" : " \(buses.text)")
    }
    let format = run.format.map { $0.sampleRate == graph.sampleRate ? $0.channels : $0.description } ?? ""
    let buffers = run.buffers.isEmpty ? "" : "buffer\(run.buffers.count == 1 ? "" : "s") \(run.buffers.ranges)"
    cells = ["\(scope == "in" ? "in " : scope) \(run.buses.text)", "\(arrow) \(peer)", format, buffers]
  }

  /// What the columns need, within what they may have: together 78, and two of indent.
  static func widths(of rows: [GraphRow]) -> [Int] {
    [13, 30, 17, 18].enumerated().map { column, most in
      min(most, rows.reduce(0) { max($0, $1.cells[column].count + 2) })
    }
  }

  func text(_ widths: [Int]) -> String {
    let padded = zip(cells, widths).map { cell, width in
      let shown = cell.count + 2 > width && width > 2 ? cell.prefix(width - 3) + "…" : cell[...]
      return shown + String(repeating: " ", count: max(0, width - shown.count))
    }
    return "  " + padded.joined()
  }
}

/// Lines of at most 80 columns, without what a terminal would interpret.
struct TextLines {
  private static let width = 80
  private var lines: [String] = []

  /// Ends in a line break.
  var text: String { lines.map { $0 + "\n" }.joined() }

  mutating func add(_ line: String) {
    var line = line.prefix(Self.width)
    while line.last == " " { line.removeLast() }
    lines.append(
      String(
        String.UnicodeScalarView(
          line.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 })))
  }

  /// Adds items, separated by semicolons, on as many lines as they need; what is longer than a line is broken between
  /// words.
  mutating func add(wrapped items: [String], indent: Int) {
    let margin = String(repeating: " ", count: indent)
    let most = Self.width - indent
    var line = ""
    for (index, item) in items.enumerated() {
      let item = item.shorteningWords(to: most - 3) + (index + 1 < items.count ? ";" : "")
      let fits = line.isEmpty || line.count + 1 + item.count <= most
      for (place, part) in (item.count > most ? item.split(separator: " ").map(String.init) : [item]).enumerated() {
        if line.isEmpty {
          line = part
        } else if (fits || place > 0) && line.count + 1 + part.count <= most {
          line += " " + part
        } else {
          add(margin + line)
          line = place == 0 ? part : "  " + part
        }
      }
    }
    if !line.isEmpty { add(margin + line) }
  }
}

extension String {
  /// With words that are not too long for a line; of a path its end says most.
  func shorteningWords(to most: Int) -> String {
    split(separator: " ", omittingEmptySubsequences: false)
      .map { $0.count <= most ? String($0) : "…" + $0.suffix(most - 1) }
      .joined(separator: " ")
  }
}
