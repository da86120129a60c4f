/// Which output bus renders into which buffer: a buffer is used again once its last reader has run.
struct BufferAssignment {
  /// How many output buses there are.
  private(set) var busCount = 0
  /// How many channels all buffers have together.
  private(set) var channelCount = 0
  private(set) var bufferCount = 0

  private var places: [Key: (bus: Int, buffer: Buffer)] = [:]

  private struct Buffer {
    let number: Int
    let firstChannel: Int
  }

  private struct Key: Hashable {
    let node: ObjectIdentifier
    let bus: Int
  }

  init(nodes: [any AudioNode], formats: [BusFormats], graph: Graph) {
    let lastUse = Self.lastUses(of: graph, in: nodes)
    var free: [Int: [Buffer]] = [:]  // by channel count
    var expiring: [Int: [(width: Int, buffer: Buffer)]] = [:]
    for (step, node) in nodes.enumerated() {
      for (bus, format) in formats[step].outputs.enumerated() {
        let width = format.channelCount
        let buffer = free[width]?.popLast() ?? grow(by: width)
        let key = Key(node: ObjectIdentifier(node), bus: bus)
        places[key] = (busCount, buffer)
        busCount += 1
        expiring[lastUse[key] ?? step, default: []].append((width, buffer))
      }
      for (width, buffer) in expiring.removeValue(forKey: step) ?? [] {
        free[width, default: []].append(buffer)
      }
    }
  }

  func busIndex(of end: BusEnd) -> Int { place(of: end).bus }
  func firstChannel(of end: BusEnd) -> Int { place(of: end).buffer.firstChannel }
  func buffer(of end: BusEnd) -> Int { place(of: end).buffer.number }

  private func place(of end: BusEnd) -> (bus: Int, buffer: Buffer) {
    guard let place = places[Key(node: ObjectIdentifier(end.node), bus: end.bus)] else {
      preconditionFailure("\(end) is read in a plan it is not part of")
    }
    return place
  }

  private mutating func grow(by width: Int) -> Buffer {
    defer {
      channelCount += width
      bufferCount += 1
    }
    return Buffer(number: bufferCount, firstChannel: channelCount)
  }

  /// The step that reads an output bus last.
  private static func lastUses(of graph: Graph, in nodes: [any AudioNode]) -> [Key: Int] {
    var lastUse: [Key: Int] = [:]
    for (step, node) in nodes.enumerated() {
      for source in graph.sources(of: node).compactMap(\.self) {
        lastUse[Key(node: ObjectIdentifier(source.node), bus: source.bus)] = step
      }
    }
    return lastUse
  }
}
