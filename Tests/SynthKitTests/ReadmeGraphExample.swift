import AudioGraph
import Foundation
import SynthKit
import Testing

@Suite("The README's graph")
struct ReadmeGraphExample {
  @Test("plays, and is edited while it does")
  func runs() throws {
    let device = try DeviceOutput("null")
    let engine = AudioEngine(output: device)
    let buzz = SourceNode(format: .stereo(device.sampleRate)) { request in
      for frame in 0..<request.frameCount {  // on the audio thread: no allocation, no lock, no I/O
        let sample = Float((request.sampleTime + Int64(frame)) % 200) / 1000 - 0.1
        for channel in 0..<2 { request.buffers[channel][frame] = sample }
      }
    }
    let output = try OutputNode(channelCount: device.channelCount)
    try engine.edit { graph in
      try graph.attach(buzz)
      try graph.attach(output)
      try graph.connect(buzz, to: output)
    }
    try engine.start()

    let equalizer = EqualizerNode()
    let tap = try TapNode { block in print(block.sampleTime, block[0].max() ?? 0) }  // on the tap's thread
    try engine.edit { graph in  // while it plays
      try graph.attach(equalizer)
      try graph.disconnect(input: output)
      try graph.connect(buzz, to: equalizer)
      try graph.connect(equalizer, to: output)
      try graph.tap(equalizer, with: tap)
    }

    #expect(engine.isRunning && engine.graph.nodes.count == 4)
    try engine.stop()
    let expected = (0..<200).map { Float($0) / 1000 - 0.1 }
    #expect(try engine.render(frameCount: 200) == AudioBuffer([expected, expected], sampleRate: 48000))
  }

  @Test("is made and set by names")
  func names() throws {
    let mixer = try ComponentRegistry.standard().component(named: "mixer").make(["input bus count": 4])
    let output = try OutputNode(channelCount: 2)
    let engine = AudioEngine(sampleRate: 48000)
    try engine.edit { graph in
      for node in [mixer, output] { try graph.attach(node) }
      try graph.connect(mixer, to: output)
    }
    let gain = try mixer.parameter(named: "input 3 gain")
    let observation = gain.observe { print("input 3 is at \($0) dB") }
    try engine.schedule(gain, to: -6, at: 96000, over: 480)
    try engine.set("channel map", of: output, to: [1, 0])
    print(engine)

    _ = try engine.render(frameCount: 96064)
    #expect(gain.value == -6 && output.channelMap == ChannelMap([1, 0]))
    withExtendedLifetime(observation) {}
  }

  @Test("is the one above, line for line", arguments: ["SourceNode(", "ComponentRegistry"])
  func isTheSame(mark: String) throws {
    let here = URL(filePath: #filePath)
    let readme = try String(
      contentsOf: here.deletingLastPathComponent().appending(path: "../../README.md"), encoding: .utf8)
    let source = try String(contentsOf: here, encoding: .utf8)
      .replacingOccurrences(of: "DeviceOutput(\"null\")", with: "DeviceOutput()")
    let blocks = readme.components(separatedBy: "```swift\n").dropFirst()
    let block = try #require(blocks.first { $0.components(separatedBy: "```")[0].contains(mark) })
    let lines = try #require(block.components(separatedBy: "```").first).split(separator: "\n")
    #expect(lines.count > 5)
    for line in lines { #expect(source.contains(line), "\(line)") }
  }
}
