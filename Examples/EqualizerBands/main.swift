// Three bands of a parametric equalizer, and what they do to tones: a peak, a high shelf that is turned while it plays,
// and a low pass.

import AudioGraph

let engine = AudioEngine(sampleRate: 48000)
let tone = SignalGeneratorNode(frequency: 1000, level: -20)
let equalizer = try ParametricEqualizerNode(bandCount: 3)
let output = try OutputNode(channelCount: 1, sourceCount: 1)
try engine.edit { graph in
  for node in [tone, equalizer, output] as [any AudioNode] { try graph.attach(node) }
  try graph.connect(tone, to: equalizer)
  try graph.connect(equalizer, to: output)
}

let (peak, shelf, lowPass) = (equalizer.bands[0], equalizer.bands[1], equalizer.bands[2])
peak.shape = .peak
peak.frequency.value = 1000
peak.quality.value = ParametricEqualizerNode.quality(bandwidth: 1)
peak.gain.value = 6
shelf.shape = .highShelf
shelf.frequency.value = 4000
lowPass.shape = .lowPass
lowPass.frequency.value = 18000
lowPass.isBypassed.value = 1

/// What becomes of a tone of −20 dB, once the filters have settled.
func gain(at frequency: Float) throws -> String {
  tone.frequency.value = frequency
  _ = try engine.render(frameCount: 9600)
  let peak = try engine.render(frameCount: 9600).peak
  return (Decibels(amplitude: Double(peak)) - Decibels(-20)).figure(decimals: 1)
}

print("1000 Hz: \(try gain(at: 1000)) dB")
print("2000 Hz: \(try gain(at: 2000)) dB")
shelf.gain.value = -12
print("12000 Hz, shelf: \(try gain(at: 12000)) dB")
lowPass.isBypassed.value = 0
print("18000 Hz, shelf and low pass: \(try gain(at: 18000)) dB")
