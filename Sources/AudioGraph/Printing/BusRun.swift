/// Buses side by side that are connected alike, as one line or one arrow shows them.
struct BusRun {
  /// The first and the last bus here.
  private(set) var buses: ClosedRange<Int>
  /// The node at the other end, by its index, and the bus there that belongs to the first one here.
  let peer: GraphDescription.End?
  let format: AudioFormat?
  private(set) var buffers: [Int]

  /// The first and the last bus at the other end.
  var peerBuses: ClosedRange<Int>? { peer.map { $0.bus...($0.bus + buses.count - 1) } }

  /// Takes over the next bus, if it goes on as this does.
  private mutating func extend(with next: BusRun) -> Bool {
    let follows = next.buses.lowerBound == buses.upperBound + 1 && next.format == format
    let peerFollows = next.peer?.node == peer?.node && next.peerBuses?.lowerBound == peerBuses.map { $0.upperBound + 1 }
    guard follows, peerFollows else { return false }
    buses = buses.lowerBound...next.buses.upperBound
    buffers += next.buffers
    return true
  }

  private static func joined(_ single: [BusRun]) -> [BusRun] {
    var runs: [BusRun] = []
    for run in single where runs.isEmpty || !runs[runs.count - 1].extend(with: run) { runs.append(run) }
    return runs
  }

  static func inputs(of node: GraphDescription.Node) -> [BusRun] {
    joined(
      node.inputs.enumerated().map { bus, input in
        BusRun(buses: bus...bus, peer: input.source, format: input.format, buffers: [])
      })
  }

  /// The buses to one node together, so that fan-out does not tear them apart; in the order of their first buses.
  static func outputs(of node: GraphDescription.Node) -> [BusRun] {
    let single = node.outputs.enumerated().flatMap { bus, output in
      let peers: [GraphDescription.End?] = output.destinations.isEmpty ? [nil] : output.destinations
      return peers.map {
        BusRun(buses: bus...bus, peer: $0, format: output.format, buffers: [output.buffer].compactMap(\.self))
      }
    }
    let order = single.enumerated().sorted {
      ($0.element.peer?.node ?? .max, $0.offset) < ($1.element.peer?.node ?? .max, $1.offset)
    }
    return joined(order.map(\.element)).enumerated()
      .sorted { ($0.element.buses.lowerBound, $0.offset) < ($1.element.buses.lowerBound, $1.offset) }
      .map(\.element)
  }
}

extension ClosedRange<Int> {
  /// "3", or "0–15".
  var text: String { lowerBound == upperBound ? "\(lowerBound)" : "\(lowerBound)–\(upperBound)" }
}

extension [Int] {
  /// Numbers that follow each other as ranges: "0–3, 7".
  var ranges: String {
    var ranges: [ClosedRange<Int>] = []
    for number in self {
      if let last = ranges.last, number == last.upperBound + 1 {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    return ranges.map(\.text).joined(separator: ", ")
  }
}
