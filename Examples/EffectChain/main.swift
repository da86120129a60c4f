// Effects one after the other: a plucked square goes through distortion, chorus, echo and reverb. Then how the sound
// dies away, and once more with the echo taken out while it plays.

import AudioGraph

let engine = AudioEngine(sampleRate: 48000)
let tone = SignalGeneratorNode(waveform: .square, frequency: 220, level: -120, channelCount: 2)
let chain: [any AudioNode] = [
  DistortionNode(shape: .soft), ChorusNode(), EchoNode(), ReverbNode(type: .mediumRoom),
]
let output = try OutputNode(channelCount: 2)
try engine.edit { graph in
  for node in [tone] + chain + [output] as [any AudioNode] { try graph.attach(node) }
  for (source, destination) in zip([tone] + chain, chain + [output]) { try graph.connect(source, to: destination) }
}
// Every effect has its parameters by name too.
for (name, value) in [("time", Float(0.5)), ("feedback", 50), ("mix", 40)] {
  try chain[2].parameter(named: name).value = value
}

/// The peak of each half second after a pluck of a tenth of a second.
func pluck() throws -> [Decibels] {
  tone.level.value = -12
  _ = try engine.render(frameCount: 4800)
  tone.level.value = -120
  return try (0..<6).map { _ in
    Decibels(amplitude: max(Double(try engine.render(frameCount: 24000).peak), 1e-6))
  }
}

func tell(_ name: String, _ levels: [Decibels]) {
  print("\(name): \(levels.map { $0.figure(decimals: 0) }.joined(separator: ", ")) dB")
}

tell("with echo", try pluck())
_ = try engine.render(frameCount: 480_000)
try engine.edit { graph in
  try graph.detach(chain[2])
  try graph.connect(chain[1], to: chain[3])
}
tell("without", try pluck())
