import AudioGraph
@preconcurrency import Glibc
import SynthDSP
import SynthRealtime
import Testing

@Suite("A scheduled change of a parameter")
struct PrecisionTests {
  /// A node, and an engine that plays the sum of its outputs, as noise goes into each of its inputs.
  struct Bench {
    let node: any AudioNode
    let engine = AudioEngine(sampleRate: 48000)

    static let kinds = ["mixer", "signal generator", "reverb", "chorus", "equalizer"]

    init(_ kind: String) throws {
      node =
        switch kind {
        case "mixer": MixerNode(inputBusCount: 2, sends: ["a": 0.5, "b": 0.25])
        case "signal generator": SignalGeneratorNode(waveform: .sawtooth, channelCount: 2)
        case "reverb": ReverbNode()
        case "chorus": ChorusNode()
        default:
          EqualizerNode(presets: [.init(name: "low", curve: try EqualizerCurve(gains: .init(repeating: -6, count: 10)))]
          )
        }
      try engine.edit { [node] graph in
        let (sum, output) = (MixerNode(inputBusCount: node.outputBusCount), try OutputNode(channelCount: 2))
        for node in [node, sum, output] as [any AudioNode] { try graph.attach(node) }
        try graph.connect(sum, to: output)
        for bus in 0..<node.inputBusCount {
          let noise = SignalGeneratorNode(waveform: .noise, channelCount: 2)
          try graph.attach(noise)
          try graph.connect(noise, to: node, toBus: bus)
        }
        for bus in 0..<node.outputBusCount { try graph.connect(node, to: sum, fromBus: bus, toBus: bus) }
      }
    }
  }

  @Test("that is precise to the frame differs from its frame on, the same for all slice sizes", arguments: Bench.kinds)
  func frame(kind: String) throws {
    let time = 10_007
    let plain = try Bench(kind).engine.render(12_000)
    for index in try Bench(kind).node.parameters.indices {
      func scheduled(sliceSize: Int) throws -> [[Float]]? {
        let bench = try Bench(kind)
        let parameter = bench.node.parameters[index]
        guard parameter.precision == .frame else { return nil }
        let (low, high) = (parameter.range.lowerBound, parameter.range.upperBound)
        try bench.engine.schedule(parameter, to: parameter.value == low ? high : low, at: Int64(time), over: 480)
        return bench.engine.render(12_000, sliceSize: sliceSize)
      }
      guard let samples = try scheduled(sliceSize: 64) else { continue }
      let name = try Bench(kind).node.parameters[index].name
      // A frequency is how fast the phase goes from one frame to the next.
      let first = name == "frequency" ? time + 1 : time
      #expect(FirstDifference(of: samples, from: plain)?.frame == first, "\(name)")
      for size in [1, 63, 65, 1000] { #expect(try scheduled(sliceSize: size) == samples, "\(name)") }
    }
  }

  @Test("that is precise to the quantum has at a quantum's start what its line has at its end")
  func quantum() throws {
    let bench = try Bench("chorus")
    let rate = try bench.node.parameter(named: "rate")
    rate.value = 0
    try bench.engine.schedule(rate, to: 10, at: 1000, over: 640)
    for quantum in 0..<30 {
      _ = bench.engine.render(64)
      let done = min(max(0, Float(64 * quantum + 64 - 1000)), 640)
      #expect(abs(rate.reader.renderValue - done / 64) < 1e-5)
      #expect(rate.value == (done > 0 ? 10 : 0))
    }
  }

  @Test("is precise to the quantum only where an effect takes it over once a quantum")
  func precisions() throws {
    let names = try Bench.kinds.map { kind in
      try Bench(kind).node.parameters.filter { $0.precision == .quantum }.map(\.name)
    }
    #expect(
      names == [
        ["metering", "metering before faders"], [],
        ["type", "time", "pre-delay", "high cut", "return", "input 1 share", "input 2 share"],
        ["rate", "depth", "feedback", "pre-delay", "high cut", "return"], [],
      ])
  }

  @Test("of frequency lets the phase go as far as the line says", arguments: [1, 64, 1000])
  func frequency(sliceSize: Int) throws {
    let sine = SignalGeneratorNode(waveform: .sine, frequency: 480, level: 0)
    let engine = try AudioEngine.chain(sine, output: try OutputNode(channelCount: 1, sourceCount: 1))
    try engine.schedule(sine.frequency, to: 1440, at: 1000, over: 480)
    try engine.schedule(sine.frequency, to: 960, at: 1490, over: 0)
    let samples = engine.render(3000, channels: 1, sliceSize: sliceSize)[0]
    var phase = 0.0
    for (frame, sample) in samples.enumerated() {
      #expect(abs(sample - Float(sin(2 * .pi * phase))) < 1e-4, "frame \(frame)")
      let done = Double(min(max(0, frame - 999), 480))
      phase += (frame < 1490 ? 480 + 960 * done / 480 : 960) / 48000
    }
  }

  @Test("of a generator begins amid the ramp of a change that was set at once, and is at its end in its time")
  func generatorBeside() throws {
    let sine = SignalGeneratorNode(waveform: .sine, frequency: 0, level: 0)
    sine.rampDuration = 100
    let engine = try AudioEngine.chain(sine, output: try OutputNode(channelCount: 1, sourceCount: 1))
    _ = engine.render(640, channels: 1)
    sine.frequency.value = 10_000
    _ = engine.render(640, channels: 1)
    try engine.schedule(sine.frequency, to: 0, at: 2000, over: 100)
    let samples = engine.render(3000, channels: 1)[0]
    #expect(samples[(2100 - 1280)...].allSatisfy { $0 == samples[2999] })
  }

  @Test("of a preset fades as the filter does where it is told between two frames")
  func preset() throws {
    let low = try EqualizerCurve(gains: .init(repeating: -6, count: 10))
    let equalizer = EqualizerNode(presets: [.init(name: "low", curve: low)])
    let engine = try AudioEngine.chain(
      SignalGeneratorNode(waveform: .noise), equalizer, output: try OutputNode(channelCount: 1, sourceCount: 1))
    try engine.schedule(equalizer.preset, to: 1, at: 1000)
    var expected = try AudioEngine.chain(
      SignalGeneratorNode(waveform: .noise), output: try OutputNode(channelCount: 1, sourceCount: 1)
    ).render(10_000, channels: 1)[0]
    let design = { try EqualizerDesign(curve: $0, sampleRate: 48000, headroom: .everyInput).coefficients }
    let (flat, bank) = (Box(try design(.flat)), EqualizerBank([try design(low)]))
    var filter = EqualizerProcessor(setting: flat.pointer, bank: bank, sampleRate: 48000)
    expected.withUnsafeMutableBufferPointer { samples in
      guard let first = samples.baseAddress else { return }
      _ = filter.process(input: first, output: first, frameCount: 1000, inputIsSilent: false)
      filter.choice = 1
      _ = filter.process(input: first + 1000, output: first + 1000, frameCount: 9000, inputIsSilent: false)
    }
    #expect(FirstDifference(of: engine.render(10_000, channels: 1), from: [expected]) == nil)
  }

  @Test("of an inner graph begins at its frame of the outer sample time")
  func innerGraph() throws {
    let mixer = MixerNode(inputBusCount: 1)
    let inner = try AudioEngine.chain(ConstantSource(1).node, mixer, output: try OutputNode(channelCount: 2))
    let engine = try AudioEngine.chain(try GraphNode(inner), output: try OutputNode(channelCount: 2))
    try inner.schedule(mixer.outputGain, to: -120, at: 1000, over: 480)
    let left = engine.render(2000)[0]
    #expect(left.firstIndex { $0 != 1 } == 1000 && left.firstIndex(of: 0) == 1479)
  }
}
