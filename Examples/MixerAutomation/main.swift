// A mixer that is automated: three tones swell, fade and cross the stereo field by changes that are scheduled to the
// frame. Then the level of both sides, each half second.

import AudioGraph

let engine = AudioEngine(sampleRate: 48000)
let tones = [220, 330, 440].map { SignalGeneratorNode(frequency: $0, level: -12) }
let mixer = MixerNode(inputBusCount: 3)
let output = try OutputNode(channelCount: 2)
try engine.edit { graph in
  for node in tones + [mixer, output] as [any AudioNode] { try graph.attach(node) }
  for (bus, tone) in tones.enumerated() { try graph.connect(tone, to: mixer, toBus: bus) }
  try graph.connect(mixer, to: output)
}

for input in mixer.inputs { input.gain.value = -120 }
// The first one swells for a second and moves from left to right in the two that follow.
let (first, second, third) = (mixer.inputs[0], mixer.inputs[1], mixer.inputs[2])
first.pan.value = -1
try engine.schedule(first.gain, to: 0, at: 0, over: 48000)
try engine.schedule(first.pan, to: 1, at: 48000, over: 96000)
// The second one is a pulse on the left, from one frame to another; the third one takes over at the end.
second.pan.value = -1
try engine.schedule(second.gain, to: 0, at: 120_000, over: 1)
try engine.schedule(second.gain, to: -120, at: 132_000, over: 1)
try engine.schedule(first.gain, to: -120, at: 144_000, over: 24000)
try engine.schedule(third.gain, to: 0, at: 144_000, over: 24000)

for half in 0..<8 {
  let sides = try engine.render(frameCount: 24000).channels.map { side in
    Decibels(amplitude: max(Double(side.rms), 1e-6)).figure(decimals: 1)
  }
  print("\(Double(half) / 2) s: left \(sides[0]) dB, right \(sides[1]) dB")
}
