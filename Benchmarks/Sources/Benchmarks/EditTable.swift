import AudioGraph
import Glibc
import SynthRealtime

/// From an edit to what is heard of it: how long the calling thread is held, and what the audio thread pays.
enum EditTable {
  private static let rounds = 1001
  private static let widths = [38, 13, 13, 12]

  static func measure() throws {
    print(row(["an edit that replaces a source", "edit, µs", "quantum, µs", "heard after"], widths: widths))
    for nodes in [4, 32, 200] { print(try line(nodes)) }
  }

  ///     source ─┐
  ///        …    ├─ mixer ─ output
  ///     source ─┘
  private static func line(_ nodeCount: Int) throws -> String {
    let engine = AudioEngine(sampleRate: Work.sampleRate)
    let mixer = MixerNode(inputBusCount: nodeCount - 2)
    let output = try OutputNode(channelCount: 2)
    var source = silence()
    try engine.edit { graph in
      try graph.attach(mixer)
      try graph.attach(output)
      try graph.connect(mixer, to: output)
      for bus in 0..<mixer.inputBusCount {
        source = silence()
        try graph.attach(source)
        try graph.connect(source, to: mixer, toBus: bus)
      }
    }
    var buffer = AudioBuffer(format: .stereo(Work.sampleRate), frameCount: renderQuantum)
    var (edits, quanta, heard) = ([Double](), [Double](), [Double]())
    for round in 0..<rounds {
      try engine.render(into: &buffer)
      let next = round.isMultiple(of: 2) ? noise() : silence()
      let start = ThreadClock.now
      try engine.edit { graph in try graph.replace(source, with: next) }
      let edited = ThreadClock.now
      try engine.render(into: &buffer)
      edits.append(edited - start)
      quanta.append(ThreadClock.now - edited)
      source = next
      heard.append((buffer[0].peak > 0) == round.isMultiple(of: 2) ? 1 : 2)
    }
    let cells = [Distribution(edits), Distribution(quanta)].map { fixed($0.median / 1000, 1) }
    return row(
      ["\(nodeCount) nodes"] + cells + ["\(fixed(heard.max() ?? 0, 0)) quantum"], widths: widths)
  }
}
