// Edits that are wrong on purpose, from actors on many threads at once, while the engine plays. Each is refused with
// its reason and changes nothing; right ones among them are taken; the tone goes on undisturbed.

import Glibc
import SynthKit

let engine = AudioEngine(output: PacedOutput(period: 128))
let tone = SignalGeneratorNode(frequency: 440, level: -6, channelCount: 2)
let mixer = MixerNode(inputBusCount: 64)
let output = try OutputNode(channelCount: 2)
try engine.edit { graph in
  for node in [tone, mixer, output] as [any AudioNode] { try graph.attach(node) }
  try graph.connect(tone, to: mixer)
  try graph.connect(mixer, to: output)
}
try engine.start()

/// Does what people do wrong, and counts what is refused. Its own bus of the mixer is the only right place.
actor Editor {
  let bus: Int
  init(bus: Int) { self.bus = bus }

  private func isRefused(_ change: (inout Graph) throws -> Void) -> Bool {
    do {
      try engine.edit(change)
      return false
    } catch { return error is GraphError }
  }

  /// How many of the wrong and of the right edits were refused.
  func edit(times: Int) -> (wrong: Int, right: Int) {
    var (wrong, right) = (0, 0)
    for _ in 0..<times {
      let hiss = SignalGeneratorNode(waveform: .noise, level: -60, channelCount: 2)
      let refusals = [
        isRefused { try $0.attach(tone) }, isRefused { try $0.connect(hiss, to: mixer, toBus: bus) },
        isRefused { try $0.connect(tone, to: mixer, toBus: 64) },
        isRefused { try $0.attach(try OutputNode(channelCount: 2)) },
        isRefused { try $0.detach(hiss) }, isRefused { try $0.disconnect(input: mixer, bus: bus) },
      ]
      wrong += refusals.count { $0 }
      right +=
        isRefused { graph in
          try graph.attach(hiss)
          try graph.connect(hiss, to: mixer, toBus: bus)
        } ? 1 : 0
      right += isRefused { try $0.detach(hiss) } ? 1 : 0
    }
    return (wrong, right)
  }
}

let counts = await withTaskGroup(of: (wrong: Int, right: Int).self) { group in
  for bus in 1...16 { group.addTask { await Editor(bus: bus).edit(times: 5) } }
  var sum = (wrong: 0, right: 0)
  for await part in group { sum = (sum.wrong + part.wrong, sum.right + part.right) }
  return sum
}
print("refused: \(counts.wrong) of 480 wrong edits, \(counts.right) of 160 right ones")
print("\(engine.graph.nodes.count) nodes, as before; it \(engine.isRunning ? "plays" : "has stopped")")
try engine.stop()
