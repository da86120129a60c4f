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
      for frame in 0..<request.frameCount {
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
    let tap = try TapNode { block in print(block.sampleTime, block[0].max() ?? 0) }
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
    #expect(try engine.render(frameCount: 200) == [expected, expected])
  }

  @Test("is the one above, line for line")
  func isTheSame() throws {
    let here = URL(filePath: #filePath)
    let readme = try String(
      contentsOf: here.deletingLastPathComponent().appending(path: "../../README.md"), encoding: .utf8)
    let source = try String(contentsOf: here, encoding: .utf8)
      .replacingOccurrences(of: "DeviceOutput(\"null\")", with: "DeviceOutput()")
    let block = try #require(readme.components(separatedBy: "```swift\n").dropFirst(2).first)
    let lines = try #require(block.components(separatedBy: "```").first).split(separator: "\n")
    #expect(lines.count > 20)
    for line in lines { #expect(source.contains(line), "\(line)") }
  }
}
