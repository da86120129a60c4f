extension GraphDescription {
  /// For Graphviz, `dot -Tsvg`: a box for each node, an arrow for buses side by side that are connected alike.
  /// Automatic nodes are dashed, what does not render is grey.
  public var dot: String {
    var lines = ["digraph synth {", "  rankdir=LR;", "  node [shape=box, style=rounded];"]
    for (index, node) in nodes.enumerated() {
      let style = node.isImplicit ? ", style=\"rounded,dashed\"" : ""
      let colour = node.isRendered || sampleRate == nil || fault != nil ? "" : ", color=gray, fontcolor=gray"
      let label = ["\(index + 1) \(node.name)"] + node.settings.map { $0.shorteningWords(to: 30) }
      lines.append("  n\(index + 1) [label=\(quoted(label))\(style)\(colour)];")
    }
    for (index, node) in nodes.enumerated() {
      for run in BusRun.outputs(of: node) {
        guard let peer = run.peer, let peerBuses = run.peerBuses else { continue }
        let label = ["\(run.buses.text) → \(peerBuses.text)"] + [run.format?.description].compactMap(\.self)
        let width = run.buses.count > 1 ? ", penwidth=3" : ""
        // Feedback points backwards; it must not pull the nodes out of their order.
        let back = peer.node <= index ? ", constraint=false" : ""
        lines.append("  n\(index + 1) -> n\(peer.node + 1) [label=\(quoted(label))\(width)\(back)];")
      }
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  /// A string of the DOT language, of several lines.
  private func quoted(_ lines: [String]) -> String {
    let escaped = lines.map { line in
      line.unicodeScalars.map { scalar in
        switch scalar {
        case "\"", "\\": "\\\(scalar)"
        case _ where scalar.properties.generalCategory == .control: "?"
        default: String(scalar)
        }
      }.joined()
    }
    return "\"\(escaped.joined(separator: "\\n"))\""
  }
}
