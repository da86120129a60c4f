import AudioGraph
import FoundationEssentials
import SynthKit
import Testing

@Suite("Every node renders without a violation")
struct NodeTests {
  @Test(
    "fed with mono and stereo, while each of its parameters moves",
    arguments: try TestNodes.kinds.map(\.name), [1, 2])
  func render(_ name: String, channelCount: Int) throws {
    let watched = WatchedEngine()
    let format = AudioFormat(sampleRate: 48000, channelCount: channelCount)
    let node = try TestNodes.node(of: try ComponentRegistry.standard().component(named: name), fedWith: format)
    try watched.place(node, fedWith: format)
    watched.render(1024)
    // What takes a constant out, as a microphone's processing does, is heard at its beginning.
    let onset = watched.peak()
    for (index, parameter) in node.parameters.enumerated() {
      for value in [parameter.range.lowerBound, parameter.range.upperBound] {
        parameter.value = value
        watched.render(256)
      }
      // Two in one quantum, one that begins before they have ended, and one that is overruled.
      let time = Int64(1024 + 1024 * index + 512)
      try watched.engine.schedule(parameter, to: parameter.range.lowerBound, at: time + 10, over: 1000)
      try watched.engine.schedule(parameter, to: parameter.range.upperBound, at: time + 20, over: 100)
      try watched.engine.schedule(parameter, to: parameter.defaultValue, at: time + 90)
      watched.render(256)
      #expect(parameter.isDefault)
      try watched.engine.schedule(parameter, to: parameter.range.lowerBound, at: time + 300, over: 1000)
      watched.render(128)
      parameter.value = parameter.defaultValue
      watched.render(128)
      #expect(parameter.isDefault)
    }
    watched.render(node.latency)
    #expect(max(onset, watched.peak()) > 0)
    try watched.engine.reset()
    watched.render(1024)
    #expect(watched.violations.isEmpty, "\(watched.violations)")
  }

  @Test("and the registry makes every public class of node in the sources")
  func completeness() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources").standardized
    let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
    var classes: Set<String> = []
    for file in files where file.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
      classes.formUnion(text.matches(of: /public final class (\w+): [^{]*\bAudioNode\b/).map { String($0.1) })
    }
    #expect(classes == Set(try TestNodes.kinds.map { "\(type(of: try TestNodes.node(of: $0)))" }))
  }
}
