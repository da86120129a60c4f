import AudioGraph
import Foundation
import Testing

@Suite("A graph for programs", .timeLimit(.minutes(1)))
struct GraphExportTests {
  let engine = AudioEngine(sampleRate: 48000)

  // say "hi" ─► (0) mixer ─► output
  //          ─► (1)
  init() throws {
    let source = ConstantSource(1, name: "say \"hi\" \\ \u{1B}\n{é}")
    let mixer = MixerNode(inputBusCount: 2)
    let output = try OutputNode(channelCount: 2)
    mixer.inputs[1].gain.value = -0.1
    try engine.edit { graph in
      for node in [source.node, mixer, output] as [any AudioNode] { try graph.attach(node) }
      try graph.connect(source.node, to: mixer, toBus: 0)
      try graph.connect(source.node, to: mixer, toBus: 1)
      try graph.connect(mixer, to: output)
    }
  }

  @Test("is what Graphviz draws: a box for each node, an arrow for each connection that stands alone")
  func dot() throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/dot")
    process.arguments = ["-Tplain"]
    let (input, output, errors) = (Pipe(), Pipe(), Pipe())
    (process.standardInput, process.standardOutput, process.standardError) = (input, output, errors)
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(engine.graphDescription.dot.utf8))
    try input.fileHandleForWriting.close()
    let lines = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).split(
      separator: "\n")
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(lines.filter { $0.hasPrefix("node ") }.count == 3)
    #expect(lines.filter { $0.hasPrefix("edge n1 n2 ") }.count == 2)
    #expect(lines.filter { $0.hasPrefix("edge n2 n3 ") }.count == 1)
  }

  @Test("is JSON with every bus, parameter and property")
  func json() throws {
    let text = engine.graphDescription.json.description
    let graph = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(graph["sampleRate"] as? Int == 48000 && graph["quantum"] as? Int == 64)
    #expect(graph["buffers"] as? Int == 2 && graph["fault"] is NSNull)
    let nodes = try #require(graph["nodes"] as? [[String: Any]])
    #expect(nodes.map { $0["kind"] as? String } == ["SourceNode", "MixerNode", "OutputNode"])
    #expect(nodes[0]["name"] as? String == "say \"hi\" \\ \u{1B}\n{é}")
    let outputs = try #require(nodes[0]["outputs"] as? [[String: Any]])
    #expect(
      outputs.map { $0["destinations"] as? [[String: Int]] } == [[["node": 1, "bus": 0], ["node": 1, "bus": 1]]])
    #expect(outputs[0]["channels"] as? Int == 2 && outputs[0]["buffer"] as? Int == 0)
    let inputs = try #require(nodes[2]["inputs"] as? [[String: Any]])
    #expect(inputs[0]["source"] as? [String: Int] == ["node": 1, "bus": 0])
    let parameters = try #require(nodes[1]["parameters"] as? [[String: Any]])
    #expect(parameters.count == 13)
    let gain = try #require(parameters.first { $0["name"] as? String == "input 1 gain" })
    #expect(gain["value"] as? Double == -0.1 && gain["unit"] as? String == "dB" && gain["min"] as? Int == -120)
    #expect(
      gain["scope"] as? String == "input" && gain["element"] as? Int == 1 && gain["shortName"] as? String == "gain")
    let meters = try #require(nodes[1]["properties"] as? [[String: Any]])
    let peak = try #require(meters.first { $0["name"] as? String == "output peak" })
    #expect(peak["value"] as? [Int] == [-120, -120] && peak["access"] as? String == "measured")
    let properties = try #require(nodes[2]["properties"] as? [[String: Any]])
    #expect(properties.map { $0["access"] as? String } == ["while stopped", "always"])
    #expect(properties[1]["value"] as? [Int] == [0, 1])
  }
}
