// A scene for headphones, rendered into a file: a sawtooth circles the listener in four seconds, a hum stays with the
// head, and something high sounds from far away, behind a wall and in a hall. Then how the ears differ.

import SynthKit

let engine = AudioEngine(sampleRate: 48000)
let scene = try SpatialMixerNode(inputBusCount: 3)
let sources = [
  SignalGeneratorNode(waveform: .sawtooth, frequency: 220, level: -12), SignalGeneratorNode(frequency: 110, level: -40),
  SignalGeneratorNode(waveform: .triangle, frequency: 1760, level: -20),
]
let output = try OutputNode(channelCount: 2)
try engine.edit { graph in
  for node in sources + [scene, output] as [any AudioNode] { try graph.attach(node) }
  for (bus, source) in sources.enumerated() { try graph.connect(source, to: scene, toBus: bus) }
  try graph.connect(scene, to: output)
}

let (circling, locked, far) = (scene.inputs[0], scene.inputs[1], scene.inputs[2])
for input in scene.inputs { input.render(by: .hrtf) }
circling.position = SIMD3(0, 0, -2)  // metres: to the right, up, to the back
try engine.schedule(circling.azimuth, to: 360, at: 0, over: 4 * 48000)
locked.isHeadLocked.value = 1
locked.azimuth.value = -45
far.position = SIMD3(-20, 5, -30)
far.attenuate(by: .exponential)
far.rolloff.value = 0.5
far.obstruction.value = 60
far.reverbBlend.value = 30
scene.setReverb(.largeHall)
scene.listener.position = SIMD3(0.2, 0, 0)

let path = CommandLine.arguments.dropFirst().first ?? "scene.wav"
let writer = try AudioFileWriter(path: path, sampleRate: 48000, channelCount: 2)
for eighth in 0..<8 {
  let ears = try engine.render(frameCount: 24000)
  let levels = ears.channels.map { Decibels(amplitude: Double($0.rms)) }
  let right = (levels[1] - levels[0]).figure(decimals: 1)
  print("\(eighth * 45) to \(eighth * 45 + 45) degrees: \(right) dB more on the right")
  try writer.write(ears)
}
try writer.finish()
