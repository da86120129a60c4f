import Text

/// What can be rendered at all: a node's own word on its output buses is not taken on trust.
enum FormatCheck {
  /// In hertz.
  static let sampleRates = 1.0...1_000_000
  static let channelCounts = 1...1024

  static func outputs(_ formats: [AudioFormat], of node: any AudioNode) throws(GraphError) {
    guard formats.count == node.outputBusCount else {
      throw unfit(
        node,
        "it gives \(NumberFormatting.count(formats.count, "format", "formats")) for "
          + "\(NumberFormatting.count(node.outputBusCount, "output bus", "output buses")); give one for each")
    }
    for format in formats {
      guard sampleRates.contains(format.sampleRate) else {
        throw unfit(node, "its output would run at \(hertz(format.sampleRate)); choose 1 Hz to 1 MHz")
      }
      guard channelCounts.contains(format.channelCount) else {
        throw unfit(node, "its output would have \(format.channelCount) channels; choose 1 to 1024")
      }
      guard format.sampleRate == formats[0].sampleRate else {
        throw unfit(node, "its outputs differ in rate; a node renders at one rate")
      }
    }
  }

  private static func unfit(_ node: any AudioNode, _ reason: String) -> GraphError {
    .unfitOutput(node: node.name, reason: reason)
  }
}
