import SynthRealtime

/// A node whose inputs are all as late as the latest of them. Effects and converters on the way to one input make it
/// late; the plan delays the other inputs by as much.
package protocol AligningNode: AudioNode {
  /// Whether the plan aligns its inputs. [any thread]
  var alignsInputs: Bool { get }
}

/// A node that has to know how late its input is, because it adds sound that does not come through the graph.
package protocol LatencyFollowing: AudioNode {
  /// Tells it how late its input is in the plan that was made last. [control thread]
  ///
  /// - Parameter latency: of the effects and converters before it, in frames of its rate.
  func follow(latency: Int)
}

/// Delays a path that is ahead of others. Only plans have one.
final class AlignmentNode: AudioNode {
  let name = "alignment"
  let inputBusCount = 1
  let outputBusCount = 1
  /// In frames of the bus.
  let latency: Int
  let kernel: Kernel

  init(delay: Int, _ format: AudioFormat) {
    latency = delay
    kernel = Kernel(
      DelayKernel(channelCount: format.channelCount, delay: delay), entry: DelayKernel.passage)
  }

  func outputFormats(inputs: [AudioFormat?], sampleRate: Double) -> [AudioFormat] { inputs.compactMap(\.self) }

  func kernel(for formats: BusFormats) -> Kernel { kernel }
}

/// Where an input bus keeps its delay, so that what is in it survives an edit that leaves it as it is. [control thread]
final class AlignmentSlot: Sendable {
  private let present = CheckedMutex<(node: AlignmentNode, format: AudioFormat)?>(nil)

  /// The present delay if it is the same; else a new one, to which the plan fades. A delay that was not rendered for a
  /// while begins with silence.
  func node(delay: Int, _ format: AudioFormat) -> AlignmentNode {
    present.withLock { present in
      if let present, present.node.latency == delay, present.format == format { return present.node }
      let node = AlignmentNode(delay: delay, format)
      present = (node, format)
      return node
    }
  }
}

extension CompiledGraph {
  /// Delays the inputs that are ahead, of nodes that ask for it, in the order of rendering.
  mutating func align() {
    let count = nodes.count
    // How late the output of each node is, in seconds. What a loop brings back does not count.
    var lags: [Double] = []
    for index in 0..<count {
      let arrivals = nodes[index].sources.map { $0.map { $0.node < index ? lags[$0.node] : 0 } }
      let latest = arrivals.compactMap(\.self).max() ?? 0
      for (bus, slot) in nodes[index].alignments.enumerated() {
        if let slot, let arrival = arrivals[bus] { delay(index, bus, by: latest - arrival, slot) }
      }
      let planned = nodes[index]
      if let following = planned.node as? any LatencyFollowing {
        following.follow(latency: Int((latest * planned.sampleRate).rounded()))
      }
      lags.append(latest + Double(planned.node.latency) / planned.sampleRate)
    }
    if nodes.count > count, let sorted { self = sorted }
  }

  /// - Parameter seconds: what is less than half a frame changes nothing.
  private mutating func delay(_ index: Int, _ bus: Int, by seconds: Double, _ slot: AlignmentSlot) {
    guard let source = nodes[index].sources[bus] else { return }
    let format = nodes[source.node].formats.outputs[source.bus]
    let frames = Int((seconds * format.sampleRate).rounded())
    guard frames > 0 else { return }
    let node = slot.node(delay: frames, format)
    let formats = BusFormats(
      inputs: [format], outputs: [format], unitSampleRate: nodes[index].formats.unitSampleRate)
    let planned = PlannedNode(node: node, isImplicit: true, sources: [source], formats: formats)
    place(planned, node.kernel, before: index, bus: bus)
  }
}
