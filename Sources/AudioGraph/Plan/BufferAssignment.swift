/// Which output bus renders into which buffer: a buffer is used again once its last reader has run.
///
/// Each buffer is in use for an interval of steps, and the free one is taken at every step; so for each channel count
/// there are as many buffers as are ever in use at once, and none can do with fewer.
struct BufferAssignment {
  struct Place {
    /// Counted over all output buses.
    let bus: Int
    let buffer: Buffer
  }

  struct Buffer {
    let number: Int
    /// Counted over the channels of all buffers.
    let firstChannel: Int
  }

  /// How many channels all buffers have together.
  private(set) var channelCount = 0
  private(set) var bufferCount = 0
  /// How many output buses there are.
  private(set) var busCount = 0

  /// Of each node's output buses. Every node has a step that renders it.
  private var places: [[Place]]

  /// - Parameter outputNode: which of the nodes feeds the device; nil where none does.
  init(_ nodes: [PlannedNode], outputNode: Int?, steps: [StepOrder.Step]) {
    places = Array(repeating: [], count: nodes.count)
    let lastUse = Self.lastUses(nodes, outputNode, steps)
    var free: [Int: [Buffer]] = [:]  // by channel count
    var expiring: [Int: [(width: Int, buffer: Buffer)]] = [:]
    for (time, step) in steps.enumerated() {
      if step.action == .render {
        for (bus, format) in nodes[step.node].formats.outputs.enumerated() {
          let width = format.channelCount
          let buffer = free[width]?.popLast() ?? grow(by: width)
          let key = PlannedSource(node: step.node, bus: bus)
          places[step.node].append(Place(bus: busCount, buffer: buffer))
          busCount += 1
          expiring[lastUse[key] ?? time, default: []].append((width, buffer))
        }
      }
      for (width, buffer) in expiring.removeValue(forKey: time) ?? [] { free[width, default: []].append(buffer) }
    }
  }

  subscript(source: PlannedSource) -> Place { places[source.node][source.bus] }

  private mutating func grow(by width: Int) -> Buffer {
    defer {
      channelCount += width
      bufferCount += 1
    }
    return Buffer(number: bufferCount, firstChannel: channelCount)
  }

  /// The step that reads an output bus last. What the output node renders is read after all of them.
  private static func lastUses(
    _ nodes: [PlannedNode], _ outputNode: Int?, _ steps: [StepOrder.Step]
  ) -> [PlannedSource: Int] {
    var lastUse: [PlannedSource: Int] = [:]
    for (time, step) in steps.enumerated() {
      let node = nodes[step.node]
      guard node.isSplit == (step.action == .intake) else { continue }
      for source in node.sources.compactMap(\.self) { lastUse[source] = time }
    }
    if let outputNode { lastUse[PlannedSource(node: outputNode, bus: 0)] = steps.count }
    return lastUse
  }
}
