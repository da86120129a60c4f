// Renders into memory, as fast as the machine can: a siren of two seconds, and how loud each tenth of it is.

import AudioGraph

let engine = AudioEngine(sampleRate: 48000)
let siren = SignalGeneratorNode(waveform: .square, frequency: 400, level: -120)
let output = try OutputNode(channelCount: 1, sourceCount: 1)
try engine.edit { graph in
  try graph.attach(siren)
  try graph.attach(output)
  try graph.connect(siren, to: output)
}

// Every change is a ramp, here of 200 ms. What is rendered does not depend on how long this takes.
siren.rampDuration = 0.2
siren.level.value = -6
for step in 0..<20 {
  if step.isMultiple(of: 4) { siren.frequency.value = step.isMultiple(of: 8) ? 800 : 400 }
  if step == 16 { siren.level.value = -120 }
  let samples = try engine.render(frameCount: 4800)[0]
  let level = Decibels(amplitude: Double(samples.rms))
  print("\(step * 100) ms: \(level.figure(decimals: 1)) dB RMS")
}
