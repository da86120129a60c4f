import AudioGraph
import SynthDSP
import SynthRealtime
import TestSupport

/// The recipe of a random graph, which can be followed any number of times.
///
/// Everything that may be in a graph is in it: sources of several rates that fall silent at times, nodes with several
/// buses, equalizers, mixers, converters, loops through delays, outputs that feed many inputs, and inputs that nothing
/// feeds.
struct RandomGraph {
  private enum Kind {
    case source(AudioFormat), equalizer, sum(outputs: Int), mixer, converter(ConverterNode), delay(Double)
  }

  private struct Item {
    let kind: Kind
    let format: AudioFormat
    let outputCount: Int
    var inputs: [(item: Int, bus: Int)?] = []
  }

  private static let rates = [48000.0, 48000, 44100, 96000]
  private var items: [Item] = []
  private var random: SplitMix64

  init(seed: UInt64, count: Int) throws {
    random = SplitMix64(seed: seed)
    for _ in 0..<count - 2 { addItem() }
    let last = items.indices.suffix(40).map { Optional(($0, 0)) }
    items.append(Item(kind: .mixer, format: .stereo(48000), outputCount: 1, inputs: last))
    closeLoops()
  }

  private mutating func addItem() {
    let earlier = random.next(below: max(1, items.count))
    guard !items.isEmpty, random.next(below: 4) > 0 else { return addSource() }
    let format = items[earlier].format
    switch random.next(below: 6) {
    case 0:
      items.append(Item(kind: .equalizer, format: format, outputCount: 1, inputs: [output(of: earlier)]))
    case 1:
      let peers = items.indices.filter { items[$0].format.sampleRate == format.sampleRate }
      let inputs = (0...random.next(below: 3)).map { _ in output(of: peers[random.next(below: peers.count)]) }
      let count = 1 + random.next(below: 3)
      let stereo = AudioFormat.stereo(format.sampleRate)
      items.append(Item(kind: .sum(outputs: count), format: stereo, outputCount: count, inputs: inputs))
    case 2:
      let rate = Self.rates[random.next(below: Self.rates.count)]
      let count = 1 + random.next(below: 2)
      let converter = ConverterNode(sampleRate: rate, channels: .automatic(channelCount: count))
      items.append(
        Item(
          kind: .converter(converter), format: AudioFormat(sampleRate: rate, channelCount: count), outputCount: 1,
          inputs: [output(of: earlier)]))
    case 3:
      items.append(
        Item(kind: .delay(Double(random.next(below: 300)) / 48000), format: .stereo(48000), outputCount: 1))
    default:
      let inputs = (0...random.next(below: 5)).map { _ in
        random.next(below: 5) == 0 ? nil : output(of: random.next(below: items.count))
      }
      items.append(Item(kind: .mixer, format: .stereo(48000), outputCount: 1, inputs: inputs))
    }
  }

  private mutating func addSource() {
    let format = AudioFormat(
      sampleRate: Self.rates[random.next(below: Self.rates.count)], channelCount: 1 + random.next(below: 2))
    items.append(Item(kind: .source(format), format: format, outputCount: 1))
  }

  private mutating func output(of item: Int) -> (item: Int, bus: Int)? {
    (item, random.next(below: items[item].outputCount))
  }

  /// Feeds delays from anywhere, most often from what they feed.
  private mutating func closeLoops() {
    let sources = items.indices.filter { items[$0].format == .stereo(48000) }
    for index in items.indices {
      guard case .delay = items[index].kind, random.next(below: 6) > 0 else { continue }
      items[index].inputs = [output(of: sources[random.next(below: sources.count)])]
    }
  }

  /// The output included.
  var nodeCount: Int { items.count + 1 }

  /// A new graph by the recipe, of new nodes.
  func make() throws -> Graph {
    var graph = Graph()
    let output = try OutputNode(channelCount: 2)
    var nodes: [any AudioNode] = []
    for (index, item) in items.enumerated() {
      nodes.append(try node(item, number: index))
      try graph.attach(nodes[index])
    }
    try graph.attach(output)
    for (index, item) in items.enumerated() {
      for case (let bus, let source?) in item.inputs.enumerated() {
        try graph.connect(nodes[source.item], to: nodes[index], fromBus: source.bus, toBus: bus)
      }
    }
    try graph.connect(nodes[nodes.count - 1], to: output)
    return graph
  }

  private func node(_ item: Item, number: Int) throws -> any AudioNode {
    switch item.kind {
    case .source(let format): return noise(seed: number, format: format)
    case .equalizer:
      let gains = (0..<EqualizerCurve.bandCount).map { Decibels(Double(($0 + number) % 7 - 3)) }
      return EqualizerNode(curve: try EqualizerCurve(gains: gains))
    case .sum(let outputs): return SumNode(inputs: item.inputs.count, outputs: outputs)
    case .converter(let converter):
      return ConverterNode(sampleRate: converter.sampleRate, channels: converter.channels)
    case .delay(let delay): return try DelayNode(delay: delay)
    case .mixer:
      // Loops must not grow without end.
      let mixer = MixerNode(inputBusCount: item.inputs.count)
      for (bus, input) in mixer.inputs.enumerated() { input.gain.value = Float(-12 - bus - number % 5) }
      return mixer
    }
  }
}

/// White noise that depends on the sample time alone; every fifth quantum or so is silent, and every third stretch of
/// 12, in which converters come to rest.
private func noise(seed: Int, format: AudioFormat) -> SourceNode {
  SourceNode(name: "noise", format: format, context: UnsafeMutableRawPointer(bitPattern: seed + 1)!) { seed, request in
    let request = request.assumingMemoryBound(to: RenderRequest.self).pointee
    let seed = UInt64(UInt(bitPattern: seed)) << 32
    var quantum = SplitMix64(seed: seed + UInt64(request.sampleTime))
    var stretch = SplitMix64(seed: ~seed &+ UInt64(request.sampleTime) / UInt64(12 * renderQuantum))
    guard quantum.next(below: 5) > 0, stretch.next(below: 3) > 0 else { return request.buffers.silence() }
    for channel in 0..<request.buffers.channelCount {
      for frame in 0..<request.frameCount {
        request.buffers[channel][frame] = Float(Int32(truncatingIfNeeded: quantum.next())) / 0x8000_0000
      }
    }
  }
}

/// Any number of inputs; output bus n is their sum times n + 1, in stereo.
private final class SumNode: AudioNode {
  let name = "sum"
  let inputBusCount: Int
  let outputBusCount: Int
  private let slot = KernelSlot<Int>()

  init(inputs: Int, outputs: Int) {
    inputBusCount = inputs
    outputBusCount = outputs
  }

  func outputFormats(inputs: [AudioFormat?], sampleRate: Double) -> [AudioFormat] {
    let rate = inputs.lazy.compactMap(\.self).first?.sampleRate ?? sampleRate
    return Array(repeating: .stereo(rate), count: outputBusCount)
  }

  func kernel(for formats: BusFormats) -> Kernel {
    slot.kernel(for: 0) {
      Kernel(0) { _, context in
        let context = context.assumingMemoryBound(to: RenderContext.self).pointee
        for bus in 0..<context.outputBusCount {
          let output = context.output(bus)
          output.silence()
          for input in 0..<context.inputBusCount where !context.input(input).isSilent {
            output.isSilent = false
            let input = context.input(input)
            for channel in 0..<2 {
              let samples = input[min(channel, input.channelCount - 1)]
              for frame in 0..<renderQuantum { output[channel][frame] += samples[frame] * Float(bus + 1) / 8 }
            }
          }
        }
      }
    }
  }
}
